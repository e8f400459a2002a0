import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { endProcess, runCommand } from '../../src/process/index.js';
import { temporaryFolder } from '../host/rig.js';
import { bash, holdSession, parseLines, until } from './session.js';

const usage = { inputTokens: 10, outputTokens: 1 };

test('an interrupt reaches claude inside: a result line, and nothing is left, detached or not', {
  timeout: 120_000,
}, async () => {
  let interruptedAt = 0;
  const session = await holdSession({
    level: 'full',
    root: temporaryFolder(),
    prompts: [[bash('sleep 321 & (setsid sleep 322 &) ; touch started; sleep 323')]],
    during: async (fence, started, log) => {
      await until(() => existsSync(join(log, '../w/started')));
      if (!started.identity) throw new Error('not started');
      const target = fence.interruptTarget(started.identity);
      expect(target.pid).not.toBe(started.identity.pid);
      interruptedAt = Date.now();
      await endProcess(target, [{ signal: 'SIGINT', waitMs: 5_000 }]);
    },
  });
  expect(Date.now() - interruptedAt).toBeLessThan(10_000);
  expect(session.logs[0]?.at(-1)).toMatchObject({ type: 'result', subtype: 'error_during_execution' });
  expect(session.left).toEqual([]);
});

test('a subagent works inside, through hooks and shell as its parent', { timeout: 120_000 }, async () => {
  const session = await holdSession({
    level: 'full',
    root: temporaryFolder(),
    prompts: [[]],
    script: ({ isSubagent, step, tools, toolResults }) => {
      if (isSubagent) {
        if (step === 0) return { toolCalls: [bash('echo from-below; ls -A /run/relay | wc -l')], usage };
        return { text: `saw ${toolResults[0]?.text}`, usage };
      }
      const name = tools.find((tool) => tool === 'Agent' || tool === 'Task') ?? 'Task';
      const input = { description: 'look', prompt: 'Look around.', subagent_type: 'general-purpose' };
      return step === 0 ? { toolCalls: [{ name, input }], usage } : { text: 'done', usage };
    },
  });
  expect(session.exitCodes).toEqual([0]);
  expect(session.hookLog).toContain('echo from-below');
  expect(JSON.stringify(session.logs[0])).toMatch(/saw from-below\\+n0/);
});

test('work in the background goes on between calls, by the tool and by `&`', { timeout: 120_000 }, async () => {
  const session = await holdSession({
    level: 'full',
    root: temporaryFolder(),
    environment: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '' },
    prompts: [
      [
        bash('python3 -m http.server 8123 --bind 127.0.0.1 >/dev/null 2>&1 & echo $! > pid; echo kept > page'),
        bash('for i in 1 2 3 4 5 6 7 8 9; do curl -sf http://127.0.0.1:8123/page && break; sleep 0.5; done'),
        bash('sleep 1; echo in-the-background > background', { run_in_background: true }),
        bash(
          'for i in 1 2 3 4 5 6 7 8 9; do cat background 2>/dev/null && break; sleep 0.5; done; kill $(cat pid); echo ended',
        ),
      ],
    ],
  });
  expect(session.results.map(({ text }) => text.trim())).toEqual([
    expect.anything(),
    'kept',
    expect.stringMatching(/background/),
    expect.stringMatching(/in-the-background\s+ended/),
  ]);
  expect(session.left).toEqual([]);
});

test('the compiled hook runs inside with all that it imports', { timeout: 120_000 }, async () => {
  const session = await holdSession({
    level: 'full',
    root: temporaryFolder(),
    hook: resolve('dist/hook-bundle/no-cli-shim.js'),
    prompts: [[bash('x=code; y=graph; "$x$y" status; touch effect'), bash('echo passed')]],
  });
  const responses = session.logs[0]?.filter(({ subtype }) => subtype === 'hook_response') ?? [];
  expect(responses.map(({ outcome }) => outcome)).toEqual(['success', 'success']);
  expect(session.results.map(({ isError }) => isError)).toEqual([true, false]);
  expect(session.results[1]?.text).toContain('passed');
  expect(existsSync(join(session.workspace, 'effect'))).toBe(false);
});

test('a second client of the MCP relay is turned away and counted', { timeout: 120_000 }, async () => {
  const server = resolve('test/fixtures/agent/mcp-server.js');
  const root = temporaryFolder();
  const session = await holdSession({
    level: 'full',
    root,
    mcpServer: { command: process.execPath, args: [server, '0'], env: { PATH: '/usr/bin' } },
    prompts: [[bash('touch started; sleep 2')], [bash('echo again')]],
    during: async (_, __, log) => {
      if (!log.endsWith('log-0.jsonl')) return;
      await until(() => existsSync(join(root, 'w/started')));
      const socket = connect(join(realpathSync(root), 'f/relay/mcp.sock'));
      await new Promise((done) => socket.once('close', done));
    },
  });
  const init = parseLines(join(root, 'log-1.jsonl')).find(({ subtype }) => subtype === 'init');
  expect(init?.mcp_servers).toEqual([{ name: 'codegraph', status: 'connected' }]);
  // One client a segment, and ours.
  expect(session.dropped).toMatchObject({
    ok: true,
    value: { 'fence.mcpStarts': '2', 'fence.mcpRefusals': '1', 'fence.foreignProjects': '0' },
  });
});

test.each(['full', 'shell', 'none'])(
  'an ordinary user: daily work at the level %s',
  { timeout: 120_000 },
  async (level) => {
    const root = temporaryFolder();
    const isRoot = process.getuid?.() === 0;
    const [uid, gid] = isRoot ? [65_534, 65_534] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
    mkdirSync(join(root, 'user'));
    chmodSync(root, 0o755);
    if (isRoot) chownSync(join(root, 'user'), uid, gid);
    const become = isRoot ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] : ['env'];
    const [program = 'env', ...rest] = become;
    const script = resolve('test/fence/as-user.ts');
    const jiti = resolve('node_modules/jiti/lib/jiti-cli.mjs');
    const outcome = await runCommand({
      argv: [program, ...rest, process.execPath, jiti, script, level, join(root, 'user')],
      cwd: join(root, 'user'),
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: join(root, 'user'),
        TMPDIR: join(root, 'user'),
        JITI_FS_CACHE: 'false',
      },
      deadlineMs: 220_000,
    });
    expect(outcome.stderr.slice(-2000)).toBe('');
    expect(JSON.parse(outcome.stdout)).toEqual({ uid, failed: [], exitCodes: [0, 0], fence: level, probed: level });
    expect(readFileSync(join(root, 'user/ae/home/hook.log'), 'utf8')).toContain('echo made');
  },
);
