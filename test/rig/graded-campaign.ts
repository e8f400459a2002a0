import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CampaignPlan } from '../../src/model/plan.js';
import { trialFiles } from '../../src/store/index.js';
import { hashTree } from '../../src/util/tree.js';
import { linesOf } from '../cli/logs.js';
import { ends, says, text } from '../metrics/events.js';
import { type Written, writeCampaign } from './written-campaign.js';

/** What a right answer to each of the two prompts of every task of a written campaign holds. */
export const RIGHT = [
  'In `send.js:2` the function escapeBody turns the body into text, and `send` returns what it gave.',
  'When the body is missing, `send.js:4` answers through emptyBody with a status of 204.',
];
/** Cites a file and a line that are not there, and states nothing. */
export const WRONG = ['The body is sent as it is, see `lib/sender.js:12` and `send.js:90`.', 'Nothing happens then.'];

const EXPECTS = {
  facts: [
    {
      id: 'escape',
      vital: true,
      claim: 'escapeBody turns the body into text',
      at: ['send.js:escapeBody'],
      accept: [['escapebody', 'text']],
    },
    {
      id: 'returns',
      vital: true,
      claim: 'send returns it',
      at: ['send.js:5'],
      accept: [['send returns'], ['returns what']],
    },
    {
      id: 'empty',
      prompt: 1,
      vital: true,
      claim: 'emptyBody answers with 204',
      at: ['send.js:4'],
      accept: [['emptybody', '204']],
    },
    { id: 'status', prompt: 1, claim: 'The status is 204', accept: [['204']] },
  ],
  wrong: [{ id: 'as-is', claim: 'The body is sent as it is', accept: [['as it is']] }],
};

/** A repository of one source file, and a config beside `cwd` that holds what right answers to the tasks are. */
export function writeGradedCorpus(cwd: string, tasks = ['one', 'two'], extra: Record<string, unknown> = {}): string {
  const folder = join(cwd, 'small');
  mkdirSync(folder, { recursive: true });
  const lines = [
    'exports.send = function send(body) {',
    '  return escapeBody(body);',
    '};',
    'function emptyBody() {}',
    'function escapeBody() {}',
  ];
  writeFileSync(join(folder, 'send.js'), `${lines.join('\n')}\n`);
  writeFileSync(join(cwd, 'facts.json'), JSON.stringify(EXPECTS));
  const config = {
    repos: { small: { folder: './small' } },
    tasks: Object.fromEntries(
      tasks.map((name) => [name, { repo: 'small', prompts: ['How?', 'And then?'], expects: 'facts.json' }]),
    ),
    ...extra,
  };
  writeFileSync(join(cwd, 'corpus.config.ts'), `export default ${JSON.stringify(config, null, 2)};\n`);
  return folder;
}

export interface WrittenAnswers extends Written {
  /** The answers of a trial, one a prompt. */
  answers(arm: string, task: string, repetition: number): string[];
}

/** A finished campaign folder whose sessions gave these answers on the repository that `writeGradedCorpus` made. */
export async function writeGradedCampaign(dir: string, folder: string, written: WrittenAnswers): Promise<CampaignPlan> {
  const plan = writeCampaign(dir, {
    ...written,
    plan: { repos: [{ name: 'small', source: { kind: 'folder', dir: folder }, exclude: [] }], ...written.plan },
  });
  const manifestFile = join(dir, 'manifest.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  manifest.sources[0].treeHash = await hashTree(folder);
  writeFileSync(manifestFile, JSON.stringify(manifest));
  for (const trial of plan.trials) {
    if (written.failed?.[trial.id] !== undefined) continue;
    const costUsd = written.costUsd(
      trial.arm,
      plan.tasks.findIndex(({ name }) => name === trial.task),
      trial.repetition,
    );
    const { logs } = trialFiles(dir, plan, trial);
    written.answers(trial.arm, trial.task, trial.repetition).forEach((answer, index) => {
      const result = ends(answer, { total_cost_usd: costUsd, duration_ms: 2_000 });
      const events = [says(`m${index}`, 10_000 + index, text(answer)), result];
      mkdirSync(dirname(logs[index] ?? ''), { recursive: true });
      writeFileSync(logs[index] ?? '', linesOf(events));
    });
  }
  return plan;
}
