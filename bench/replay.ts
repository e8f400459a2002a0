/**
 * What a replay takes: 20 cases on express, two published builds, two repeats, first with builds and indexes to make and then warm,
 * and whether two warm reports are equal but for times.
 * usage: npm run build && npx jiti bench/replay.ts [new=1.6.1] [baseline=1.4.1]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { replayReportSchema } from '../src/replay/report-schema.js';
import { makeSurroundings } from '../test/rig/run-cli.js';

const CASES = 20;
const PACKAGE = '@colbymchenry/codegraph';
const [ours = '1.6.1', baseline = '1.4.1'] = process.argv.slice(2);

const user = makeSurroundings({ privateCache: true });
const suite = JSON.parse(readFileSync(resolve('corpus/replay/express.replay.json'), 'utf8'));
writeFileSync(join(user.cwd, 'bench.replay.json'), JSON.stringify({ ...suite, cases: suite.cases.slice(0, CASES) }));
const args = ['replay', 'bench.replay.json', '--build', `npm:${PACKAGE}@${ours}`];

const reports: unknown[] = [];
console.log(`${CASES} cases × 2 builds (${ours}, ${baseline}) × 2 repeats on express, ${cpus().length} cores`);
for (const pass of ['cold', 'warm', 'warm']) {
  const outcome = await user.run([...args, '--against', `npm:${PACKAGE}@${baseline}`, '--json'], {
    deadlineMs: 600_000,
  });
  if (outcome.exitCode !== 0 && outcome.exitCode !== 1) throw new Error(outcome.stderr);
  const report = replayReportSchema.parse(JSON.parse(outcome.stdout));
  const [only] = report.suites;
  const { latency } = only ?? {};
  console.log(
    `${pass}: ${(outcome.durationMs / 1000).toFixed(1)} s; warm calls p50 ${latency?.baseline.warmP50Ms} ms and ` +
      `${latency?.new.warmP50Ms} ms, p95 ${latency?.baseline.warmP95Ms} ms and ${latency?.new.warmP95Ms} ms`,
  );
  if (pass === 'warm') reports.push(only?.cases);
}
console.log(`two warm reports are ${isDeepStrictEqual(reports[0], reports[1]) ? 'equal' : 'NOT equal'} but for times`);
user.remove();
