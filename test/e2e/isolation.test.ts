import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../src/model/manifest.js';
import { ENGINE, recordsOf, writeCorpus } from '../rig/campaign-folder.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

/** Ways to log in, each with a value that can be told anywhere. */
const SECRETS = {
  ANTHROPIC_API_KEY: 'sk-ant-secret-1',
  ANTHROPIC_AUTH_TOKEN: 'auth-secret-2',
  CLAUDE_CODE_OAUTH_TOKEN: 'oauth-secret-3',
  AWS_SECRET_ACCESS_KEY: 'aws-secret-4',
  AWS_BEARER_TOKEN_BEDROCK: 'bedrock-secret-5',
};

let user: Surroundings;
beforeAll(() => {
  user = makeSurroundings();
  writeCorpus(user, 4);
});
afterAll(() => user?.remove());

describe('what a campaign proves of its isolation', () => {
  it('with deferred tools: attached, both arms alike, every attempt told first, no secret anywhere', async () => {
    const script = resolve('test/rig/scripts/tool-search.ts');
    const args = ['with-without', '--tasks', 'ask', '--tool-search', '--rehearsal-script', script, ...ENGINE];
    const outcome = await user.run(args, { env: SECRETS });
    expect(`${outcome.exitCode} ${outcome.stderr}`).toMatch(/^0 /);
    const dir = join(user.cwd, /agent-eval-results\/[^\s]+$/m.exec(outcome.stderr)?.[0] ?? '');

    const records = recordsOf(dir);
    const [withTool, without] = ['with', 'without'].map((arm) => records.find((record) => record.arm === arm));
    expect(withTool).toMatchObject({ outcome: 'ok', validity: 'valid' });
    expect(withTool?.evidence['mcp.1']).toMatch(/^(connected|pending, then used)$/);
    expect(without).toMatchObject({ outcome: 'ok', validity: 'valid', evidence: { attemptedByPath: '1' } });
    expect(without?.cliAttempts).toMatchObject([{ args: ['explore', 'send body'] }]);

    const manifest: Manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'));
    expect(manifest.regime.toolSearch).toBe(true);
    const told = (arm: string) => manifest.sessions?.find(({ trials }) => trials.some((id) => id.includes(`/${arm}-`)));
    expect(told('with')?.mcpServers).toEqual([expect.stringMatching(/^codegraph \(/)]);
    expect(told('without')?.mcpServers).toEqual([]);
    for (const arm of ['with', 'without']) {
      expect(told(arm)).toMatchObject({ fence: manifest.fence, plugins: [], memory: false });
      expect(told(arm)?.tools).toContain('Bash');
    }
    // The host names only the hooks that ran.
    expect([told('with')?.hooks, told('without')?.hooks]).toEqual([[], ['PreToolUse:Bash']]);
    expect(told('with')?.skills).toEqual(told('without')?.skills);
    expect(manifest.environmentKeys.filter((name) => name.startsWith('CODEGRAPH_'))).toEqual([
      'CODEGRAPH_NO_PROMPT_HOOK',
    ]);

    const report = readFileSync(join(dir, 'report.txt'), 'utf8');
    const lines = report.split('\n');
    const at = (text: string) => lines.findIndex((line) => line.includes(text));
    expect(at('CONTAMINATION')).toBeGreaterThan(-1);
    expect(at('CONTAMINATION')).toBeLessThan(at('ARM COMPARISON'));
    expect(lines[at('CONTAMINATION')]).toContain('lower bound');
    expect(report).toContain('attempted by PATH: 1');
    expect(report).toMatch(/blocked {2}PATH {3}\S+: codegraph explore send body — run by/);

    const printed = outcome.stdout + outcome.stderr;
    const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => join(dir, name));
    const texts = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, 'utf8'));
    for (const secret of Object.values(SECRETS)) {
      expect([printed, ...texts].filter((text) => text.includes(secret))).toEqual([]);
    }
  }, 240_000);

  it('a session that changes its own settings is void by name, and learns of no arm', async () => {
    const script = resolve('test/rig/scripts/tamper.ts');
    const args = ['with-without', '--tasks', 'follow', '--fence', 'none', '--rehearsal-script', script, ...ENGINE];
    const outcome = await user.run(args);
    const dir = join(user.cwd, /agent-eval-results\/[^\s]+$/m.exec(outcome.stderr)?.[0] ?? '');
    const records = recordsOf(dir);
    expect(records).toHaveLength(2);
    for (const record of records) {
      expect(record).toMatchObject({
        outcome: 'failed',
        validity: 'unfenced',
        failure: { reason: 'control-file-changed', message: expect.stringContaining('settings.json changed') },
      });
      // Only the first of its two prompts was sent, and it is not tried again.
      expect(record.segments).toHaveLength(1);
      const folder = join(dir, 'small', 'run1');
      const log = readFileSync(join(folder, record.segments[0]?.log ?? ''), 'utf8');
      const id = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
      expect(log).toMatch(new RegExp(`\\\\nAGENT_EVAL_TRIAL=${id}\\\\n`));
      expect(log).toMatch(new RegExp(`\\\\nANTHROPIC_BASE_URL=http://127.0.0.1:\\d+/trial/${id}\\\\n`));
    }
    expect(outcome.stdout).toContain('unfenced');
  }, 240_000);

  it('plan prints what comes into a session’s environment, by name', async () => {
    const outcome = await user.run(['plan', '--full', '--tasks', 'ask', ...ENGINE], {
      env: { ...SECRETS, SECRET_OTHER: 'other-6' },
    });
    expect(outcome.exitCode).toBe(0);
    const paragraph =
      outcome.stdout.split('\n\n').find((text) => text.startsWith('environment of every session')) ?? '';
    expect(paragraph).toMatch(/that is, of what is set here: ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN .*LANG/);
    expect(paragraph).toContain('CLAUDE_CODE_DISABLE_AUTO_MEMORY=1');
    expect(paragraph).not.toContain('SECRET_OTHER');
    for (const secret of Object.values(SECRETS)) expect(outcome.stdout).not.toContain(secret);
  }, 60_000);
});
