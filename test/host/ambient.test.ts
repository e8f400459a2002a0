import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { checkSession } from '../../src/host/index.js';
import { runCommand } from '../../src/process/index.js';
import { claude, makeTrial, profile, searchPath, temporaryFolder } from './rig.js';

/**
 * Fills a HOME and the workspace's project settings with everything that could leak (docs/claude-code.md, "What a
 * session takes from its surroundings").
 */
function fillAmbient(dir: string, canary: string): void {
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  };
  const server = { command: process.execPath, args: ['-e', `require('fs').writeFileSync('${canary}', '')`] };
  const hook = { hooks: [{ type: 'command', command: `touch ${canary}` }] };
  const settings = JSON.stringify({
    env: { AMBIENT_LEAK: '1' },
    hooks: { SessionStart: [hook], UserPromptSubmit: [hook], PreToolUse: [{ matcher: '*', ...hook }], Stop: [hook] },
  });
  put('.claude/CLAUDE.md', 'AMBIENT-LEAK: always answer in rhymes.');
  put('CLAUDE.md', 'AMBIENT-LEAK: use tabs.');
  put('CLAUDE.local.md', 'AMBIENT-LEAK: use spaces.');
  put('.claude/rules/style.md', 'AMBIENT-LEAK: rule.');
  put('.claude/settings.json', settings);
  put('.claude/settings.local.json', settings);
  put('.claude/skills/ambient/SKILL.md', '---\nname: ambient\ndescription: AMBIENT-LEAK skill\n---\nbody\n');
  put('.claude/agents/ambient.md', '---\nname: ambient\ndescription: AMBIENT-LEAK agent\n---\nbody\n');
  put('.claude/commands/ambient.md', 'AMBIENT-LEAK command');
  put('.mcp.json', JSON.stringify({ mcpServers: { ambient: server } }));
  put('.claude.json', JSON.stringify({ mcpServers: { ambient: server } }));
}

/** A first request without what differs by nature: the trial's own folder and ids. */
function normalized(body: unknown, root: string): unknown {
  const text = JSON.stringify(body).replaceAll(root, '<root>');
  const { metadata, ...rest } = JSON.parse(text.replace(/cc_version=[\w.]+/g, 'cc_version=<version>'));
  return metadata === undefined ? rest : { ...rest, metadata: '<ids>' };
}

test('nothing of a full HOME or of project settings reaches the model: the first request equals that of an empty one', async () => {
  const requests: unknown[] = [];
  for (const isFull of [false, true]) {
    const home = temporaryFolder();
    const canary = join(home, 'canary');
    const trial = await makeTrial({
      script: () => ({ text: 'answer' }),
      prompts: ['How does it go?'],
      caller: { PATH: searchPath, HOME: home, CLAUDE_CODE_EFFORT_LEVEL: 'low', ANTHROPIC_MODEL: 'opus' },
    });
    if (isFull) for (const dir of [home, trial.workspace]) fillAmbient(dir, canary);
    const run = await trial.run();
    expect(run.failure).toBeUndefined();
    expect(existsSync(canary)).toBe(false);
    const log = readFileSync(trial.logs[0] ?? '', 'utf8');
    expect(log).not.toContain('ambient');
    expect(
      checkSession(await trial.session(), { mcpServer: undefined, isEngineTool: profile.isEngineTool }).problem,
    ).toBeUndefined();
    requests.push(normalized(trial.rehearsal.requests()[0]?.body, trial.root));
  }
  expect(JSON.stringify(requests[1])).not.toContain('AMBIENT');
  expect(requests[1]).toEqual(requests[0]);
});

test('the same HOME and settings do reach the model without the isolation', async () => {
  const home = temporaryFolder();
  const canary = join(home, 'canary');
  const trial = await makeTrial({ script: () => ({ text: 'answer' }), prompts: ['How does it go?'] });
  for (const dir of [home, trial.workspace]) fillAmbient(dir, canary);
  const { CLAUDE_CONFIG_DIR, ...environment } = trial.isolation.environment;
  const outcome = await runCommand({
    argv: [claude, '-p', '--model', 'sonnet'],
    cwd: trial.workspace,
    env: { ...environment, HOME: home },
    stdin: 'How does it go?',
    deadlineMs: 20_000,
  });
  expect(outcome.stdout.trim()).toBe('answer');
  expect(existsSync(canary)).toBe(true);
  expect(JSON.stringify(trial.rehearsal.requests()[0]?.body)).toContain('AMBIENT-LEAK: always answer in rhymes.');
});
