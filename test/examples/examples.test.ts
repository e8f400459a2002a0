import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { Job } from 'kubernetes-models/batch/v1';
import { PersistentVolumeClaim } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { runCommand } from '../../src/process/index.js';
import { makeSurroundings } from '../rig/run-cli.js';

const read = (name: string) => readFileSync(join('examples', name), 'utf8');

describe('the GitHub workflow', () => {
  it('is valid by the published schema, and the validator would tell', () => {
    expect(validateWorkflow(read('github/bench.yml')).errors).toEqual([]);
    expect(validateWorkflow(read('github/bench.yml').replace('runs-on', 'run-on')).errors).not.toEqual([]);
    expect(validateWorkflow(read('github/replay.yml')).errors).toEqual([]);
  });

  it('replays with options that the program has', async () => {
    const user = makeSurroundings();
    const help = (await user.run(['help', 'replay'])).stdout;
    user.remove();
    const line = /run: (agent-eval replay .*)/.exec(read('github/replay.yml'))?.[1] ?? '';
    const flags = line.match(/--[a-z-]+/g) ?? [];
    expect(flags).toEqual(['--build', '--against', '--out']);
    for (const flag of flags) expect(help).toContain(flag);
  });

  it('has as many shards as it tells the program', () => {
    const { env, jobs } = parse(read('github/bench.yml'));
    expect(jobs.shard.strategy.matrix.index).toEqual(
      Array.from({ length: Number(env.SHARDS) }, (_, index) => index + 1),
    );
    expect(jobs.merge.needs).toBe('shard');
  });
});

describe('the Kubernetes job', () => {
  const kinds = { Job, PersistentVolumeClaim };
  const documents = parseAllDocuments(read('kubernetes/job.yaml')).map((one) => one.toJS());

  it('is valid by the published schema, and the validator would tell', () => {
    for (const document of documents) {
      const Kind = kinds[document.kind as keyof typeof kinds];
      expect(() => new Kind(document).validate()).not.toThrow();
    }
    const [, job] = documents;
    expect(() => new Job({ ...job, spec: { ...job.spec, completions: '5' } }).validate()).toThrow('completions');
  });

  it('is indexed, and has as many completions as it tells the program', () => {
    const { spec } = documents.find((one) => one.kind === 'Job');
    expect(spec.completionMode).toBe('Indexed');
    const count = spec.template.spec.containers[0].env.find(
      (one: { name: string }) => one.name === 'JOB_COMPLETION_COUNT',
    );
    expect(Number(count.value)).toBe(spec.completions);
  });
});

describe('the timers', () => {
  it('pass systemd-analyze verify, where there is one', async (context) => {
    const home = mkdtempSync(join(tmpdir(), 'aeunits-'));
    const files = ['agent-eval-nightly.service', 'agent-eval-nightly.timer'].map((name) =>
      join('examples', 'systemd', name),
    );
    const env = { PATH: process.env.PATH ?? '', HOME: home, XDG_RUNTIME_DIR: home };
    const outcome = await runCommand({
      argv: ['systemd-analyze', 'verify', '--user', ...files],
      env,
      deadlineMs: 30_000,
    });
    rmSync(home, { recursive: true, force: true });
    if (outcome.exitCode === null || outcome.exitCode === 127) context.skip();
    expect(`${outcome.exitCode} ${outcome.stdout}${outcome.stderr}`).toBe('0 ');
  });

  it.each(['systemd/agent-eval-nightly.service', 'cron/crontab'])(
    '%s gives only options that nightly has',
    async (name) => {
      const user = makeSurroundings();
      const help = (await user.run(['help', 'nightly'])).stdout;
      user.remove();
      const line =
        read(name)
          .split('\n')
          .find((one) => !one.startsWith('#') && one.includes('agent-eval nightly')) ?? '';
      const flags = line.slice(line.indexOf('agent-eval nightly')).match(/--[a-z-]+/g) ?? [];
      expect(flags.length).toBeGreaterThan(2);
      for (const flag of flags) expect(help).toContain(flag);
    },
  );

  it('the crontab line has five fields of time and one command', () => {
    const [line, ...others] = read('cron/crontab')
      .split('\n')
      .filter((one) => one !== '' && !one.startsWith('#'));
    expect(others).toEqual([]);
    expect(line).toMatch(/^\d+ +\d+ +\* +\* +\* +\S/);
    // A percent sign is a newline to cron.
    expect(line).not.toContain('%');
  });
});
