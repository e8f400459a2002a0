import type { SourceFiles } from '../grading/index.js';
import type { EngineProfile } from '../model/engine.js';
import { hasGold, type ResolvedGold } from './gold.js';
import { judgeCase } from './judge-case.js';
import type { CallAnswer } from './mcp-session.js';
import { linesIn, readResponse } from './read-response.js';
import type { CallFacts, CaseResult } from './report-schema.js';
import { type CaseRun, hashAnswer } from './run-case.js';
import { type GoldScore, scoreSession, type ToolText } from './score.js';
import type { Bounds, ReplayCase } from './suite-schema.js';

/** Characters per token of source code, measured on recorded campaigns. It makes an estimate. */
const CHARS_PER_TOKEN = 2.3;

export interface CompareContext {
  profile: EngineProfile;
  source: SourceFiles;
  bounds: Bounds;
}

/** Compares the repeats of one case on two builds. The first repeat gives the figures; the others must be equal to it. */
export function compareCase(
  replayCase: ReplayCase,
  gold: ResolvedGold,
  runs: { new: CaseRun[]; baseline: CaseRun[] },
  context: CompareContext,
): CaseResult {
  const facts = { new: factsOf(replayCase, runs.new, context), baseline: factsOf(replayCase, runs.baseline, context) };
  const score = (side: CaseRun[]): GoldScore => scoreSession(textsOf(replayCase, side[0]), gold, context.profile);
  const needsScore =
    hasGold(gold) || gold.not.length > 0 || gold.weakFiles.length > 0 || gold.answer || gold.incidental;
  const scores = needsScore ? { new: score(runs.new), baseline: score(runs.baseline) } : null;
  const nondeterministic = [...unequalCalls('new', runs.new), ...unequalCalls('baseline', runs.baseline)];
  const judged = judgeCase({
    replayCase,
    gold,
    facts,
    scores,
    bounds: context.bounds,
    isStable: nondeterministic.length === 0,
  });
  return {
    id: replayCase.id,
    expect: replayCase.expect,
    ...judged,
    nondeterministic,
    calls: replayCase.calls.map(({ tool, arguments: args }, index) => ({
      tool,
      arguments: args,
      new: at(facts.new, index),
      baseline: at(facts.baseline, index),
    })),
    gold: scores,
  };
}

function at<T>(values: T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new Error(`no value at ${index}`);
  return value;
}

function textsOf({ calls }: ReplayCase, run: CaseRun | undefined): ToolText[] {
  return calls.flatMap(({ tool }, index) => {
    const answer = run?.answers[index];
    return answer?.kind === 'text' ? [{ tool, text: answer.text }] : [];
  });
}

/** The facts of each call of the first repeat. An error of a later repeat counts too: a build must not fail now and then. */
function factsOf({ calls }: ReplayCase, repeats: CaseRun[], { profile, source }: CompareContext): CallFacts[] {
  const seen = new Map<string, Set<number>>();
  return calls.map(({ tool }, index) => {
    const failed = repeats.map(({ answers }) => answers[index]).find((answer) => answer?.kind === 'error');
    const answer = failed ?? repeats[0]?.answers[index];
    if (answer === undefined) throw new Error('a case was compared without a run');
    return callFacts(tool, answer, repeats[0]?.accounts[index], { profile, source, seen });
  });
}

function callFacts(
  tool: string,
  answer: CallAnswer,
  account: CaseRun['accounts'][number],
  { profile, source, seen }: { profile: EngineProfile; source: SourceFiles; seen: Map<string, Set<number>> },
): CallFacts {
  const text = answer.kind === 'text' ? answer.text : '';
  const { chars, sourceChars, files, noAnswer } = readResponse(tool, text, profile, source);
  const base = {
    hash: hashAnswer(answer),
    chars,
    sourceChars,
    estimatedTokens: Math.round(chars / CHARS_PER_TOKEN),
    repeatedChars: repeatedChars(text, profile, seen),
    files,
    account: account ?? null,
  };
  if (answer.kind === 'error')
    return { outcome: 'error', error: { kind: answer.error, message: answer.message }, ...base };
  const foreign = files.filter(({ path }) => source.read(path) === undefined);
  if (files.length > 0 && foreign.length === files.length) {
    const message = `answers with files that the repository does not have: ${foreign.map(({ path }) => path).join(', ')}`;
    return { outcome: 'error', error: { kind: 'other-project', message }, ...base };
  }
  return { outcome: noAnswer ? 'no-answer' : 'answered', error: null, ...base };
}

/** Counts the characters of the lines that the session had seen before, and notes the lines of this response. */
function repeatedChars(text: string, profile: EngineProfile, seen: Map<string, Set<number>>): number {
  let repeated = 0;
  const sections = profile.parseResponse(text).sections;
  for (const { path, lineNumbers, lineChars } of sections) {
    const known = seen.get(path);
    lineNumbers.forEach((line, index) => {
      if (known?.has(line)) repeated += lineChars[index] ?? 0;
    });
  }
  for (const { path, lineNumbers } of sections) {
    const known = seen.get(path) ?? new Set<number>();
    for (const line of lineNumbers) known.add(line);
    seen.set(path, known);
  }
  return repeated;
}

/** The calls whose answers are not equal over the repeats of one build, with the first line that differs. */
function unequalCalls(side: 'new' | 'baseline', repeats: CaseRun[]): CaseResult['nondeterministic'] {
  const [first, ...others] = repeats;
  return (first?.answers ?? []).flatMap((answer, call) => {
    const other = others
      .map(({ answers }) => answers[call])
      .find((one) => one && hashAnswer(one) !== hashAnswer(answer));
    return other === undefined ? [] : [{ side, call, ...firstDifference(shown(answer), shown(other)) }];
  });
}

function shown(answer: CallAnswer): string {
  return answer.kind === 'text' ? answer.text : `(${answer.error}: ${answer.message})`;
}

function firstDifference(a: string, b: string): { line: number; first: string; other: string } {
  const [left, right] = [a.split('\n'), b.split('\n')];
  const longest = Math.max(left.length, right.length);
  let index = 0;
  while (index < longest && left[index] === right[index]) index += 1;
  return { line: index + 1, first: (left[index] ?? '').slice(0, 300), other: (right[index] ?? '').slice(0, 300) };
}

/** Lines of a file that one side delivers and the other does not. */
export function lineDifference(
  ranges: CallFacts['files'][number]['ranges'],
  others: CallFacts['files'][number]['ranges'],
): number[] {
  const known = linesIn(others);
  return [...linesIn(ranges)].filter((line) => !known.has(line));
}
