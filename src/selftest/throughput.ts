import { check, type Section } from './check.js';
import {
  type Event,
  EXPLORE,
  ends,
  explore,
  filler,
  gives,
  measured,
  response,
  says,
  text,
  uses,
} from './transcript.js';

const usage = (input: number, output: number) => ({
  message: { usage: { input_tokens: input, output_tokens: output } },
});

/** Two main requests of 100 and 300 tokens, one of a subagent of 50, each with a streamed stub. */
const session: Event[] = [
  says('m1', 0, uses('t', 'Agent'), usage(100, 2)),
  says('s1', 0, uses('g', 'Grep'), { thread: 't', ...usage(50, 3) }),
  gives('g', 'x', { thread: 't' }),
  gives('t', 'report'),
  says('m2', 0, uses('s', 'ToolSearch'), usage(300, 4)),
  says('m2', 0, uses('r', 'Read'), usage(300, 4)),
  ends('a', { duration_ms: 1_000, total_cost_usd: 0.25, usage: { output_tokens: 40, input_tokens: 9_999 } }),
  ends('b', { duration_ms: 500, total_cost_usd: 0.75, usage: { output_tokens: 60 } }),
];
const second: Event[] = [ends('c', { duration_ms: 250, total_cost_usd: 0.5, usage: { output_tokens: 5 } })];

const okOf = async (...segments: Event[][]) => (await measured(...segments)).ok;

const explored = (id: string, lines: [number, string][]): Event[] => [
  says(`m-${id}`, 10, explore(id)),
  gives(id, response([{ path: 'lib/a.js', source: lines }])),
];

/** Section 6. */
export const throughputRules: Section = {
  title: '6 Throughput and behaviour',
  checks: [
    check('Tokens processed: prompts and streamed output of the distinct requests of all threads', 459, async () => {
      return (await measured(session)).tokensProcessed;
    }),
    check('… never result.usage, which may be zero', 459, async () => {
      const events = session.filter(({ type }) => type !== 'result');
      return (await measured([...events, ends('a', { usage: { input_tokens: 0, output_tokens: 0 } })])).tokensProcessed;
    }),
    check('Real output tokens, where the results give them, are apart: 40 + 60 + 5', 105, async () => {
      return (await measured(session, second)).outputTokens;
    }),
    check('Cost: the last cumulative figure of each segment, summed: 0.75 + 0.50', 1.25, async () => {
      return (await measured(session, second)).costUsd;
    }),
    check(
      'Hidden: what the results were charged for beyond the log, 400 + 9 tokens of which 100 + 2 stand in it',
      [300, 7, 409],
      async () => {
        const tokens = { inputTokens: 300, outputTokens: 9, cacheReadInputTokens: 90, cacheCreationInputTokens: 10 };
        const charged = { total_cost_usd: 1, usage: { output_tokens: 2 }, modelUsage: { a: tokens } };
        const { hidden, tokensPaid } = await measured([says('m1', 0, text('x'), usage(100, 2)), ends('x', charged)]);
        return [hidden.promptTokens, hidden.outputTokens, tokensPaid];
      },
    ),
    check('Duration: the sum over all results', 1_750, async () => (await measured(session, second)).durationMs),
    check('Turns: main-thread requests, and those of all threads apart', [2, 3], async () => {
      const { requests, requestsAllThreads } = await measured(session);
      return [requests, requestsAllThreads];
    }),
    check('Tool calls: all but ToolSearch, of all threads', 3, async () => (await measured(session)).toolCalls),
    check(
      'Calls are counted by name',
      { Agent: 1, Grep: 1, ToolSearch: 1, Read: 1 },
      async () => (await measured(session)).counts,
    ),
    check('ok: every prompt has a result, of subtype success and no error', [true, false], async () => [
      await okOf([says('m1', 1, text('a')), ends()]),
      await okOf([says('m1', 1, text('a')), ends()], [says('m2', 1, text('a'))]),
    ]),
    check('… an API failure is success with is_error: not ok', false, () =>
      okOf([ends('API Error', { is_error: true })]),
    ),
    check('… error_max_turns: not ok', false, () => okOf([ends('', { subtype: 'error_max_turns' })])),
    check("Retries, model fallbacks and a subagent's API Error are flagged", [1, ['haiku'], 1], async () => {
      const found = await measured([
        { type: 'system', subtype: 'api_retry', attempt: 1, error_status: 500 },
        { type: 'system', subtype: 'model_fallback', fallback_model: 'haiku' },
        says('m1', 1, uses('t', 'Agent')),
        gives('t', 'API Error: 400 bad'),
      ]);
      const { retries, fallbackModels, subagentErrors } = found.diagnostics;
      return [retries, fallbackModels, subagentErrors];
    }),
    check('Missing is null, not 0', [null, null, null], async () => {
      const { costUsd, durationMs, outputTokens } = await measured([says('m1', 1, text('a'))]);
      return [costUsd, durationMs, outputTokens];
    }),
  ],
};

/** Section 7. */
export const duplicateRules: Section = {
  title: '7 Duplicate residual',
  checks: [
    check(
      'A (file, line) pair that an earlier call delivered is duplicate, with its characters: 4 of 12',
      [12, 4],
      async () => {
        const first = explored('e', [
          [1, 'aaaa'],
          [2, 'bbbb'],
        ]);
        const { duplicates } = await measured([...first, ...explored('f', [[2, 'cccc']])]);
        return [duplicates.sourceChars, duplicates.duplicateChars];
      },
    ),
    check('A line that one call holds twice is not', 0, async () => {
      const events = explored('e', [
        [1, 'aaaa'],
        [1, 'aaaa'],
      ]);
      return (await measured(events)).duplicates.duplicateChars;
    }),
    check('No source: no share', null, async () => (await measured([says('m1', 1, text('a'))])).duplicates.share),
  ],
};

/** Section 8. */
export const subagentRules: Section = {
  title: '8 Subagent windows',
  checks: [
    check(
      'The same arithmetic for each subagent thread, beside the main one and never added to it',
      [[{ thread: 't', requests: 2, ctxBaseTokens: 1_000, ctxFinalTokens: 3_000, tool: 2_000 }], 0],
      async () => {
        const found = await measured([
          says('m1', 100, uses('t', 'Agent')),
          says('s1', 1_000, uses('e', EXPLORE), { thread: 't' }),
          gives('e', filler(6_000), { thread: 't' }),
          says('s2', 3_000, text('.'), { thread: 't' }),
          gives('t', ''),
          says('m2', 110, text('.')),
        ]);
        const shown = found.subagents.map(({ residualTokens, ...rest }) => ({ ...rest, tool: residualTokens.tool }));
        return [shown, found.occupancy?.residualTokens.tool];
      },
    ),
  ],
};
