import { mkdirSync, mkdtempSync, realpathSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { findEngineSandbox, probeFence, raiseFence } from '../fence/index.js';
import { type AgentHost, canaryScript, runCanary } from '../host/index.js';
import type { Config } from '../model/config.js';
import type { Engine } from '../model/engine.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { Arm, FenceLevel, Regime } from '../model/plan.js';
import type { OpenSandbox } from '../model/sandbox.js';
import type { SessionFacts } from '../model/trial.js';
import { removeTree, runCommand } from '../process/index.js';
import { startRehearsal } from '../rehearsal/index.js';
import type { DoctorCheck as Check } from '../report/index.js';
import { HOOK_MARKER } from '../shell/index.js';
import { BUNDLES } from '../util/package.js';
import { checkWorkspaceParent } from '../workspace/index.js';
import { configurationCheck, environmentCheck, fenceDetail } from './doctor-layers.js';

export interface DoctorRequest {
  host: AgentHost;
  config: Config;
  /** Arms with their pinned builds; none for the bare `doctor`. */
  arms: Arm[];
  engine: Engine;
  environment: Record<string, string>;
  temporaryRoot: string;
  rehearsal: boolean;
  /** The fence that is asked for, and the places that it must hide beyond those of the trials. */
  fence: Regime['fence'];
  hidden: string[];
  toolSearch: boolean;
  signal: AbortSignal;
}

/** What an experiment takes over from the doctor. */
export interface Fitness {
  claude: { path: string; version: string };
  gitVersion: string;
  fence: { level: FenceLevel; hidden: string[]; evidence: Record<string, string> };
  /** Opens the sandbox of an engine; undefined where there can be none. */
  openSandbox: OpenSandbox | undefined;
  canary: Record<string, string>;
  /** What the host has of its own in a session of these arguments. */
  reference: SessionFacts | undefined;
}

const MEGABYTE = 1024 * 1024;
const LEAST_FREE_BYTES = 2048 * MEGABYTE;
/**
 * The longest path of a Unix socket that an engine puts in the workspace (docs/codegraph.md, "The path of the
 * socket").
 */
const LONGEST_SOCKET_PATH = 100;

/** Checks everything that an experiment needs. Every check is made, whatever the others say. */
export async function examine(request: DoctorRequest): Promise<{ checks: Check[]; fitness: Fitness | undefined }> {
  const checks: Check[] = [checkNode(process.versions.node)];
  const path = request.environment.PATH ?? '';

  const git = await runCommand({ argv: ['git', '--version'], env: request.environment, deadlineMs: 10_000 });
  const gitVersion = git.stdout.trim().replace('git version ', '');
  checks.push(
    git.ok
      ? { name: 'git', state: 'fine', detail: gitVersion }
      : { name: 'git', state: 'problem', detail: 'not found on the PATH', remedy: 'install git' },
  );
  checks.push(await checkEngineNode(request));
  checks.push(checkDisk(request.temporaryRoot));
  if (request.engine.runtime.daemon) checks.push(checkSocketPath(request));
  const parent = checkWorkspaceParent(request.temporaryRoot, request.environment.HOME);
  checks.push(
    parent.ok
      ? { name: 'workspace place', state: 'fine', detail: request.temporaryRoot }
      : { name: 'workspace place', state: 'problem', detail: parent.failure.message, remedy: parent.failure.advice },
  );
  checks.push(checkRoot(request));
  const claude = await request.host.locate(path, request.environment);
  if (!claude.ok) {
    checks.push({
      name: request.host.program,
      state: 'problem',
      detail: claude.failure.message,
      remedy: claude.failure.advice,
    });
    return { checks, fitness: undefined };
  }
  checks.push({ name: request.host.program, state: 'fine', detail: `${claude.value.version} (${claude.value.path})` });
  checks.push(
    checkLoginInside(request),
    environmentCheck(request.environment, request.rehearsal ? [] : request.host.login.variables),
  );
  const fence = await checkFence(request, claude.value);
  checks.push(fence.check);
  const sandbox = await checkEngineSandbox(request);
  checks.push(sandbox.check);
  if (!fence.found) return { checks, fitness: undefined };
  fence.found.evidence.engineSandbox = sandbox.check.detail;
  const canary = await checkCanary(request, claude.value, fence.found);
  checks.push(canary.check);
  if (canary.found.reference) checks.push(configurationCheck(canary.found.reference));
  return {
    checks,
    fitness: { claude: claude.value, gitVersion, fence: fence.found, openSandbox: sandbox.open, ...canary.found },
  };
}

/** Runs the doctor before an experiment: fails with every problem and its remedy. */
export async function runDoctor(request: DoctorRequest): Promise<Result<Fitness>> {
  const { checks, fitness } = await examine(request);
  const problems = checks.filter((check) => check.state === 'problem');
  if (problems.length === 0 && fitness) return ok(fitness);
  return fail({
    reason: 'environment-unfit',
    message: problems.map(({ name, detail }) => `${name}: ${detail}`).join('\n'),
    advice: problems.flatMap(({ name, remedy }) => (remedy ? [`${name}: ${remedy}`] : [])).join('\n'),
  });
}

function checkNode(version: string): Check {
  return { name: 'node', state: 'fine', detail: version };
}

/** The node for builds from source; packages bring their own. */
async function checkEngineNode({ config, arms, environment, engine }: DoctorRequest): Promise<Check> {
  const name = `node of ${engine.identity.name}`;
  const fromSource = arms.some((arm) => arm.build?.kind === 'source');
  const program = config.engine.node ?? process.execPath;
  const outcome = await runCommand({ argv: [program, '--version'], env: environment, deadlineMs: 10_000 });
  const version = outcome.stdout.trim().replace(/^v/, '');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [needMajor, needMinor] = engine.runtime.minimumNode ?? [0, 0];
  if (outcome.ok && (major > needMajor || (major === needMajor && minor >= needMinor))) {
    return { name, state: 'fine', detail: `${version} (${program})` };
  }
  const remedy = `set engine.node in the config to a node of ${needMajor}.${needMinor} or later`;
  const found = outcome.ok ? `${version}` : `${program} does not run`;
  if (fromSource) return { name, state: 'problem', detail: `${found}, too old for builds from source`, remedy };
  return {
    name,
    state: 'note',
    detail: `${found}: good for published packages, too old for builds from source`,
    remedy,
  };
}

function checkDisk(place: string): Check {
  const { bavail, bsize } = statfsSync(place);
  const free = bavail * bsize;
  const detail = `${Math.round(free / MEGABYTE).toLocaleString('en')} MB free under ${place}`;
  if (free >= LEAST_FREE_BYTES) return { name: 'disk', state: 'fine', detail };
  return { name: 'disk', state: 'problem', detail, remedy: 'make room, or set TMPDIR to a place with at least 2 GB' };
}

function checkSocketPath({ temporaryRoot, engine }: DoctorRequest): Check {
  const socket = join(temporaryRoot, 'ae-XXXXXX', 'w', engine.identity.indexFolder, 'daemon.sock');
  const detail = `${socket.length} of at most ${LONGEST_SOCKET_PATH} characters`;
  if (socket.length <= LONGEST_SOCKET_PATH) return { name: 'socket path', state: 'fine', detail };
  return { name: 'socket path', state: 'problem', detail, remedy: 'set TMPDIR to a shorter path' };
}

function checkRoot({ host, rehearsal, environment }: DoctorRequest): Check {
  if (process.getuid?.() !== 0) return { name: 'user', state: 'fine', detail: 'an ordinary user' };
  if (rehearsal) return { name: 'user', state: 'fine', detail: 'root, in order for a scripted model' };
  if (environment.IS_SANDBOX === '1')
    return { name: 'user', state: 'note', detail: 'root, with IS_SANDBOX=1 set by you' };
  return {
    name: 'user',
    state: 'problem',
    detail: `root: ${host.program} refuses to bypass permissions as root`,
    remedy: 'run as an ordinary user, or set IS_SANDBOX=1 if this machine is a throwaway sandbox',
  };
}

function checkLoginInside(request: DoctorRequest): Check {
  if (request.rehearsal) return { name: 'login', state: 'fine', detail: 'none needed: the model is scripted' };
  const login = request.host.login.check(request.environment);
  if (login.ok) return { name: 'login', state: 'fine', detail: login.value };
  return { name: 'login', state: 'problem', detail: login.failure.message, remedy: login.failure.advice };
}

async function checkFence(
  request: DoctorRequest,
  claude: Fitness['claude'],
): Promise<{ check: Check; found: Fitness['fence'] | undefined }> {
  const { hidden, temporaryRoot, engine, environment, signal } = request;
  const probe = await probeFence(request.fence, {
    temporaryRoot,
    identity: engine.identity,
    hostPath: claude.path,
    hookScript: BUNDLES.hook,
    hidden,
    callerEnvironment: environment,
    // Some place to forward to (an unprivileged port): the probe itself asks no model.
    rehearsalEnvironment: request.rehearsal ? { ANTHROPIC_BASE_URL: 'http://127.0.0.1:17443' } : undefined,
    signal,
  });
  const name = 'fence';
  if (!probe.ok) {
    const { message, advice } = probe.failure;
    return { check: { name, state: 'problem', detail: message, remedy: advice }, found: undefined };
  }
  const { level, evidence } = probe.value;
  const found = { level, hidden, evidence };
  if (level === 'full') return { check: { name, state: 'fine', detail: fenceDetail(evidence) }, found };
  const why = Object.values(evidence)[0];
  const detail = `${level}${why === undefined ? '' : `: ${why}`}`;
  const remedy = 'docs/isolation.md tells what each level prevents; full needs bubblewrap 0.8 and user namespaces';
  return { check: { name, state: 'note', detail, remedy }, found };
}

async function checkEngineSandbox({
  environment,
  engine,
}: DoctorRequest): Promise<{ check: Check; open: OpenSandbox | undefined }> {
  const name = 'engine sandbox';
  const found = await findEngineSandbox(environment.PATH, engine.identity.indexFolder);
  if ('open' in found) {
    const detail = 'bubblewrap: the build and one workspace, no network, no other index';
    return { check: { name, state: 'fine', detail }, open: found.open };
  }
  const detail = `none (${found.missing}): the engine reads, writes and connects with all your rights`;
  const remedy =
    'install bubblewrap 0.8 and util-linux, and allow user namespaces; docs/security.md tells what stays open';
  return { check: { name, state: 'note', detail, remedy }, open: undefined };
}

async function checkCanary(
  request: DoctorRequest,
  claude: Fitness['claude'],
  fence: Fitness['fence'],
): Promise<{ check: Check; found: Pick<Fitness, 'canary' | 'reference'> }> {
  const nothing = { canary: {}, reference: undefined };
  const root = realpathSync(mkdtempSync(join(request.temporaryRoot, 'ae-')));
  const rehearsal = await startRehearsal(canaryScript(request.engine.identity, request.host.canary));
  const rehearsalEnvironment = rehearsal.environment({ task: 'canary', arm: 'canary', repetition: 1 });
  const workspace = join(root, 'w');
  mkdirSync(workspace);
  const raised = await raiseFence({
    level: fence.level,
    root,
    workspace,
    identity: request.engine.identity,
    hostPath: claude.path,
    hookScript: BUNDLES.hook,
    mcpServer: undefined,
    hidden: fence.hidden,
    callerEnvironment: request.environment,
    rehearsalEnvironment,
  });
  try {
    if (!raised.ok) {
      const { message, advice } = raised.failure;
      return { check: { name: 'hook canary', state: 'problem', detail: message, remedy: advice }, found: nothing };
    }
    const canary = await runCanary({
      host: request.host,
      root,
      hostPath: claude.path,
      identity: request.engine.identity,
      engineVariables: request.engine.runtime.sessionEnvironment,
      hookScript: BUNDLES.hook,
      hookMarker: HOOK_MARKER,
      callerEnvironment: request.environment,
      rehearsalEnvironment,
      toolSearch: request.toolSearch,
      fence: raised.value,
      signal: request.signal,
    });
    if (canary.ok) {
      const detail = 'a call of the CLI was denied, a mention passed, no effect on disk';
      const { evidence, facts } = canary.value;
      return { check: { name: 'hook canary', state: 'fine', detail }, found: { canary: evidence, reference: facts } };
    }
    const { message, advice } = canary.failure;
    return { check: { name: 'hook canary', state: 'problem', detail: message, remedy: advice }, found: nothing };
  } finally {
    if (raised.ok) await raised.value.drop();
    await rehearsal.stop();
    await removeTree(root);
  }
}
