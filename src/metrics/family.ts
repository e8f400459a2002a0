import type { EngineProfile } from '../model/engine.js';
import type { ByFamily, Family } from '../model/measure.js';

const FAMILY_OF: Record<string, Family> = {
  Read: 'read',
  NotebookRead: 'read',
  Grep: 'search',
  Glob: 'search',
  Bash: 'bash',
  BashOutput: 'bash',
};

/** The family of a tool (spec/metrics.md 1); whatever belongs to the engine is `tool`. */
export function familyOf(toolName: string, profile: EngineProfile): Family {
  if (profile.isEngineTool(toolName)) return 'tool';
  return Object.hasOwn(FAMILY_OF, toolName) ? (FAMILY_OF[toolName] ?? 'other') : 'other';
}

/** Zero for every family. */
export function noneByFamily(): ByFamily {
  return { tool: 0, read: 0, search: 0, bash: 0, other: 0 };
}

/** Each family's figure rounded to whole tokens. */
export function rounded(values: ByFamily): ByFamily {
  const { tool, read, search, bash, other } = values;
  return {
    tool: Math.round(tool),
    read: Math.round(read),
    search: Math.round(search),
    bash: Math.round(bash),
    other: Math.round(other),
  };
}
