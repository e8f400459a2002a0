import { CallMaker, type MadeCall } from './generated-calls.js';
import { expectedOf } from './generated-expected.js';
import { words } from './generated-explore.js';
import { MadeThread } from './generated-thread.js';
import { Random } from './random.js';

export type Event = Record<string, unknown>;

/** A session's segments as events, and its measure as far as it follows from what was decided. */
export interface MadeSession {
  segments: Event[][];
  expected: ReturnType<typeof expectedOf>;
}

/** What a session came to, for its expected measure. */
export interface Made {
  threads: MadeThread[];
  /** Every call whose result was written, in order. */
  calls: MadeCall[];
  segments: { results: { costUsd: number; durationMs: number; outputTokens: number }[] }[];
  answer: string;
  tokensProcessed: number;
  retries: number;
}

/**
 * A session decided by a seed: what each request adds, what the window sheds or a compaction keeps, what follows each
 * explore. Every result is a whole number of tokens at the session's ratio, and nothing else adds to a growing gap with
 * results, so that the ratio and with it every figure is exact. `wild`: lengths and growth at random; no figure is expected
 * to be exact then.
 */
export function generateSession(seed: number, wild = false): MadeSession {
  return new Generator(new Random(seed), wild).run();
}

class Generator {
  private readonly ratio: number;
  private readonly maker: CallMaker;
  private readonly main = new MadeThread(null);
  private readonly made: Made = {
    threads: [this.main],
    calls: [],
    segments: [],
    answer: '',
    tokensProcessed: 0,
    retries: 0,
  };
  private readonly segments: Event[][] = [[]];
  private order = 0;
  private messages = 0;

  constructor(
    private readonly random: Random,
    private readonly wild: boolean,
  ) {
    this.ratio = random.pick([2, 2.5, 3.2, 4]);
    this.maker = new CallMaker(random, (least) => {
      const tokens = Math.max(random.pick([20, 200, 1_000, 4_000]), Math.ceil(least / this.ratio));
      return Math.ceil(tokens / 10) * 10 * this.ratio + (wild ? random.int(0, 60) : 0);
    });
  }

  run(): MadeSession {
    const { random, main } = this;
    const prompts = random.int(1, 3);
    for (let prompt = 0; prompt < prompts; prompt++) {
      if (prompt > 0) this.segments.push([]);
      this.emit({
        type: 'system',
        subtype: 'init',
        tools: ['Bash'],
        mcp_servers: [{ name: 'codegraph', status: 'connected' }],
      });
      const steps = random.int(1, 7);
      for (let step = 0; step < steps; step++) this.step(main, true);
      this.say(main, 'the part is done', []);
      main.ctx += random.int(10, 400);
      this.finishPrompt(prompt === prompts - 1);
    }
    for (const thread of this.made.threads) thread.close();
    return { segments: this.segments, expected: expectedOf(this.made, this.ratio) };
  }

  private emit(event: Event): void {
    this.segments.at(-1)?.push({ session_id: 's', ...event });
  }

  /** One request with calls, their results, and what the window made of them. */
  private step(thread: MadeThread, canDelegate: boolean): void {
    const { random } = this;
    const isFirst = thread.requests === 0;
    const calls = isFirst
      ? [this.opening()]
      : Array.from({ length: random.pick([1, 1, 2, 3, 4]) }, () => this.maker.make(canDelegate));
    const request = this.say(thread, words(random.int(0, 80)), calls);
    const delegations = thread.judge(calls, request, this.order);
    this.order += calls.length;
    this.made.calls.push(...calls);
    const children = this.runDelegates(thread, calls);
    for (const { explore, delegate } of delegations) thread.settleDelegation(explore, children.get(delegate.id));
    this.noise();
    this.giveResults(thread, calls);
  }

  /** A first result that is long enough to tell the ratio. */
  private opening(): MadeCall {
    const call = this.maker.makeKind('read');
    const chars = 1_500 * this.ratio;
    return { ...call, content: words(chars), chars };
  }

  /** The events of a request, a block each; usages may grow from one to the next. Returns the message's id. */
  private say(thread: MadeThread, text: string, calls: MadeCall[]): string {
    const { random } = this;
    const id = `m${this.messages++}`;
    if (thread.requests === 0) {
      if (thread !== this.main) this.made.threads.push(thread);
      thread.ctx = random.int(8_000, 30_000);
      thread.base = thread.ctx;
    }
    thread.requests++;
    thread.finalTokens = thread.ctx;
    const cached = random.int(0, thread.ctx);
    const created = random.int(0, thread.ctx - cached);
    const final = [thread.ctx - cached - created, cached, created, random.int(1, 9)];
    this.made.tokensProcessed += thread.ctx + (final[3] ?? 0);
    const blocks: Event[] = [
      ...(random.chance(0.5) ? [{ type: 'thinking', thinking: words(random.int(0, 30)) }] : []),
      ...(text === '' && calls.length > 0 ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id: call, name, input }) => ({ type: 'tool_use', id: call, name, input })),
    ];
    const grows = random.chance(0.3);
    blocks.forEach((block, at) => {
      const isLast = at === blocks.length - 1;
      const [input, read, create, output] = final.map((value) => (grows && !isLast ? random.int(0, value) : value));
      const usage = {
        input_tokens: input,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: create,
        output_tokens: output,
      };
      const message = { id, model: 'claude-sonnet-5', role: 'assistant', content: [block], usage };
      this.emit({ type: 'assistant', message, parent_tool_use_id: thread.id });
      // A later copy holds the same call once more.
      if (block.type === 'tool_use' && random.chance(0.1))
        this.emit({ type: 'assistant', message, parent_tool_use_id: thread.id });
    });
    return id;
  }

  /** Runs the subagents of a message side by side, a step of one, then of another. */
  private runDelegates(thread: MadeThread, calls: MadeCall[]): Map<string, MadeThread> {
    const { random } = this;
    const children = new Map<string, MadeThread>();
    const waiting = calls.flatMap((call) => {
      if (thread.id !== null || call.meaning.kind !== 'delegate' || random.chance(0.2)) return [];
      const child = new MadeThread(call.id);
      children.set(call.id, child);
      return [{ child, steps: random.int(1, 3) }];
    });
    while (waiting.length > 0) {
      const next = random.pick(waiting);
      this.step(next.child, false);
      if (--next.steps > 0) continue;
      this.say(next.child, 'found it', []);
      waiting.splice(waiting.indexOf(next), 1);
    }
    return children;
  }

  private giveResults(thread: MadeThread, calls: MadeCall[]): void {
    const { random } = this;
    const uuids = new Map(calls.map(({ id }) => [id, `u-${id}`]));
    const compacts = thread.requests > 1 && random.chance(0.1);
    const hasList = compacts && random.chance(0.6);
    // With a list the boundary stands after the last result, as the CLI writes it.
    const boundaryAt = hasList ? calls.length : random.int(0, calls.length);
    const kept = new Set(
      hasList ? [...thread.queue.map(({ uuid }) => uuid), ...uuids.values()].filter(() => random.chance(0.4)) : [],
    );
    const boundary = () => {
      const metadata = hasList ? { trigger: 'auto', preserved_messages: { uuids: [...kept] } } : { trigger: 'auto' };
      this.emit({
        type: 'system',
        subtype: random.pick(['compact_boundary', 'compaction']),
        compact_metadata: metadata,
        parent_tool_use_id: thread.id,
      });
      const summary = { role: 'user', content: 'This session is being continued.' };
      this.emit({ type: 'user', isSynthetic: true, message: summary, parent_tool_use_id: thread.id });
    };
    random.shuffled(calls).forEach((call, at) => {
      if (compacts && at === boundaryAt) boundary();
      const result = {
        type: 'tool_result',
        tool_use_id: call.id,
        content: call.content,
        ...(call.isError ? { is_error: true } : {}),
      };
      this.emit({
        type: 'user',
        uuid: uuids.get(call.id),
        message: { role: 'user', content: [result] },
        parent_tool_use_id: thread.id,
      });
    });
    if (compacts && boundaryAt === calls.length) boundary();
    if (compacts && !hasList) thread.compact(() => false);
    for (const call of calls) thread.join(call, call.chars / this.ratio, `u-${call.id}`);
    if (hasList) thread.compact(({ uuid }) => kept.has(uuid));
    if (this.wild) thread.ctx = Math.max(1, thread.ctx + random.int(-2_000, 9_000));
    else if (compacts) thread.ctx = random.int(4_000, 12_000);
    else this.grow(thread, calls);
  }

  /** By how much the window grows: by the results, by less where it sheds, by more where images are among them. */
  private grow(thread: MadeThread, calls: MadeCall[]): void {
    const { random } = this;
    const tokens = calls.reduce((sum, { chars }) => sum + chars, 0) / this.ratio;
    const images = calls.reduce((sum, call) => sum + call.images, 0);
    if (images > 0) {
      thread.ctx += tokens + 800 * images;
      return;
    }
    // Far enough from the ratio to be told from the others, and never most of the gaps that tell it.
    const sheds = tokens >= 1_000 && thread.cleanGaps > thread.shedGaps && random.chance(0.25);
    // What is left of the growth is less than any text of these characters takes.
    const wanted = sheds ? Math.ceil(tokens * (1 - this.ratio / 9 + 0.6 * random.next())) : 0;
    const shed = thread.ctx + tokens - wanted < 3_000 ? 0 : wanted;
    thread.shed(shed);
    const delta = tokens - shed;
    thread.ctx += delta;
    this.noteGap(thread, delta, tokens);
  }

  /** The gap's place in the calibration; its prose is read off the events since the request before. */
  private noteGap(thread: MadeThread, delta: number, tokens: number): void {
    if (delta <= 0) return;
    const chars = tokens * this.ratio;
    const all = chars + this.lastProse(thread);
    if (all <= 500 || chars / all < 0.8) return;
    if (delta < tokens) thread.shedGaps++;
    else thread.cleanGaps++;
    if (chars / all >= 0.95) thread.errors.push((tokens - delta) / delta);
  }

  private lastProse(thread: MadeThread): number {
    const own = (this.segments.at(-1) ?? []).filter(
      (event) => event.type === 'assistant' && event.parent_tool_use_id === thread.id,
    );
    const messages = own
      .map(({ message }) => message as { id: string; model: string; content: Event[] })
      .filter(({ model }) => model !== '<synthetic>');
    const last = messages.filter(({ id }) => id === messages.at(-1)?.id).flatMap(({ content }) => content);
    const distinct = last.filter(
      (block, at) => block.type !== 'tool_use' || last.findIndex(({ id }) => id === block.id) === at,
    );
    return distinct.reduce((sum, block) => {
      if (block.type === 'tool_use') return sum + JSON.stringify(block.input).length + String(block.name).length;
      return sum + String(block.thinking ?? block.text).length;
    }, 0);
  }

  /** Events that say nothing about the model. */
  private noise(): void {
    const { random } = this;
    if (random.chance(0.1)) {
      const usage = { input_tokens: 0, output_tokens: 0 };
      const message = {
        id: `x${this.messages++}`,
        model: '<synthetic>',
        content: [{ type: 'text', text: words(900) }],
        usage,
      };
      this.emit({ type: 'assistant', message, parent_tool_use_id: null, error: 'server_error' });
    }
    if (random.chance(0.1)) {
      this.made.retries++;
      this.emit({ type: 'system', subtype: 'api_retry', attempt: 1, error_status: 529 });
    }
    if (random.chance(0.1)) this.emit({ type: 'system', subtype: 'thinking_tokens', estimated_tokens: 5 });
  }

  private finishPrompt(isLast: boolean): void {
    const { random } = this;
    const results = Array.from({ length: random.pick([1, 1, 1, 2]) }, (_, at) => ({
      ...{ costUsd: (at + 1) / 4, durationMs: random.int(100, 9_000), outputTokens: random.int(1, 500) },
    }));
    results.forEach(({ costUsd, durationMs, outputTokens }, at) => {
      const text = isLast && at === results.length - 1 ? this.answer() : 'so far';
      this.made.answer += `${text}\n\n`;
      const usage = { output_tokens: outputTokens };
      this.emit({
        type: 'result',
        subtype: 'success',
        is_error: false,
        result: text,
        duration_ms: durationMs,
        total_cost_usd: costUsd,
        usage,
      });
    });
    this.made.segments.push({ results });
  }

  /** Cites some of the files by path, some by symbol, and leaves some out. */
  private answer(): string {
    const sections = new Map(
      this.made.calls.flatMap((call) => call.sections).map((section) => [section.path, section]),
    );
    const cited = [...sections.values()].flatMap(({ path, symbol }) =>
      this.random.pick([[`See ${path}:12.`], [`It is in \`${symbol}\`.`], []]),
    );
    return ['The flow is this.', ...cited].join(' ');
  }
}
