import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { campaignRedactor, redacted, saveReport } from '../../analysis/index.js';
import { isInUse } from '../../campaign/index.js';
import { GradingSources, gradeCampaignFolder } from '../../experiment/index.js';
import { gradeAnswers } from '../../grading/index.js';
import { fail, ok, type Result } from '../../model/failure.js';
import { jsonText, renderGrades, writeOut } from '../../report/index.js';
import { messageOf, readPlan } from '../../store/index.js';
import { EXIT } from '../exit-codes.js';
import { type Invocation, invoke, type Surroundings } from '../invocation.js';
import { judgingLine, onJudging } from '../judging-lines.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';

export interface GradeFlags extends CommonFlags {
  task?: string;
  answers?: string;
  regrade?: boolean;
  judge?: boolean;
}

/** `grade <campaign>`: grades a finished campaign from its logs; `grade --task <task> --answers <file>`: grades loose answers. */
export async function grade(dir: string | undefined, flags: GradeFlags, surroundings: Surroundings): Promise<number> {
  if (flags.answers !== undefined && dir !== undefined) {
    return printFailure({ reason: 'bad-input', message: 'name a campaign or --answers, not both' });
  }
  const invocation = await invoke(flags, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  if (flags.answers !== undefined) return await gradeLoose(flags, flags.answers, invocation.value);
  if (dir === undefined) {
    const advice = 'agent-eval grade <campaign>, or agent-eval grade --task <task> --answers <file>';
    return printFailure({ reason: 'bad-input', message: 'nothing to grade was named', advice });
  }
  return await gradeFolder(resolve(dir), flags, invocation.value);
}

async function gradeFolder(dir: string, flags: GradeFlags, invocation: Invocation): Promise<number> {
  const plan = readPlan(dir);
  if (!plan.ok) return printFailure(plan.failure);
  if (isInUse(dir)) {
    return printFailure({
      reason: 'bad-input',
      message: `${dir} is still being run`,
      advice: 'it is graded at its end',
    });
  }
  const graded = await gradeCampaignFolder(dir, plan.value, invocation, {
    regrade: flags.regrade === true,
    tasks: flags.task?.split(',').map((name) => name.trim()),
    judge: flags.judge,
    onJudging,
  });
  if (!graded.ok) return printFailure(graded.failure);
  const { grades, cached, skipped, judged } = graded.value;
  const shown = redacted(graded.value, campaignRedactor(dir, invocation.environment));
  writeOut(invocation.options.json ? jsonText({ formatVersion: 1, ...shown }) : `${renderGrades(shown)}\n`);
  process.stderr.write(
    `${grades.length - cached} graded, ${cached} graded before, ${skipped.length} without a session\n`,
  );
  if (judged) process.stderr.write(`${judgingLine(judged)}\n`);
  // What lies in the folder shows the answers too.
  const report = await saveReport(dir, { ...invocation.options, gate: undefined }, invocation.environment);
  return report.ok ? EXIT.done : printFailure(report.failure);
}

/** One loose answer: a line of the file. Other fields of it are handed on. */
interface LooseAnswer {
  prompt: number;
  text: string;
  rest: Record<string, unknown>;
}

async function gradeLoose(flags: GradeFlags, file: string, invocation: Invocation): Promise<number> {
  const { config, configFile } = invocation;
  const task = config.tasks.find(({ name }) => name === flags.task);
  if (!task) {
    const message = flags.task === undefined ? '--answers needs --task' : `${configFile} has no task ${flags.task}`;
    const advice = `it has: ${config.tasks.map(({ name }) => name).join(', ')}`;
    return printFailure({ reason: 'bad-input', message, advice });
  }
  const expects = Object.hasOwn(config.expects, task.name) ? config.expects[task.name] : undefined;
  const answers = readLoose(file, task.prompts.length);
  if (!answers.ok) return printFailure(answers.failure);
  const sources = new GradingSources(config.repos, invocation, { offline: true });
  const source = await sources.sourceOf(task.repo);
  const lines = answers.value.map(({ prompt, text, rest }) => {
    const own = expects && {
      ...expects,
      facts: expects.facts.filter((fact) => fact.prompt === prompt),
      wrong: expects.wrong.filter((claim) => claim.prompt === prompt),
    };
    const graded = gradeAnswers({
      answers: task.prompts.map((_, index) => (index === prompt ? text : null)),
      prompts: task.prompts,
      expects: own,
      source: 'files' in source ? source.files : undefined,
    });
    return {
      ...rest,
      prompt,
      state: graded.answers[prompt]?.state ?? 'empty',
      facts: Object.fromEntries(graded.facts.map((fact) => [fact.id, fact.own.state])),
      wrong: graded.wrong.filter(({ found }) => found).map(({ id }) => id),
      ...graded.figures,
      citations: graded.citations,
    };
  });
  if (flags.json) writeOut(lines.map((line) => JSON.stringify(line)).join('\n'));
  else writeOut(lines.map(looseText).join('\n\n'));
  if ('problem' in source) process.stderr.write(`citations are not resolved: ${source.problem}\n`);
  return EXIT.done;
}

function looseText(line: { prompt: number; state: string; facts: Record<string, string>; wrong: string[] }): string {
  return [
    `prompt ${line.prompt}: ${line.state}`,
    ...Object.entries(line.facts).map(([id, state]) => `  ${state.padEnd(12)} ${id}`),
    ...line.wrong.map((id) => `  wrong claim  ${id}`),
  ].join('\n');
}

/** JSON lines `{"prompt": 0, "text": "…"}`. Every faulty line is named at once. */
function readLoose(file: string, prompts: number): Result<LooseAnswer[]> {
  let content: string;
  try {
    content = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    return fail({ reason: 'bad-input', message: `${file} could not be read: ${messageOf(error)}` });
  }
  const faults: string[] = [];
  const answers = content.split('\n').flatMap((line, index): LooseAnswer[] => {
    if (line.trim() === '') return [];
    const read = readLine(line, prompts);
    if (typeof read !== 'string') return [read];
    faults.push(`${file}:${index + 1}: ${read}`);
    return [];
  });
  if (faults.length === 0) return ok(answers);
  return fail({
    reason: 'bad-input',
    message: faults.join('\n'),
    advice: 'each line is a JSON object such as {"prompt": 0, "text": "…"}',
  });
}

function readLine(line: string, prompts: number): LooseAnswer | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return `is not JSON: ${messageOf(error)}`;
  }
  const { prompt, text, ...rest } = (value ?? {}) as Record<string, unknown>;
  if (typeof text !== 'string') return '`text` is not a string';
  if (typeof prompt !== 'number' || !Number.isInteger(prompt) || prompt < 0 || prompt >= prompts) {
    return `\`prompt\` is ${JSON.stringify(prompt)}, and the task has ${prompts} prompts, counted from 0`;
  }
  return { prompt, text, rest };
}
