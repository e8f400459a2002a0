import type { EngineProfile } from '../model/engine.js';
import type { ByFamily, Family } from '../model/families.js';
import type { ToolKind } from '../model/host-tools.js';
import type { ToolCall } from '../model/session.js';

/** The families of host tools that get at files; every other kind is `other`. */
const FAMILIES: Partial<Record<ToolKind, Family>> = {
  reader: 'read',
  searcher: 'search',
  shell: 'bash',
  'background-output': 'bash',
};

/** Returns the family of a tool. Every tool of the engine is in the family `tool`. */
export function familyOf({ name, kind }: Pick<ToolCall, 'name' | 'kind'>, profile: EngineProfile): Family {
  if (profile.isEngineTool(name)) return 'tool';
  return (kind && FAMILIES[kind]) ?? 'other';
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
