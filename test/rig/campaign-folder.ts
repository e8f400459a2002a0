import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CampaignPlan } from '../../src/model/plan.js';
import type { TrialRecord } from '../../src/model/trial.js';
import { trialFiles } from '../../src/store/index.js';
import { processesWith } from './processes.js';
import type { Surroundings } from './run-cli.js';

export const ENGINE = ['--build', 'npm:@colbymchenry/codegraph@1.6.1'];

/** A repository of `files` small sources beside the working directory, and a config with two tasks on it, one of two prompts. */
export function writeCorpus(user: Surroundings, files: number, defaults: Record<string, unknown> = {}): void {
  const folder = join(user.root, 'small');
  mkdirSync(join(folder, 'lib'), { recursive: true });
  writeFileSync(join(folder, 'index.js'), "const { send } = require('./lib/send');\nexports.send = send;\n");
  writeFileSync(join(folder, 'lib', 'send.js'), 'exports.send = function send(body) { return escape1(body); };\n');
  for (let index = 1; index <= files; index++) {
    const body = `exports.escape${index} = function escape${index}(text) { return String(text); };\n`;
    writeFileSync(join(folder, 'lib', `escape-${index}.js`), body);
  }
  writeFileSync(
    join(user.cwd, 'corpus.config.ts'),
    `import { defineConfig } from 'agent-eval';
     export default defineConfig({
       repos: { small: { folder: '../small' } },
       tasks: {
         ask: { repo: 'small', prompts: ['How does send treat its body?'] },
         follow: { repo: 'small', prompts: ['Where is send defined?', 'What does escape1 return?'] },
       },
       defaults: ${JSON.stringify({ tasks: ['ask', 'follow'], runs: 1, ...defaults })},
     });`,
  );
}

/** What is wrong with a finished campaign folder and its surroundings; empty when everything is as it should be. */
export function faultsOf(dir: string, user: Surroundings): string[] {
  const faults: string[] = [];
  const plan: CampaignPlan = JSON.parse(readFileSync(join(dir, 'plan.json'), 'utf8'));
  const records = recordsOf(dir);
  for (const trial of plan.trials) {
    const own = records.filter((record) => record.trialId === trial.id);
    if (own.length !== 1) faults.push(`${trial.id} has ${own.length} records`);
    if (own[0]?.outcome !== 'ok' || own[0].validity !== 'valid') {
      faults.push(`${trial.id}: ${own[0]?.outcome}, ${own[0]?.validity}: ${own[0]?.failure?.message ?? ''}`);
    }
    const { logs } = trialFiles(dir, plan, trial);
    for (const log of logs) faults.push(...logFaults(log));
  }
  if (records.length !== plan.trials.length) faults.push(`${records.length} records for ${plan.trials.length} trials`);
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  faults.push(...names.filter((name) => /\.tmp$|lock\.json/.test(name)).map((name) => `left: ${name}`));
  faults.push(...readdirSync(join(user.root, 'tmp')).map((name) => `left in the temporary folder: ${name}`));
  faults.push(...processesWith(user.root).map((line) => `left running: ${line}`));
  return faults;
}

/** A log is whole when its last line is ended, every line is JSON, and a result stands in it. */
function logFaults(log: string): string[] {
  if (!existsSync(log)) return [`${log} is not there`];
  const text = readFileSync(log, 'utf8');
  const faults = text.endsWith('\n') ? [] : [`${log} ends in the middle of a line`];
  let results = 0;
  for (const line of text.split('\n').filter((one) => one !== '')) {
    try {
      if (JSON.parse(line).type === 'result') results += 1;
    } catch {
      faults.push(`${log} holds a line that is no JSON`);
    }
  }
  return results > 0 ? faults : [...faults, `${log} has no result`];
}

/** The records of a campaign's last attempts. */
export function recordsOf(dir: string): TrialRecord[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.trial.json') && !name.includes('attempts/'))
    .map((name) => JSON.parse(readFileSync(join(dir, name), 'utf8')));
}

// Holm's p of one metric depends on those of the others, time among them.
const DROPPED = /^holm$|[iI]ds?$|^at$|At$|Ms$|^duration|Duration|^dir$|^cwd$|^file/;

/** A direction or a verdict that is about time. */
function isOfDuration(one: { figure?: unknown; metric?: { name?: unknown } } | null): boolean {
  return /Ms$/.test(String(one?.figure)) || /Ms$/.test(String(one?.metric?.name));
}

/** report.json without ids, times and durations: what two runs of one plan must agree in. */
export function comparableReport(dir: string): unknown {
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((one) => !isOfDuration(one)).map(strip);
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(([name]) => !DROPPED.test(name));
    return Object.fromEntries(kept.map(([name, one]) => [name, strip(one)]));
  };
  return strip(JSON.parse(readFileSync(join(dir, 'report.json'), 'utf8')));
}
