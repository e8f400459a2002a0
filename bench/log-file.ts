import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * Writes logs as the host does, for timing the readers. The make-up of a step: a thinking block, in every third step a line
 * of text, one tool call (each block an event of its own with the whole usage), the result with its `tool_use_result`
 * beside it, and a `thinking_tokens` event. Calls: 25 % explore (of a pool of 40 answers of 8 to 26 KB), 35 % Read (4 to 14 KB),
 * 30 % Bash (0.2 to 8 KB), 10 % Edit (a short result; `tool_use_result` holds the file). One text in 20 and every answer of an
 * explore hold characters beyond ASCII. `fresh`: no text comes twice, instead of from pools that all logs share.
 */
export function writeLog(file: string, bytes: number, seed: number, fresh = false): void {
  const random = randomFrom(seed);
  pool ??= makePool(randomFrom(1));
  const texts = fresh ? freshTexts(random) : pooledTexts(pool, random);
  const fd = openSync(file, 'w');
  let parts: string[] = [
    line({ type: 'system', subtype: 'init', session_id: SESSION, tools: ['Read', 'Bash', EXPLORE] }),
  ];
  let pending = 0;
  let written = 0;
  for (let step = 0; written < bytes; step++) {
    const lines = stepLines(step, random, texts);
    parts.push(lines);
    pending += lines.length;
    if (pending < CHUNK && written + pending < bytes) continue;
    written += writeSync(fd, parts.join(''));
    parts = [];
    pending = 0;
  }
  const end = { type: 'result', subtype: 'success', is_error: false, duration_ms: 1, total_cost_usd: 1, num_turns: 9 };
  writeSync(fd, line({ ...end, result: 'It starts in `dispatch`, in lib/part7.js.', session_id: SESSION }));
  closeSync(fd);
}

const SESSION = '3f0c2b54-7a58-4a63-9a0e-1f1f5f0f7a11';
const EXPLORE = 'mcp__codegraph__codegraph_explore';
const CHUNK = 4_000_000;

/** The same for every log: runs of one task are answered from one index. */
let pool: Pool | undefined;

/** JSON of texts, by what they are: answers, files numbered as Read shows them, outputs of Bash, the model's own words. */
type Kind = 'explore' | 'file' | 'output' | 'thought';
type Pool = Record<Kind, string[]>;
type Texts = (kind: Kind) => string;

const POOL_SIZES = { explore: 40, file: 200, output: 200, thought: 100 };

function makePool(random: () => number): Pool {
  const many = (kind: Kind) => Array.from({ length: POOL_SIZES[kind] }, (_, index) => makeText(kind, index, random));
  return { explore: many('explore'), file: many('file'), output: many('output'), thought: many('thought') };
}

function pooledTexts(pool: Pool, random: () => number): Texts {
  return (kind) => pool[kind][Math.floor(random() * pool[kind].length)] ?? '""';
}

function freshTexts(random: () => number): Texts {
  let count = 0;
  return (kind) => makeText(kind, count++, random);
}

function makeText(kind: Kind, index: number, random: () => number): string {
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low));
  const beyond = index % 20 === 0 ? ' // größer als 5 €' : '';
  switch (kind) {
    case 'explore':
      return JSON.stringify(exploreText(between(8_000, 26_000), random, beyond));
    case 'file':
      return JSON.stringify(source(1, between(4_000, 14_000), random) + beyond);
    case 'output':
      return JSON.stringify(source(0, between(200, 8_000), random) + beyond);
    case 'thought':
      return JSON.stringify(source(0, between(200, 900), random));
  }
}

const WORDS =
  'const return function route layer dispatch next handler (req, res) => { } if (path === stack.match) this.params'.split(
    ' ',
  );

/** Lines of code of this many characters; numbered from `first`, unless that is 0. */
function source(first: number, chars: number, random: () => number): string {
  let text = '';
  for (let number = first; text.length < chars; number++) {
    const words = Array.from(
      { length: 3 + Math.floor(random() * 8) },
      () => WORDS[Math.floor(random() * WORDS.length)],
    );
    text += `${first > 0 ? `${number}\t` : ''}  ${words.join(' ')}\n`;
  }
  return text;
}

function exploreText(chars: number, random: () => number, extra: string): string {
  const count = 2 + Math.floor(random() * 5);
  const sections = Array.from({ length: count }, () => {
    const path = `lib/part${Math.floor(random() * 60)}.js`;
    const first = 1 + Math.floor(random() * 300);
    return `**\`${path}\`** — dispatch(function), handle(method), next(calls)\n\n\`\`\`javascript\n${source(first, chars / count, random)}\`\`\`\n\n`;
  });
  return `**Exploration: dispatch handle**\n\nFound 49 symbols across ${count} files.${extra}\n\n**Source Code**\n\n${sections.join('')}> Some file sections were trimmed for size.`;
}

function stepLines(step: number, random: () => number, texts: Texts): string {
  const call = `toolu_01${step.toString(36).padStart(22, '0')}`;
  const kind = random();
  const tool = kind < 0.25 ? EXPLORE : kind < 0.6 ? 'Read' : kind < 0.9 ? 'Bash' : 'Edit';
  const usage = {
    ...{ input_tokens: 3, cache_creation_input_tokens: 900, cache_read_input_tokens: 20_000 + (step % 60) * 2_500 },
    ...{ cache_creation: { ephemeral_5m_input_tokens: 900, ephemeral_1h_input_tokens: 0 } },
    ...{ output_tokens: 2, service_tier: 'standard', inference_geo: 'not_available' },
  };
  const says = (block: string) =>
    `{"type":"assistant","message":{"model":"claude-sonnet-5","id":"msg_01${call.slice(8)}","type":"message","role":"assistant","content":[${block}],"stop_reason":null,"stop_sequence":null,"usage":${JSON.stringify(usage)},"context_management":null},"parent_tool_use_id":null,"session_id":"${SESSION}","uuid":"${uuid(random)}","request_id":"req_01${call.slice(8)}"}\n`;
  const content = texts(tool === EXPLORE ? 'explore' : tool === 'Read' ? 'file' : 'output');
  const shown = tool === 'Edit' ? '"The file has been updated."' : content;
  const beside =
    tool === 'Bash' ? `{"stdout":${content},"stderr":"","interrupted":false}` : `{"file":{"content":${content}}}`;
  const block = tool === EXPLORE ? `[{"type":"text","text":${shown}}]` : shown;
  return [
    `{"type":"system","subtype":"thinking_tokens","estimated_tokens":50,"session_id":"${SESSION}","uuid":"${uuid(random)}"}\n`,
    says(`{"type":"thinking","thinking":${texts('thought')},"signature":"${'Eq'.repeat(150)}"}`),
    ...(step % 3 === 0 ? [says(`{"type":"text","text":${texts('thought')}}`)] : []),
    says(
      `{"type":"tool_use","id":"${call}","name":"${tool}","input":${inputOf(tool, step)},"caller":{"type":"direct"}}`,
    ),
    `{"type":"user","message":{"role":"user","content":[{"tool_use_id":"${call}","type":"tool_result","content":${block}}]},"parent_tool_use_id":null,"session_id":"${SESSION}","uuid":"${uuid(random)}","timestamp":"2026-01-01T00:00:00.000Z","tool_use_result":${beside}}\n`,
  ].join('');
}

function inputOf(tool: string, step: number): string {
  if (tool === EXPLORE) return JSON.stringify({ query: `dispatch handle ${step % 40}` });
  if (tool === 'Bash')
    return JSON.stringify({ command: `grep -rn 'dispatch${step % 500}' lib`, description: 'Search' });
  const file = { file_path: `/tmp/workspaces/express/lib/part${step % 60}.js` };
  return JSON.stringify(tool === 'Read' ? file : { ...file, old_string: 'a'.repeat(200), new_string: 'b'.repeat(300) });
}

function uuid(random: () => number): string {
  const digits = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return `${digits()}-${digits().slice(4)}-4000-8000-${digits()}${digits().slice(4)}`;
}

function line(event: unknown): string {
  return `${JSON.stringify(event)}\n`;
}

/** Numbers of [0, 1), the same for the same seed (a linear congruential generator; its low bits are left out). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 4) / 2 ** 28;
  };
}
