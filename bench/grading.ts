/**
 * What grading a campaign without a model takes: 56 runs (7 tasks × 4 repetitions × 2 arms) with logs of 300 KB a prompt, graded from the logs
 * by the facts and a source of 5,000 files, and again from the cache.
 * usage: npx jiti bench/grading.ts
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkConfig } from '../src/config/index.js';
import { gradeCampaign, openSourceFiles } from '../src/grading/index.js';
import { hostLog, NO_ENGINE } from '../src/host/index.js';
import { trialFiles } from '../src/store/index.js';
import { linesOf } from '../test/cli/logs.js';
import { gives, says, uses } from '../test/metrics/events.js';
import { RIGHT, WRONG, writeGradedCampaign, writeGradedCorpus } from '../test/rig/graded-campaign.js';

const root = mkdtempSync(join(tmpdir(), 'bench-'));
try {
  const tasks = Array.from({ length: 7 }, (_, index) => `task-${index + 1}`);
  const folder = writeGradedCorpus(root, tasks);
  for (let index = 0; index < 5_000; index++) {
    mkdirSync(join(folder, `lib-${index % 50}`), { recursive: true });
    writeFileSync(join(folder, `lib-${index % 50}`, `file-${index}.js`), 'exports.value = 1;\n'.repeat(200));
  }
  const dir = join(root, 'campaign');
  const plan = await writeGradedCampaign(dir, folder, {
    ...{ tasks, runs: 4, costUsd: () => 1 },
    answers: (arm) => (arm === 'new' ? WRONG : RIGHT),
  });
  for (const trial of plan.trials) {
    for (const log of trialFiles(dir, plan, trial).logs) {
      const work = Array.from({ length: 30 }, (_, index) => [
        says(`w${index}`, 9_000 + index, uses(`c${index}`, 'Read', { file_path: 'send.js' })),
        gives(`c${index}`, `line of source ${index} `.repeat(550)),
      ]);
      writeFileSync(log, linesOf(work.flat()) + readFileSync(log, 'utf8'));
    }
  }
  const config = checkConfig(
    {
      repos: { small: { folder: './small' } },
      tasks: Object.fromEntries(
        tasks.map((name) => [name, { repo: 'small', prompts: ['How?', 'And then?'], expects: 'facts.json' }]),
      ),
    },
    join(root, 'corpus.config.ts'),
  );
  if (!config.ok) throw new Error(JSON.stringify(config.faults));
  const { expects } = config.config;
  const grade = async (): Promise<string> => {
    const startedAt = performance.now();
    const files = await openSourceFiles({ dir: folder });
    const graded = await gradeCampaign({
      ...{ dir, plan, expects, configFile: config.file, profile: NO_ENGINE, host: hostLog() },
      prompts: Object.fromEntries(config.config.tasks.map(({ name, prompts }) => [name, prompts])),
      sourceOf: async () => ({ files, treeHash: 'bench' }),
      runCommands: async () => ({ problem: 'there are none' }),
    });
    if (!graded.ok) throw new Error(graded.failure.message);
    const { grades, cached } = graded.value;
    return `${grades.length} grades, ${cached} from before: ${((performance.now() - startedAt) / 1000).toFixed(2)} s`;
  };
  console.log(`${cpus()[0]?.model ?? ''}, Node ${process.version}`);
  console.log(await grade());
  console.log(await grade());
} finally {
  rmSync(root, { recursive: true, force: true });
}
