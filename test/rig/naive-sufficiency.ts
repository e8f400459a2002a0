import { naiveSections } from './naive-explore.js';
import { familyOf, type NaiveCall } from './naive-measure.js';

const MARKER = '[agent-eval:no-cli-shim]';
const isUndelivered = (text: string) => /^(<persisted-output>|Error: result \()/.test(text);
const isExplore = ({ name }: NaiveCall) => name.includes('codegraph_explore');
const isDenied = ({ result }: NaiveCall) => result?.isError === true && result.text.startsWith(MARKER);
const isSkipped = (call: NaiveCall) => ['ToolSearch', 'TodoWrite'].includes(call.name) || isDenied(call);
const isDelegation = ({ name }: NaiveCall) => name === 'Agent' || name === 'Task';

/** Section 3 of the spec. */
export function naiveSufficiency(calls: NaiveCall[]) {
  const explores = calls.filter(isExplore);
  const answered = explores.filter(({ result }) => result && !result.isError);
  const denied = new Set<NaiveCall>();
  let concurrent = 0;
  const verdicts = answered.map((explore) => {
    const rest = calls.slice(calls.indexOf(explore) + 1).filter(({ thread }) => thread === explore.thread);
    concurrent += rest.filter((call) => call.message === explore.message && accessOf(call) !== undefined).length;
    const later = rest.filter(({ message }) => message !== explore.message);
    const next = firstThatCounts(later, denied);
    const [bucket, shown] = verdict(calls, explore, next, denied);
    const files = naiveSections(explore.result?.text ?? '').map(({ path }) => path);
    const { thread, input, result } = explore;
    return { thread, query: input.query as string, chars: result?.text.length ?? 0, files, bucket, next: shown };
  });
  const count = (bucket: string) => verdicts.filter((one) => one.bucket === bucket).length;
  const texts = answered.map(({ result }) => result?.text ?? '');
  return {
    answered: answered.length,
    errored: explores.length - answered.length,
    concurrent,
    noAnswer: texts.filter((text) => !isUndelivered(text) && naiveSections(text).length === 0).length,
    undelivered: texts.filter(isUndelivered).length,
    denied: denied.size,
    buckets: {
      ...{ explore_again: count('explore_again'), read_returned: count('read_returned') },
      ...{ read_missed: count('read_missed'), search: count('search'), sufficient: count('sufficient') },
    },
    calls: verdicts,
  };
}

function firstThatCounts(calls: NaiveCall[], denied: Set<NaiveCall>): NaiveCall | undefined {
  for (const call of calls) {
    if (!isSkipped(call)) return call;
    if (isDenied(call)) denied.add(call);
  }
  return undefined;
}

function verdict(
  calls: NaiveCall[],
  explore: NaiveCall,
  next: NaiveCall | undefined,
  denied: Set<NaiveCall>,
): [string, string] {
  if (!next) return ['sufficient', '(final answer)'];
  if (!isDelegation(next)) return reaction(calls, explore, next);
  const own = calls.filter(({ thread }) => thread === next.id);
  const first = firstThatCounts(own, denied);
  if (!first) return ['sufficient', next.name];
  const [bucket, shown] = reaction(calls, explore, first);
  return [bucket, `${next.name} → ${shown}`];
}

function reaction(calls: NaiveCall[], explore: NaiveCall, next: NaiveCall): [string, string] {
  if (familyOf(next.name) === 'tool') return ['explore_again', String(next.name.split('__').at(-1))];
  const access = accessOf(next);
  if (access === 'search') return ['search', next.name === 'Bash' ? 'Bash search' : next.name];
  if (access === undefined) return ['sufficient', next.name];
  const file = access.path.split('/').at(-1);
  const shown = next.name === 'Bash' ? `Bash Read ${file}` : `Read ${file}`;
  const isSame = (path: string) =>
    path === access.path || access.path.endsWith(`/${path}`) || path.endsWith(`/${access.path}`);
  const filesOf = (call: NaiveCall) =>
    call.result?.isError ? [] : naiveSections(call.result?.text ?? '').map(({ path }) => path);
  if (filesOf(explore).some(isSame)) return ['read_returned', shown];
  const earlier = calls
    .slice(0, calls.indexOf(explore))
    .filter((call) => isExplore(call) && call.thread === explore.thread);
  if (earlier.flatMap(filesOf).some(isSame)) return ['read_returned', `${shown} (returned by an earlier explore)`];
  const parallel = calls
    .slice(calls.indexOf(explore) + 1)
    .filter((call) => isExplore(call) && call.thread === explore.thread && call.message === explore.message);
  if (parallel.flatMap(filesOf).some(isSame)) return ['read_returned', `${shown} (returned by a parallel explore)`];
  const named = [...(explore.result?.text ?? '').matchAll(/[\w./-]+\.js\b/g)].map(([path]) => path);
  return ['read_missed', named.some(isSame) ? `${shown} (named, not returned)` : shown];
}

/** What a call of the generator's gets at. */
function accessOf({ name, input }: NaiveCall): 'search' | { path: string } | undefined {
  if (name === 'Grep' || name === 'Glob') return 'search';
  if (name === 'Read') return { path: input.file_path };
  if (name !== 'Bash') return undefined;
  const command = String(input.command);
  if (/^(grep|cd lib && find) /.test(command)) return 'search';
  const read = /^(?:cat|sed -n '1,20p') ([^\s|]+)/.exec(command);
  return read ? { path: String(read[1]) } : undefined;
}
