import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processIdentity, runCommand } from '../../src/process/index.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

const NIGHTLY = [
  ...['nightly', '--campaign', 'nightly', '--config', resolve('test/fixtures/look/stand-ins.config.ts')],
  ...['--arms', 'with', '--turns', '1', '--jobs', '2'],
];
const script = (name: string) => ['--rehearsal-script', resolve('test/rig/scripts', `${name}.ts`)];
let user: Surroundings;

beforeAll(() => {
  user = makeSurroundings();
});
afterAll(() => user?.remove());

function history(): { verdict: string; campaign: string | null; baseline: string | null; exitCode: number }[] {
  const file = join(user.cwd, 'agent-eval-results', 'nightly', 'nightly', 'history.jsonl');
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('nightly', () => {
  it('measures a first night, of which nothing can be said yet', async () => {
    const night = await user.run([...NIGHTLY, ...script('noisy')]);
    expect(`${night.exitCode} ${night.stderr}`).toMatch(/^0 /);
    expect(night.stdout).toMatch(/NIGHTLY nightly — FIRST of its regime/);
    expect(history()).toMatchObject([{ verdict: 'first', baseline: null, exitCode: 0 }]);
  }, 240_000);

  it('finds the next one green, started with an empty environment as by a timer', async () => {
    // Nothing but HOME is given: claude lies where its installer puts it, our cache where it always is.
    mkdirSync(join(user.home, '.local', 'bin'), { recursive: true });
    symlinkSync(resolve('node_modules/.bin/claude'), join(user.home, '.local', 'bin', 'claude'));
    mkdirSync(join(user.home, '.cache'), { recursive: true });
    symlinkSync(join(tmpdir(), 'agent-eval-test-cache', 'agent-eval'), join(user.home, '.cache', 'agent-eval'));
    const night = await runCommand({
      argv: [
        '/usr/bin/env',
        '-i',
        `HOME=${user.home}`,
        process.execPath,
        resolve('bin/agent-eval.js'),
        ...NIGHTLY,
        ...script('noisy'),
      ],
      cwd: user.cwd,
      deadlineMs: 240_000,
    });
    expect(`${night.exitCode} ${night.stderr}`).toMatch(/^0 /);
    expect(night.stdout).toContain('GREEN: nothing is worse beyond its margin');
    // The same script, so the same calls; the interval is the runs' own noise, and is judged in place of the point.
    expect(night.stdout).toMatch(
      / {2}with: tool calls \+0\.0% \(−\d+\.\d% to \+\d+\.\d%\), margin 10%: no regression beyond the margin/,
    );
    expect(night.stdout).toContain('VERDICT — with tonight against with before');
    const [first, second] = history();
    expect(second).toMatchObject({ verdict: 'green', baseline: first?.campaign, exitCode: 0 });
    const written = readFileSync(join(second?.campaign ?? '', 'nightly.txt'), 'utf8');
    expect(written).toContain('GREEN');
  }, 300_000);

  it('calls what is worse by more than its margin a regression, with exit code 1', async () => {
    const worse = await user.run([...NIGHTLY, ...script('noisy-worse')]);
    expect(`${worse.exitCode} ${worse.stderr}`).toMatch(/^1 /);
    expect(worse.stdout).toMatch(
      /! with: tool calls \+\d+\.\d% .* margin 10%: REGRESSION, the whole interval lies beyond/,
    );
    // Against the last green night, not the first.
    expect(history()[2]).toMatchObject({ verdict: 'regression', baseline: history()[1]?.campaign, exitCode: 1 });
  }, 240_000);

  it('a night whose runs tell nothing of their noise is not measured: 3, whatever its figures', async () => {
    const single = await user.run([
      ...NIGHTLY,
      ...script('noisy-worse'),
      '--runs',
      '1',
      '--baseline',
      history()[1]?.campaign ?? '',
    ]);
    expect(`${single.exitCode} ${single.stderr}`).toMatch(/^3 /);
    expect(single.stdout).toMatch(/NOT MEASURED — no verdict on .*tool calls of with/);
    expect(history()[3]).toMatchObject({ verdict: 'not-measured', exitCode: 3 });
  }, 240_000);

  it('records a night that could not be measured', async () => {
    const night = await user.run([...NIGHTLY, ...script('no-such-script')]);
    expect(night.exitCode).not.toBe(0);
    expect(history()[4]).toMatchObject({ verdict: 'not-measured', campaign: null });
  }, 120_000);

  it('says so and leaves when the last one is still going', async () => {
    const lock = join(user.cwd, 'agent-eval-results', 'nightly', 'nightly', 'lock.json');
    const self = processIdentity(process.pid);
    writeFileSync(lock, JSON.stringify({ pid: self?.pid, startTime: self?.startTime, host: hostname() }));
    const night = await user.run([...NIGHTLY, ...script('noisy')]);
    rmSync(lock);
    expect(night.exitCode).toBe(3);
    expect(night.stderr).toContain('the last nightly of nightly is still going');
    expect(history()).toHaveLength(5);
  }, 60_000);

  it('refuses a campaign that declares no margin', async () => {
    const night = await user.run(['nightly', '--campaign', 'adaptive', ...NIGHTLY.slice(3), ...script('noisy')]);
    expect(night.exitCode).toBe(2);
    expect(night.stderr).toContain('declares no margins');
  }, 60_000);

  it('a nightly run that stopped early is resumed from its plan, in any directory', async () => {
    const stopped = await user.run([...NIGHTLY, ...script('noisy'), '--runs', '1', '--deadline', '1s']);
    expect(`${stopped.exitCode} ${stopped.stderr}`).toMatch(/^3 /);
    const dir = history().at(-1)?.campaign ?? '';
    const elsewhere = { cwd: user.root };
    const stranger = await user.run(['resume', dir], {
      ...elsewhere,
      env: { XDG_CACHE_HOME: join(user.root, 'no-record') },
    });
    expect(stranger.exitCode).toBe(2);
    expect(stranger.stderr).toContain(`agent-eval resume ${dir} --config <file> --rehearsal-script <file>`);
    const resumed = await user.run(['resume', dir], elsewhere);
    expect(resumed.stderr).toMatch(/the campaign's deadline .* is over/);
    const finished = await user.run(['resume', dir, '--deadline', '1h'], elsewhere);
    expect(`${finished.exitCode} ${finished.stderr}`).toMatch(/^0 /);
    expect(finished.stderr).toMatch(/1 valid, 0 invalid, 0 failed, 0 not run/);
  }, 120_000);
});
