import { callsOf, familyOf, type NaiveCall, type NaiveLog, type Raw, seen, threadOf } from './naive-measure.js';

interface Gap {
  delta: number;
  chars: number;
  toolChars: number;
  images: number;
  compacted: boolean;
  preserved: string[] | undefined;
  results: { call: NaiveCall; chars: number; uuid: string | undefined; afterBoundary: boolean }[];
}

/** Section 2 of the spec, step by step, for one thread. */
export function naiveOccupancy(log: NaiveLog, calls: NaiveCall[], thread: string | null) {
  const gaps = gapsOf(log, calls, thread);
  const clean = gaps.filter(
    (gap) =>
      isGrowthOfText(gap) && gap.chars > 500 && gap.toolChars / gap.chars >= 0.8 && isPossible(gap.toolChars, gap),
  );
  const median = lowerMedian(clean.map(({ toolChars, delta }) => toolChars / delta)) ?? 0;
  const pooled = clean.filter(({ toolChars, delta }) => toolChars / delta <= 1.5 * median);
  const growing = gaps.filter(isGrowthOfText);
  let ratio = 3;
  let calibrated = false;
  if (total(pooled, 'toolChars') > 0) ratio = total(pooled, 'toolChars') / total(pooled, 'delta');
  else if (total(growing, 'chars') > 0) ratio = total(growing, 'chars') / total(growing, 'delta');
  calibrated = total(pooled, 'toolChars') > 0 || total(growing, 'chars') > 0;
  const errors = gaps
    .filter((gap) => countsAtAll(gap) && gap.chars > 500 && gap.toolChars / gap.chars >= 0.95 && gap.chars >= gap.delta)
    .map(({ toolChars, delta }) => Math.abs(toolChars / ratio - delta) / delta);
  const contexts = contextsOf(log, thread).map(({ tokens }) => tokens);
  const frame = {
    ctxBaseTokens: contexts[0] ?? 0,
    ctxFinalTokens: contexts.at(-1) ?? 0,
    charsPerToken: ratio,
    calibrated,
  };
  const compactions = log.events.filter(({ event }) => isBoundary(event) && threadOf(event) === thread).length;
  return {
    ...frame,
    dispersion: calibrated ? (lowerMedian(errors) ?? null) : null,
    compactions,
    ...attribute(gaps, ratio),
  };
}

/** Step 4 and 5. */
function attribute(gaps: Gap[], ratio: number) {
  let queue: { family: string; tokens: number; uuid: string | undefined }[] = [];
  let evicted = 0;
  const sums = () => ({ tool: 0, read: 0, search: 0, bash: 0, other: 0 }) as Record<string, number>;
  const [contributed, chars, results, residual] = [sums(), sums(), sums(), sums()] as [Raw, Raw, Raw, Raw];
  for (const gap of gaps) {
    const drop = (gone: typeof queue) => {
      evicted += gone.reduce((sum, { tokens }) => sum + tokens, 0);
      queue = queue.filter((one) => !gone.includes(one));
    };
    if (gap.compacted) drop(queue.filter(({ uuid }) => !gap.preserved?.includes(String(uuid))));
    const inOrder = gap.results.toSorted((a, b) => orderOf(a.call) - orderOf(b.call));
    for (const { call, chars: length, uuid, afterBoundary } of inOrder) {
      const family = familyOf(call.name);
      // Results take no more than a growth that text of their length can have.
      const takesAll = !gap.compacted && exceeds(gap, ratio) && isPossible(gap.toolChars, gap);
      const tokens = takesAll ? (length / gap.toolChars) * gap.delta : length / ratio;
      const resident = { family, tokens, uuid };
      queue.push(resident);
      contributed[family] += resident.tokens;
      chars[family] += length;
      results[family] += 1;
      if (gap.preserved && !afterBoundary && !gap.preserved.includes(String(uuid))) drop([resident]);
    }
    if (gap.compacted) continue;
    if (!exceeds(gap, ratio) || isPossible(gap.toolChars, gap)) continue;
    let excess = gap.toolChars / ratio - gap.delta;
    for (const resident of queue) {
      const gone = Math.min(excess, resident.tokens);
      resident.tokens -= gone;
      evicted += gone;
      excess -= gone;
    }
  }
  for (const { family, tokens } of queue) residual[family] += tokens;
  const round = (by: Record<string, number>) =>
    Object.fromEntries(Object.entries(by).map(([key, value]) => [key, Math.round(value)]));
  return {
    evictedTokens: Math.round(evicted),
    residualTokens: round(residual),
    contributedTokens: round(contributed),
    chars,
    results,
  };
}

/** The calls' own order, put there by `gapsOf`. */
const orders = new WeakMap<NaiveCall, number>();
const orderOf = (call: NaiveCall) => orders.get(call) ?? 0;

/** The thread's requests in order, each with its window and where in the log it first stands. */
function contextsOf(log: NaiveLog, thread: string | null): { id: string; tokens: number; at: number }[] {
  const found: { id: string; tokens: number; at: number }[] = [];
  log.events.forEach(({ event }, at) => {
    if (event.type !== 'assistant' || event.message.model === '<synthetic>' || threadOf(event) !== thread) return;
    if (found.some(({ id }) => id === event.message.id)) return;
    const copies = log.events
      .map((one) => one.event)
      .filter((one) => one.type === 'assistant' && one.message.id === event.message.id);
    const most = (field: string) => Math.max(...copies.map(({ message }) => message.usage?.[field] ?? 0));
    const tokens = most('input_tokens') + most('cache_read_input_tokens') + most('cache_creation_input_tokens');
    found.push({ id: event.message.id, tokens, at });
  });
  return found.filter(({ tokens }) => tokens > 0);
}

function gapsOf(log: NaiveLog, calls: NaiveCall[], thread: string | null): Gap[] {
  for (const [order, call] of calls.entries()) orders.set(call, order);
  const contexts = contextsOf(log, thread);
  return contexts.slice(1).map((next, index) => {
    const previous = contexts[index] as (typeof contexts)[number];
    const between = log.events
      .slice(previous.at, next.at)
      .map(({ event }) => event)
      .filter((event) => threadOf(event) === thread);
    const gap: Gap = {
      delta: next.tokens - previous.tokens,
      chars: ownChars(log, previous.id),
      toolChars: 0,
      images: 0,
      compacted: false,
      preserved: undefined,
      results: [],
    };
    for (const event of between) {
      if (isBoundary(event)) {
        gap.compacted = true;
        gap.preserved = event.compact_metadata?.preserved_messages?.uuids;
      }
      if (event.type !== 'user') continue;
      const { content } = event.message;
      if (typeof content === 'string') gap.chars += content.length;
      else for (const block of content) addBlock(gap, block, event, calls);
    }
    return gap;
  });
}

function addBlock(gap: Gap, block: Raw, event: Raw, calls: NaiveCall[]): void {
  if (block.type === 'text') gap.chars += block.text.length;
  if (block.type !== 'tool_result') return;
  const { text, images } = seen(block.content);
  const call = calls.find(({ id }) => id === block.tool_use_id);
  gap.chars += text.length;
  gap.images += images;
  if (!call) return;
  gap.toolChars += text.length;
  gap.results.push({ call, chars: text.length, uuid: event.uuid, afterBoundary: gap.compacted });
}

/** A request's own output, each block once. */
function ownChars(log: NaiveLog, id: string): number {
  const said = log.events
    .map(({ event }) => event)
    .filter((event) => event.type === 'assistant' && event.message.id === id);
  const prose = said.flatMap(({ message }) => message.content).filter((block) => block.type !== 'tool_use');
  const uses = callsOf({ ...log, events: said.map((event) => ({ event, file: 0 })) });
  const proseChars = prose.reduce((sum, block) => sum + (block.text ?? block.thinking ?? '').length, 0);
  return uses.reduce((sum, { name, input }) => sum + name.length + JSON.stringify(input).length, proseChars);
}

const isBoundary = (event: Raw) =>
  event.type === 'system' && ['compact_boundary', 'compaction'].includes(event.subtype);
const countsAtAll = (gap: Gap) => gap.delta > 0 && !gap.compacted && gap.images === 0;
/** Between one and eight characters a token. */
const isPossible = (chars: number, { delta }: Gap) => chars / delta >= 1 && chars / delta <= 8;
const isGrowthOfText = (gap: Gap) => countsAtAll(gap) && isPossible(gap.chars, gap);
const exceeds = ({ toolChars, delta }: Gap, ratio: number) =>
  toolChars / ratio - delta > Math.max(200, (0.05 * toolChars) / ratio);
const total = (gaps: Gap[], field: 'chars' | 'toolChars' | 'delta') => gaps.reduce((sum, gap) => sum + gap[field], 0);
const lowerMedian = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
