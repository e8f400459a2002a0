import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { runCommand } from '../../src/process/index.js';
import { HOOK_MARKER } from '../../src/shell/index.js';

// The compiled hook, run as the CLI runs it: a node process with the identity file as its argument.
const hook = fileURLToPath(new URL('../../dist/hook-bundle/no-cli-shim.js', import.meta.url));
let dir = '';
let identityFile = '';

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'hook-'));
  identityFile = join(dir, 'identity.json');
  writeFileSync(identityFile, JSON.stringify(codegraphProfile.identity));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function run(stdin: string, ...args: string[]) {
  return await runCommand({ argv: [process.execPath, hook, ...args], cwd: dir, stdin, deadlineMs: 20_000 });
}

function input(command: string, more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    session_id: 's',
    cwd: dir,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    ...more,
  });
}

async function call(command: string) {
  return await run(input(command), identityFile);
}

/** Expects deny JSON (docs/claude-code.md, "Hooks"), exit code 0 and nothing on standard error. Returns the reason. */
function expectDenial(outcome: Awaited<ReturnType<typeof run>>): string {
  expect(outcome.exitCode).toBe(0);
  expect(outcome.stderr).toBe('');
  const parsed = JSON.parse(outcome.stdout);
  expect(Object.keys(parsed)).toEqual(['hookSpecificOutput']);
  const { hookEventName, permissionDecision, permissionDecisionReason } = parsed.hookSpecificOutput;
  expect([hookEventName, permissionDecision]).toEqual(['PreToolUse', 'deny']);
  expect(permissionDecisionReason).toContain(HOOK_MARKER);
  expect(permissionDecisionReason).not.toMatch(/\//);
  return permissionDecisionReason;
}

function expectPass(outcome: Awaited<ReturnType<typeof run>>): void {
  expect([outcome.exitCode, outcome.stdout, outcome.stderr]).toEqual([0, '', '']);
}

describe('the hook', () => {
  it.each(['codegraph status', `X=code; \${X}graph explore foo`, 'npx -y @colbymchenry/codegraph status'])(
    'denies running the tool: %s',
    async (command) => {
      expect(expectDenial(await call(command))).toContain('running codegraph');
    },
  );

  it.each(['sqlite3 .codegraph/codegraph.db .tables', 'cat .c*/*.db'])(
    'denies reading the index: %s',
    async (command) => {
      expect(expectDenial(await call(command))).toContain("codegraph's index");
    },
  );

  it.each([
    'ls -la',
    'grep -rn codegraph .',
    'ls .codegraph',
    'echo "codegraph status"',
    'for f in *; do wc -l "$f"; done',
  ])('lets pass: %s', async (command) => expectPass(await call(command)));

  it('lets other tools pass', async () => {
    const text = JSON.stringify({ tool_name: 'Read', tool_input: { file_path: '/x' }, cwd: dir });
    expectPass(await run(text, identityFile));
  });

  it('reads scripts on the spot and follows links that earlier calls made', async () => {
    writeFileSync(join(dir, 'go.sh'), 'codegraph status\n');
    mkdirSync(join(dir, '.codegraph'), { recursive: true });
    writeFileSync(join(dir, '.codegraph', 'codegraph.db'), 'x');
    symlinkSync(join(dir, '.codegraph', 'codegraph.db'), join(dir, 'notes.txt'));
    expectDenial(await call('bash go.sh'));
    expectDenial(await call('cat notes.txt'));
    expectPass(await call('cat go.sh'));
  });
});

describe('shells other than Bash', () => {
  it.each([
    ['Monitor', 'codegraph explore x'],
    ['PowerShell', "& 'C:\\Users\\me\\npm\\codegraph.ps1' explore x"],
  ])('%s is judged by the same rules', async (tool, command) => {
    expectDenial(await run(input(command, { tool_name: tool }), identityFile));
    expectPass(await run(input('npm test', { tool_name: tool }), identityFile));
  });

  it('a Monitor without a command passes only where it listens to a web socket', async () => {
    const monitor = (toolInput: object) => input('', { tool_name: 'Monitor', tool_input: toolInput });
    expectPass(await run(monitor({ ws: { url: 'ws://127.0.0.1:1' } }), identityFile));
    expectDenial(await run(monitor({ description: 'd' }), identityFile));
  });
});

describe('the hook’s own errors deny in the same form', () => {
  it.each([
    ['no JSON', 'not json'],
    ['nothing at all', ''],
    ['no object', '[]'],
    ['no command', JSON.stringify({ tool_name: 'Bash', tool_input: {} })],
    ['a command that is no text', JSON.stringify({ tool_name: 'Bash', tool_input: { command: 5 } })],
  ])('%s on standard input', async (_what, text) => {
    expectDenial(await run(text, identityFile));
  });

  it('no identity file named', async () => {
    expectDenial(await run(input('ls')));
  });

  it('an identity file that is not there', async () => {
    expectDenial(await run(input('ls'), join(dir, 'missing.json')));
  });

  it.each([
    ['broken', '{'],
    ['without a field', JSON.stringify({ ...codegraphProfile.identity, cliNames: undefined })],
    ['with a wrong type', JSON.stringify({ ...codegraphProfile.identity, indexFiles: 'x' })],
    ['with a broken pattern', JSON.stringify({ ...codegraphProfile.identity, socketPatterns: ['('] })],
  ])('an identity file %s', async (_what, text) => {
    const file = join(dir, 'bad.json');
    writeFileSync(file, text);
    expectDenial(await run(input('codegraph status'), file));
  });
});
