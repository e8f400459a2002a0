import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { TrialScheduler } from '../../src/campaign/scheduler.js';

it('runs trials in order, no more at once than jobs, nor than a repo allows, and lets others pass', async () => {
  const scheduler = new TrialScheduler({ jobs: 2, perRepo: 1, cpu: 1 });
  const started: string[] = [];
  const running = new Set<string>();
  let most = 0;
  const trial = (repo: string, name: string) =>
    scheduler.trial(repo, async () => {
      started.push(name);
      running.add(name);
      most = Math.max(most, running.size);
      expect([...running].filter((one) => one.startsWith(repo)).length).toBe(1);
      await sleep(20);
      running.delete(name);
    });
  await Promise.all([
    trial('gin', 'gin1'),
    trial('gin', 'gin2'),
    trial('django', 'django1'),
    trial('django', 'django2'),
  ]);
  // gin2 waits for its repo and leaves the second slot to django1.
  expect(started.slice(0, 2)).toEqual(['gin1', 'django1']);
  expect(most).toBe(2);
});

it('starts the arms of a repetition, neighbours in the plan, side by side', async () => {
  const scheduler = new TrialScheduler({ jobs: 2, perRepo: 2, cpu: 2 });
  const started: string[] = [];
  const trial = (name: string) =>
    scheduler.trial('r', async () => {
      started.push(name);
      await sleep(10);
    });
  await Promise.all(['with-1', 'without-1', 'without-2', 'with-2'].map(trial));
  expect(started).toEqual(['with-1', 'without-1', 'without-2', 'with-2']);
});

it('keeps CPU-bound work to its own limit, whatever its form', async () => {
  const scheduler = new TrialScheduler({ jobs: 4, perRepo: 4, cpu: 1 });
  const end = await scheduler.startCpuBound();
  let ran = false;
  const waiting = scheduler.cpuBound(async () => {
    ran = true;
  });
  await sleep(10);
  expect(ran).toBe(false);
  end();
  await waiting;
  expect(ran).toBe(true);
});
