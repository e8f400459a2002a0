import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeMadeCampaign } from '../../rig/made-campaign.js';
import { makeSurroundings } from '../../rig/run-cli.js';

test('a folder of logs alone: every run is a point that leads to its page, and nothing is judged', async () => {
  const user = makeSurroundings();
  onTestFinished(user.remove);
  const { dir } = writeMadeCampaign(join(user.cwd, 'made'), ['alpha', 'beta'], 2);
  for (const name of ['plan.json', 'manifest.json', 'journal.jsonl']) rmSync(join(dir, name), { force: true });
  const written = await user.run(['report', dir, '--html']);
  expect([written.exitCode, written.stderr]).toEqual([0, '']);
  const html = readFileSync(join(dir, 'report.html'), 'utf8');
  // Two tasks, two arms, two runs.
  const points = new Set([...html.matchAll(/<a [^>]*href="#(run-[^":]+)"/g)].map(([, id]) => id ?? ''));
  expect(points.size).toBe(8);
  expect([...points].filter((id) => !html.includes(`id="${id}"`))).toEqual([]);
  const tasks = html.slice(html.indexOf('id="tasks"'), html.indexOf('id="context"'));
  expect([...tasks.matchAll(/href="#run-/g)].length).toBeGreaterThanOrEqual(8);
  expect(html).not.toMatch(/✓ Better|✗ Worse|Inconclusive<\/p>/);
});
