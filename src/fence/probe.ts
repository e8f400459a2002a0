import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineIdentity } from '../model/engine.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { FenceLevel } from '../model/plan.js';
import { type CommandOutcome, removeTree, runCommand, tailLines } from '../process/index.js';
import { controlScript, judgeControls, readControl, showControl } from './control.js';
import { findBwrap } from './locate-bwrap.js';
import { raiseFence } from './raise.js';

export interface ProbeSpec {
  /** Folder under which trials get their private folders. */
  temporaryRoot: string;
  identity: EngineIdentity;
  hostPath: string;
  hookScript: string;
  /** As for `raiseFence`. */
  hidden: string[];
  callerEnvironment: Record<string, string>;
  rehearsalEnvironment?: Record<string, string> | undefined;
  signal?: AbortSignal;
}

/** The level that works here, with what proves it: the control outside and inside, and why a stronger level was passed over. */
export interface FenceProbe {
  level: FenceLevel;
  evidence: Record<string, string>;
}

const DEADLINE_MS = 30_000;
const ADVICE: Record<FenceLevel, string> = {
  full: 'install bubblewrap 0.8 or later and allow user namespaces (kernel.apparmor_restrict_unprivileged_userns=0), or --fence shell',
  shell: 'install bubblewrap 0.8 or later and allow user namespaces, or --fence none',
  none: '',
};

/**
 * Finds the level of the fence by starting it around a folder of decoys and running one control script outside and
 * inside (docs/isolation.md, "The fence"). `auto` takes the strongest level that holds. Fails with `environment-unfit`
 * and advice when a given level does not hold.
 */
export async function probeFence(wanted: 'auto' | FenceLevel, spec: ProbeSpec): Promise<Result<FenceProbe>> {
  const levels: FenceLevel[] = wanted === 'auto' ? ['full', 'shell', 'none'] : [wanted];
  const evidence: Record<string, string> = {};
  for (const level of levels) {
    if (level === 'none') break;
    const tried = await tryLevel(level, spec);
    if (tried.problem === undefined) return ok({ level, evidence: { ...evidence, ...tried.evidence } });
    evidence[`fence.no-${level}`] = tried.problem;
    if (wanted === 'auto') continue;
    return fail({
      reason: 'environment-unfit',
      message: `the fence \`${level}\` does not hold here: ${tried.problem}`,
      advice: ADVICE[level],
    });
  }
  return ok({ level: 'none', evidence });
}

interface Tried {
  problem?: string;
  evidence: Record<string, string>;
}

async function tryLevel(level: FenceLevel, spec: ProbeSpec): Promise<Tried> {
  if (findBwrap(spec.callerEnvironment.PATH) === undefined) return { problem: 'bwrap is not installed', evidence: {} };
  const outer = realpathSync(mkdtempSync(join(spec.temporaryRoot, 'ae-')));
  try {
    return await compare(level, spec, outer);
  } finally {
    await removeTree(outer);
  }
}

async function compare(level: FenceLevel, spec: ProbeSpec, outer: string): Promise<Tried> {
  const root = join(outer, 'trial');
  const workspace = join(root, 'w');
  const write = (...names: string[]): string => {
    const file = join(outer, ...names);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, 'decoy\n');
    return file;
  };
  const places = {
    workspace,
    indexFile: write('trial', 'w', spec.identity.indexFolder, 'decoy'),
    engineFile: write('engine', 'decoy'),
    otherFile: write('other', 'w', 'decoy'),
  };
  const fence = await raiseFence({ ...spec, level, root, workspace, mcpServer: undefined });
  if (!fence.ok) return { problem: fence.failure.message, evidence: {} };
  try {
    const script = controlScript(places, spec.identity.cliNames);
    const env = sessionEnvironment(root, spec.callerEnvironment.PATH ?? '');
    // The host's own shell, started as the host starts it, stands in for claude.
    const fenced = fence.value.wrap(['claude'], env);
    const shell = fenced.env.CLAUDE_CODE_SHELL ?? '/bin/bash';
    const command = level === 'full' ? [...fenced.argv.slice(0, -1), shell] : [shell];
    const [program = shell, ...args] = command;
    const run = (argv: [string, ...string[]], environment: Record<string, string>) =>
      runCommand({ argv, cwd: workspace, env: environment, deadlineMs: DEADLINE_MS, signal: spec.signal });
    const host = await run(['/bin/bash', '-c', script], env);
    const inside = await run([program, ...args, '-c', script], fenced.env);
    return judge(level, host, inside);
  } finally {
    await fence.value.drop();
  }
}

function judge(level: FenceLevel, host: CommandOutcome, inside: CommandOutcome): Tried {
  if (!inside.stdout.includes('write=')) return { problem: tailLines(inside, 2).join(' / '), evidence: {} };
  const outside = readControl(host.stdout);
  const within = readControl(inside.stdout);
  const problem = judgeControls(outside, within);
  if (problem !== undefined) return { problem, evidence: {} };
  const evidence = { fence: level, 'fence.outside': showControl(outside), 'fence.inside': showControl(within) };
  return { evidence };
}

function sessionEnvironment(root: string, path: string): Record<string, string> {
  return {
    PATH: path,
    HOME: join(root, 'home'),
    CLAUDE_CONFIG_DIR: join(root, 'config'),
    TMPDIR: join(root, 'tmp'),
    LANG: 'C.UTF-8',
  };
}
