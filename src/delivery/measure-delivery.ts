import { mkdirSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type AgentHost, NO_ENGINE, runSession } from '../host/index.js';
import type { Delivery, DeliveryCase, DeliveryKind } from '../model/delivery.js';
import { fail, ok, type Result } from '../model/failure.js';
import { endTrialProcesses } from '../process/index.js';
import { CHARS_PER_TOKEN, type RehearsalScript, startRehearsal } from '../rehearsal/index.js';
import { BUNDLES } from '../util/package.js';
import { makeAnswer } from './answers.js';
import { compareDelivery, type ShownPart } from './compare.js';
import { SERVER, TOOL } from './names.js';

export interface DeliverySpec {
  host: AgentHost;
  program: { path: string; version: string };
  callerEnvironment: Record<string, string>;
  /** The caller's to remove. */
  temporaryRoot: string;
  kinds: readonly DeliveryKind[];
  sizes: number[];
  /** Values of MAX_MCP_OUTPUT_TOKENS; null: not set. One session of the host for each. */
  limits: (number | null)[];
  signal: AbortSignal;
}

const PROMPT = 'Ask for every answer, one after the other.';
const DEADLINE_MS = 5 * 60_000;
/** Far from a compaction, whatever the answers are. */
const USAGE = { inputTokens: 1_000, outputTokens: 10 };

/**
 * Measures what the host lets the model see of long answers of an MCP server: the real host with a scripted model, whose next request
 * is compared with what the server sent. Costs nothing. Fails if a session cannot be run.
 */
export async function measureDelivery(spec: DeliverySpec): Promise<Result<Delivery>> {
  const cases: DeliveryCase[] = [];
  for (const limit of spec.limits) {
    const measured = await measureWithLimit(spec, limit);
    if (!measured.ok) return measured;
    cases.push(...measured.value);
  }
  const facts = { host: spec.host.log.name, hostVersion: spec.program.version, charsPerToken: CHARS_PER_TOKEN };
  return ok({ formatVersion: 1, ...facts, cases });
}

async function measureWithLimit(spec: DeliverySpec, limit: number | null): Promise<Result<DeliveryCase[]>> {
  const asked = spec.kinds.flatMap((kind) => spec.sizes.map((chars) => ({ kind, chars })));
  const root = realpathSync(mkdtempSync(join(spec.temporaryRoot, 'ae-')));
  const script: RehearsalScript = ({ step }) => {
    const input = asked[step];
    if (input === undefined) return { text: 'Done.', usage: USAGE };
    return { toolCalls: [{ name: `mcp__${SERVER}__${TOOL}`, input }], usage: USAGE };
  };
  const rehearsal = await startRehearsal(script);
  const trialId = `delivery@${root}`;
  try {
    const ran = await runHost(spec, { root, trialId, limit }, rehearsal.environment(KEY));
    if (!ran.ok) return ran;
    const bodies = rehearsal.requests().flatMap(({ kind, body }) => (kind === 'messages' ? [body] : []));
    const results = firstShown(bodies);
    if (results.length !== asked.length) return incomplete(results.length, asked.length);
    const { notices } = spec.host.log;
    return ok(
      asked.map(({ kind, chars }, index): DeliveryCase => {
        const shown = results[index] ?? '';
        const compared = compareDelivery(makeAnswer(kind, chars), shown, readIfThere);
        const text = typeof shown === 'string' ? shown : shown.map((part) => part.text ?? '').join('');
        const isNoticeKnown = compared.state === 'whole' ? null : notices.noticeIn(text) !== undefined;
        return { kind, limitTokens: limit, ...compared, words: withoutPaths(compared.words, root), isNoticeKnown };
      }),
    );
  } finally {
    await endTrialProcesses(trialId);
    await rehearsal.stop();
  }
}

const KEY = { task: 'delivery', arm: 'delivery', repetition: 1 };

async function runHost(
  spec: DeliverySpec,
  { root, trialId, limit }: { root: string; trialId: string; limit: number | null },
  rehearsalEnvironment: Record<string, string>,
): Promise<Result<void>> {
  const workspace = join(root, 'w');
  mkdirSync(workspace);
  const prepared = await spec.host.prepare({
    trialRoot: root,
    trialId,
    identity: NO_ENGINE.identity,
    engineVariables: limit === null ? undefined : { MAX_MCP_OUTPUT_TOKENS: String(limit) },
    mcpServer: { name: SERVER, command: process.execPath, args: [BUNDLES.deliveryServer], env: {} },
    hookScript: BUNDLES.hook,
    hostPath: spec.program.path,
    callerEnvironment: spec.callerEnvironment,
    rehearsalEnvironment,
    toolSearch: false,
  });
  if (!prepared.ok) return prepared;
  const log = join(root, 'delivery.jsonl');
  const { failure } = await runSession({
    host: spec.host,
    isolation: prepared.value,
    settings: { model: 'sonnet', effort: 'high', maxBudgetUsd: 4 },
    prompts: [PROMPT],
    cwd: workspace,
    logFiles: [log],
    errFiles: [`${log}.err`],
    segmentDeadlineMs: DEADLINE_MS,
    idleMs: DEADLINE_MS,
    signal: spec.signal,
  });
  return failure ? fail(failure) : ok(undefined);
}

const requestSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});
const resultSchema = z.looseObject({
  type: z.literal('tool_result'),
  content: z.union([
    z.string(),
    z.array(
      z.looseObject({
        type: z.string(),
        text: z.string().optional(),
        source: z.looseObject({ data: z.string().optional() }).optional(),
      }),
    ),
  ]),
});

/** Returns each result as the first request after its call held it: a later one may hold less. */
function firstShown(bodies: unknown[]): (string | ShownPart[])[] {
  const shown: (string | ShownPart[])[] = [];
  for (const body of bodies) shown.push(...toolResults(body).slice(shown.length));
  return shown;
}

/** The contents of all tool results in a request to the Messages API, in order. */
function toolResults(body: unknown): (string | ShownPart[])[] {
  const request = requestSchema.safeParse(body);
  if (!request.success) return [];
  return request.data.messages.flatMap(({ role, content }) => {
    if (role !== 'user' || !Array.isArray(content)) return [];
    return content.flatMap((part) => {
      const parsed = resultSchema.safeParse(part);
      return parsed.success ? [parsed.data.content] : [];
    });
  });
}

function incomplete(found: number, expected: number): Result<never> {
  return fail({
    reason: 'unexpected',
    message: `the requests of the host held ${found} results of ${expected} calls`,
  });
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** A path of this machine says nothing about the host. */
function withoutPaths(words: string | null, root: string): string | null {
  return words?.replace(new RegExp(`${root}\\S*/`, 'g'), '…/') ?? null;
}
