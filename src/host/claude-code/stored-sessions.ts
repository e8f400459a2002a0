import { closeSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fail, ok, type Result } from '../../model/failure.js';
import type { StoredSession, StoredSessions } from '../../model/host-log.js';
import { readTextSafely } from '../../util/read-safely.js';

/**
 * The session that a path names: a transcript itself, or the newest one (else the one with this id, or the only id that
 * begins so) of a project's folder, or of the host's folder for it. Fails with bad-input where there is none.
 */
export const findStoredSession: StoredSessions['find'] = (target, { environment, session }) => {
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats?.isFile()) {
    if (session === undefined) return ok(withSubagents(target));
    return bad(`--session goes with a project's folder, and ${target} is a file`);
  }
  const folders = foldersFor(target, configDir(environment));
  const folder = folders.find((one) => transcriptsIn(one).length > 0);
  if (folder === undefined) {
    const what = stats ? `no session of ${target}` : `there is no such file or folder, nor sessions of it: ${target}`;
    return bad(what, `looked for <id>.jsonl in ${folders.join(' and ')}; CLAUDE_CONFIG_DIR names another place`);
  }
  const files = transcriptsIn(folder);
  const chosen = session === undefined ? files.slice(0, 1) : matching(files, session);
  const [only] = chosen;
  if (only !== undefined && chosen.length === 1) return ok(withSubagents(only));
  return bad(
    `${chosen.length === 0 ? 'no session' : `${chosen.length} sessions`} ${session} in ${folder}`,
    `the newest there: ${files.slice(0, 5).map(idOf).join(', ')}`,
  );
};

function bad(message: string, advice?: string): Result<never> {
  return fail({ reason: 'bad-input', message, advice });
}

/** Returns the folder in which Claude Code keeps its sessions (docs/claude-code.md, "Folders and rights"). */
function configDir(environment: Parameters<StoredSessions['find']>[1]['environment']): string {
  return environment.CLAUDE_CONFIG_DIR || join(environment.HOME || homedir(), '.claude');
}

/** The host's folder for a project (it asks for the real path of its working directory), then the folder itself. */
function foldersFor(target: string, configDir: string): string[] {
  const paths = [resolve(target)];
  try {
    paths.unshift(realpathSync(target));
  } catch {
    // A project that is gone may have left its sessions.
  }
  const mapped = paths.map((path) => join(configDir, 'projects', path.replace(/[^a-zA-Z0-9]/g, '-')));
  return [...new Set([...mapped, resolve(target)])];
}

/** Transcripts of a folder, the newest first. Files of subagents, which older hosts put beside them, are none. */
function transcriptsIn(folder: string): string[] {
  return entriesOf(folder)
    .filter((name) => name.endsWith('.jsonl') && !name.startsWith('agent-') && !name.startsWith('run-'))
    .map((name) => join(folder, name))
    .map((file) => ({ file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.time - a.time || a.file.localeCompare(b.file, 'en'))
    .map(({ file }) => file);
}

function matching(files: string[], session: string): string[] {
  const exact = files.filter((file) => idOf(file) === session);
  return exact.length > 0 ? exact : files.filter((file) => idOf(file).startsWith(session));
}

function withSubagents(file: string): StoredSession {
  const own = agentFilesIn(join(file.replace(/\.jsonl$/, ''), 'subagents'), MAX_AGENT_DEPTH);
  const subagents = [...own, ...agentFilesBeside(file)].map((log) => {
    return { file: log, toolUseId: toolUseIdIn(log.replace(/\.jsonl$/, '.meta.json')) };
  });
  return { file, subagents };
}

/** Agents of the Workflow tool lie in `workflows/<run>/`. */
const MAX_AGENT_DEPTH = 4;

/** Transcripts of agents in a folder and the folders in it. Other files there (`journal.jsonl`) are no transcripts. */
function agentFilesIn(folder: string, depth: number): string[] {
  return entriesOf(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (isAgentFile(name)) return [path];
      const isFolder = depth > 0 && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
      return isFolder ? agentFilesIn(path, depth - 1) : [];
    });
}

/** Transcripts of this session's agents beside its own: 2.0 wrote them there, those of all sessions in one folder. */
function agentFilesBeside(file: string): string[] {
  const folder = dirname(file);
  const names = entriesOf(folder).filter((name) => isAgentFile(name) && join(folder, name) !== file);
  if (names.length === 0) return [];
  const session = sessionIdIn(file) ?? idOf(file);
  return names
    .sort()
    .map((name) => join(folder, name))
    .filter((agent) => sessionIdIn(agent) === session);
}

function isAgentFile(name: string): boolean {
  return name.startsWith('agent-') && name.endsWith('.jsonl');
}

/** Enough of a file to hold its first rows' ids. */
const HEAD_BYTES = 65_536;

/** The session that a transcript's first rows name; undefined if none does, or the file can't be read. */
function sessionIdIn(file: string): string | undefined {
  const head = Buffer.alloc(HEAD_BYTES);
  try {
    const handle = openSync(file, 'r');
    try {
      const length = readSync(handle, head, 0, HEAD_BYTES, 0);
      return /"sessionId"\s*:\s*"([^"\\]+)"/.exec(head.toString('utf8', 0, length))?.[1];
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}

function toolUseIdIn(metaFile: string): string | undefined {
  try {
    const { toolUseId } = JSON.parse(readTextSafely(metaFile, 1 << 20) ?? '') as { toolUseId?: unknown };
    return typeof toolUseId === 'string' ? toolUseId : undefined;
  } catch {
    // Without it the result of the delegating call still names the agent.
    return undefined;
  }
}

function idOf(file: string): string {
  return basename(file, '.jsonl');
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
