import { createHash } from 'node:crypto';
import { measure } from '../metrics/index.js';
import type { Repo } from '../model/config.js';
import type { EngineProfile } from '../model/engine.js';
import { fail, ok, type Result } from '../model/failure.js';
import { BUCKETS } from '../model/families.js';
import type { HostLog } from '../model/host-log.js';
import { mcpToolPrefix } from '../model/host-tools.js';
import { toLegalName } from '../model/legal-name.js';
import type { SufficiencyCall } from '../model/measure.js';
import type { CampaignPlan } from '../model/plan.js';
import type { Session, Thread, ToolCall } from '../model/session.js';
import { readGrade, trialFiles } from '../store/index.js';
import { type CallInputs, openTranscript, readCallInputs, readSession } from '../transcript/index.js';
import { WORKSPACE } from './run-case.js';
import type { SuiteInput } from './suite-schema.js';

/** A recorded run whose calls are to be replayed. */
export interface RecordedRun {
  /** How the run is named in the suite: its log, relative to the campaign. */
  name: string;
  files: string[];
  repo: string;
  /** Files that its answers cite, if they were graded and right. */
  citedFiles: string[];
}

type HarvestedCase = SuiteInput['cases'][number];

/** Buckets from the worst reaction to the best: what was missed comes first. */
const BUCKET_ORDER: string[] = ['read_missed', 'search', 'read_returned', 'explore_again', 'sufficient'];

/** The runs of a campaign with their repos, and what grading found of their answers. */
export function runsOfCampaign(dir: string, plan: CampaignPlan, logsOf: (files: string[]) => string[]): RecordedRun[] {
  return plan.trials.flatMap((trial) => {
    const files = logsOf(trialFiles(dir, plan, trial).logs);
    const repo = plan.tasks.find(({ name }) => name === trial.task)?.repo;
    if (files.length === 0 || repo === undefined) return [];
    const grade = readGrade(dir, plan, trial);
    const isRight = grade.ok && grade.value?.figures.passed === 1;
    const citations = (isRight && grade.value?.citations) || [];
    const cited = citations.flatMap(({ state, file }) => (state === 'resolved' && file !== undefined ? [file] : []));
    return [{ name: trial.id, files, repo, citedFiles: [...new Set(cited)].sort() }];
  });
}

/**
 * Makes a suite for each repo of the runs: every call of the engine's tools with its arguments as they were recorded, in order, a case for
 * each thread. Equal sequences are one case. Cases whose responses were followed by a miss come first. Fails with 'bad-input' where a log
 * cannot be read or no run called the engine.
 */
export async function harvest(
  runs: RecordedRun[],
  repos: Repo[],
  profile: EngineProfile,
  host: HostLog,
): Promise<Result<SuiteInput[]>> {
  const byRepo = new Map<string, Map<string, { worst: number; harvested: HarvestedCase }>>();
  for (const run of runs) {
    const read = await readRun(run, profile, host);
    if (!read.ok) return read;
    const cases = byRepo.get(run.repo) ?? new Map();
    byRepo.set(run.repo, cases);
    for (const harvested of casesOf(run, read.value, profile)) {
      const key = createHash('sha256')
        .update(JSON.stringify(harvested.calls.map(({ tool, arguments: args }) => [tool, args])))
        .digest('hex');
      if (!cases.has(key)) cases.set(key, { worst: worstBucket(harvested), harvested });
    }
  }
  const suites = [...byRepo].flatMap(([repo, cases]) => {
    const sorted = [...cases.values()].sort((a, b) => a.worst - b.worst).map(({ harvested }) => harvested);
    return sorted.length === 0 ? [] : [toSuite(repo, sorted, repos)];
  });
  if (suites.length > 0) return ok(suites);
  return fail({
    reason: 'bad-input',
    message: `no run of ${runs.length} called a tool of ${profile.label}`,
    advice: 'name a campaign or logs whose runs had the engine',
  });
}

interface ReadRun extends CallInputs {
  session: Session;
  reactions: SufficiencyCall[];
}

async function readRun({ files }: RecordedRun, profile: EngineProfile, host: HostLog): Promise<Result<ReadRun>> {
  try {
    const session = await readSession(files.map(openTranscript), profile, host);
    const inputs = await readCallInputs(files.map(openTranscript), host.format, (tool) => profile.isEngineTool(tool));
    const { sufficiency } = measure(session, { profile, windowTokens: undefined });
    return ok({ ...inputs, session, reactions: sufficiency.calls });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return fail({ reason: 'bad-input', message: `${files.join(', ')} could not be read: ${message}` });
  }
}

function casesOf(run: RecordedRun, read: ReadRun, profile: EngineProfile): HarvestedCase[] {
  let subagents = 0;
  return read.session.threads.flatMap((thread) => {
    const reactions = read.reactions.filter((reaction) => reaction.thread === thread.id);
    const calls = callsOf(run, thread, { ...read, reactions }, profile);
    if (calls.length === 0) return [];
    const suffix = thread.id === null ? '' : `-sub${++subagents}`;
    const id = toLegalName(`${run.name.replace(/\.jsonl$/, '')}${suffix}`, `run${suffix}`);
    const gold = thread.id === null && run.citedFiles.length > 0 ? { gold: { weakFiles: run.citedFiles } } : {};
    return [{ id, calls, ...gold }];
  });
}

function callsOf(run: RecordedRun, thread: Thread, read: ReadRun, profile: EngineProfile): HarvestedCase['calls'] {
  const prefix = mcpToolPrefix(profile.mcpServer);
  const segments = new Map(thread.requests.map(({ id, segment }) => [id, segment]));
  return thread.calls.flatMap((call) => {
    const args = read.byId.get(call.id);
    if (!call.name.startsWith(prefix) || args === undefined) return [];
    const prompt = segments.get(call.requestId);
    const bucket = takeBucket(call, read.reactions, profile);
    return [
      {
        tool: call.name.slice(prefix.length),
        arguments: read.cwd === undefined ? args : withoutWorkspace(args, read.cwd),
        origin: {
          run: run.name,
          ...(thread.id === null ? {} : { thread: thread.id }),
          ...(prompt === undefined ? {} : { prompt }),
          ...(bucket === undefined ? {} : { bucket }),
        },
      },
    ];
  });
}

/** The reactions of a thread stand in the order of its answered explores. */
function takeBucket(
  { name, input, result }: ToolCall,
  reactions: SufficiencyCall[],
  profile: EngineProfile,
): string | undefined {
  if (!profile.isExploreTool(name) || !result || result.isError) return undefined;
  if (reactions[0]?.query !== (input.query ?? '')) return undefined;
  return reactions.shift()?.bucket;
}

/** The arguments with the recorded workspace replaced by a placeholder: its folder is gone. */
function withoutWorkspace(args: Record<string, unknown>, cwd: string): Record<string, unknown> {
  const replace = (value: unknown): unknown => (typeof value === 'string' ? value.replaceAll(cwd, WORKSPACE) : value);
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, replace(value)]));
}

function worstBucket({ calls }: HarvestedCase): number {
  const ranks = calls.flatMap(({ origin }) =>
    origin?.bucket === undefined ? [] : [BUCKET_ORDER.indexOf(origin.bucket)],
  );
  return Math.min(BUCKETS.length, ...ranks);
}

function toSuite(name: string, harvested: HarvestedCase[], repos: Repo[]): SuiteInput {
  const repo = repos.find((one) => one.name === name);
  const seen = new Map<string, number>();
  const cases = harvested.map((one) => {
    const times = (seen.get(one.id) ?? 0) + 1;
    seen.set(one.id, times);
    return times === 1 ? one : { ...one, id: `${one.id}-${times}` };
  });
  return { format: 1, name, repo: name, ...(repo ? pinOf(repo) : {}), cases };
}

function pinOf({ source, exclude }: Repo): Pick<SuiteInput, 'source' | 'exclude'> {
  const rest = exclude.length > 0 ? { exclude } : {};
  if (source.kind === 'git') return { source: { git: source.url, commit: source.commit }, ...rest };
  if (source.kind === 'npm') return { source: { npm: `${source.packageName}@${source.version}` }, ...rest };
  return { source: { folder: source.dir }, ...rest };
}
