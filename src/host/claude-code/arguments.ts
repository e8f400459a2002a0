import { fail, ok, type Result } from '../../model/failure.js';
import type { SessionFiles, SessionSettings } from '../agent-host.js';

/**
 * The whole command line of a segment; the prompt goes to standard input. Equal in every segment of a session but for
 * `--resume`, which names the session that the segment before ended in.
 */
export function claudeArguments(
  isolation: SessionFiles,
  settings: SessionSettings,
  resumeId?: string,
): [string, ...string[]] {
  const output = ['-p', '--output-format', 'stream-json', '--verbose', '--include-hook-events'];
  const clean = ['--permission-mode', 'bypassPermissions', '--setting-sources', '', '--strict-mcp-config'];
  const files = ['--mcp-config', isolation.mcpConfigFile, '--settings', isolation.settingsFile];
  const { model, effort, maxBudgetUsd } = settings;
  const regime = ['--model', model, '--effort', effort, '--max-budget-usd', String(maxBudgetUsd)];
  const resume = resumeId === undefined ? [] : ['--resume', resumeId];
  return [isolation.hostPath, ...output, ...clean, ...files, ...regime, ...resume];
}

/**
 * Checks that a prompt reaches the model as it was written (docs/claude-code.md, "Prompts"). Fails for an empty prompt,
 * on which the CLI fails, for a prompt that starts with a slash, which is taken for a command and answered without the
 * model, and for a prompt that contains `@path`, because the CLI reads that file itself and does not log it. Rewriting
 * a prompt in silence would measure another prompt than the one that was named.
 */
export function checkPrompt(prompt: string): Result<void> {
  const refuse = (message: string, advice: string) => fail({ reason: 'bad-input', message, advice });
  const shown = prompt.length > 60 ? `${prompt.slice(0, 60)}…` : prompt;
  if (prompt.trim() === '') return refuse('a prompt is empty', 'write a prompt, or leave it out');
  if (prompt.startsWith('/')) {
    return refuse(
      `the prompt "${shown}" starts with a slash: claude takes it for one of its own commands`,
      'start it with another word',
    );
  }
  const mention = /(?:^|\s)(@["\w./~-]\S*)/.exec(prompt)?.[1];
  if (mention === undefined) return ok(undefined);
  return refuse(
    `the prompt "${shown}" holds ${mention}: claude reads such a file itself, and no log shows it`,
    'name it without the @, or put it in backticks',
  );
}
