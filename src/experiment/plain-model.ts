import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentHost, allowedEnvironment } from '../host/index.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { AskModel, ModelFailure, ModelQuestion } from '../model/judge.js';
import { type CommandOutcome, runCommand, tailLines } from '../process/index.js';
import type { Teardown } from '../util/teardown.js';
import type { ExperimentContext } from './experiment-request.js';
import { openRehearsal } from './rehearsal.js';

/** A model that is asked single questions through `claude`, without tools, files, memory or hooks. */
export interface PlainModel {
  ask: AskModel;
  cliVersion: string;
}

const DEADLINE_MS = 5 * 60_000;
/** What `claude --bare` can log in with: it reads no OAuth file and no keychain. */
const KEYS = /^(ANTHROPIC_API_KEY|CLAUDE_CODE_USE_(BEDROCK|VERTEX|FOUNDRY))$/;

/**
 * Opens a model for single questions. Every question runs in an empty folder below `temporaryRoot`, with a HOME and a configuration of its
 * own, and nothing of it is left. Fails with 'environment-unfit' if there is no `claude`, or no login that it takes.
 */
export async function openPlainModel(
  { options, environment, signal }: Pick<ExperimentContext, 'options' | 'environment' | 'signal'>,
  { temporaryRoot, teardown }: { temporaryRoot: string; teardown: Teardown },
): Promise<Result<PlainModel>> {
  const host = agentHost();
  const claude = await host.locate(environment.PATH ?? '', environment);
  if (!claude.ok) return claude;
  const helper = host.login.apiKeyHelper(environment);
  const hasKey = Object.entries(environment).some(([name, value]) => value !== '' && KEYS.test(name));
  if (!options.rehearsal && !hasKey && helper === undefined) {
    return fail({
      reason: 'environment-unfit',
      message: 'the model that grades runs as `claude --bare`, which reads no OAuth login',
      advice: 'set ANTHROPIC_API_KEY, or an apiKeyHelper in your settings',
    });
  }
  const rehearsal = await openRehearsal(options, teardown);
  if (!rehearsal.ok) return rehearsal;
  const scripted = rehearsal.value;
  const settings = scripted || helper === undefined ? {} : { apiKeyHelper: helper };
  const ask: AskModel = async (question) => {
    const root = mkdtempSync(join(temporaryRoot, 'ask-'));
    try {
      const own = scripted && {
        ...scripted(question.key),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        NO_PROXY: '127.0.0.1,localhost',
        no_proxy: '127.0.0.1,localhost',
      };
      const outcome = await runCommand({
        argv: commandLine(claude.value.path, question, writeSettings(root, settings)),
        cwd: folder(root, 'empty'),
        env: {
          ...allowedEnvironment(environment, scripted ? [] : host.login.variables),
          ...host.sessionVariables({ toolSearch: false }),
          ...own,
          PATH: environment.PATH ?? '',
          HOME: folder(root, 'home'),
          CLAUDE_CONFIG_DIR: folder(root, 'config'),
          TMPDIR: folder(root, 'tmp'),
        },
        stdin: question.prompt,
        deadlineMs: DEADLINE_MS,
        signal,
      });
      return readReply(outcome, question);
    } finally {
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    }
  };
  return ok({ ask, cliVersion: claude.value.version });
}

function commandLine(claudePath: string, question: ModelQuestion, settingsFile: string): [string, ...string[]] {
  const { system, schema, model, effort, maxUsd } = question;
  return [
    ...([claudePath, '-p', '--bare', '--tools', '', '--no-session-persistence', '--output-format', 'json'] as const),
    ...['--setting-sources', '', '--strict-mcp-config', '--settings', settingsFile, '--system-prompt', system],
    ...(schema ? ['--json-schema', JSON.stringify(schema)] : []),
    ...['--model', model, '--effort', effort, '--max-budget-usd', maxUsd.toFixed(4)],
  ];
}

function folder(root: string, name: string): string {
  mkdirSync(join(root, name));
  return join(root, name);
}

function writeSettings(root: string, settings: object): string {
  const file = join(root, 'settings.json');
  writeFileSync(file, JSON.stringify(settings));
  return file;
}

interface CliResult {
  subtype?: unknown;
  is_error?: unknown;
  result?: unknown;
  structured_output?: unknown;
  total_cost_usd?: unknown;
}

/** Reads what `claude --output-format json` printed. */
function readReply(outcome: CommandOutcome, { schema }: ModelQuestion): Awaited<ReturnType<AskModel>> {
  const refuse = (message: string, isTransient: boolean, costUsd = 0): { ok: false; failure: ModelFailure } => ({
    ok: false,
    failure: { message, costUsd, isTransient },
  });
  if (outcome.ended === 'aborted') return refuse('it was interrupted', false);
  if (outcome.ended !== 'exited') return refuse(`claude did not end by itself (${outcome.ended})`, true);
  const result = parseResult(outcome.stdout);
  if (!result) return refuse(`claude printed no result: ${tailLines(outcome, 2).join(' / ')}`, true);
  const costUsd = typeof result.total_cost_usd === 'number' ? result.total_cost_usd : 0;
  const text = typeof result.result === 'string' ? result.result : '';
  const subtype = String(result.subtype ?? 'no subtype');
  if (subtype !== 'success' || result.is_error === true) {
    const said = text === '' ? '' : `: ${text.slice(0, 200)}`;
    return refuse(`the model gave no reply (${subtype}${said})`, subtype !== 'error_max_budget_usd', costUsd);
  }
  if (schema && result.structured_output === undefined) {
    return refuse('the model replied in prose, without the JSON that was asked for', true, costUsd);
  }
  return { ok: true, reply: { text, structured: result.structured_output, costUsd } };
}

function parseResult(stdout: string): CliResult | undefined {
  try {
    const value: unknown = JSON.parse(stdout);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
