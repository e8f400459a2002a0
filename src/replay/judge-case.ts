import type { ResolvedGold } from './gold.js';
import { linesIn } from './read-response.js';
import type { CallFacts, CaseResult, CaseState, Finding, Rule } from './report-schema.js';
import { type GoldKind, type GoldScore, type ItemScore, meetsGold } from './score.js';
import type { Bounds, ReplayCase } from './suite-schema.js';

interface JudgeInput {
  replayCase: Pick<ReplayCase, 'expect'>;
  gold: ResolvedGold;
  facts: { new: CallFacts[]; baseline: CallFacts[] };
  /** Null where the case has no gold. */
  scores: { new: GoldScore; baseline: GoldScore } | null;
  bounds: Bounds;
  /** Every response was equal to itself. */
  isStable: boolean;
}

const LOST: Record<GoldKind, Rule> = { file: 'lost-file', symbol: 'lost-symbol', line: 'lost-line', text: 'lost-text' };

/**
 * Decides what the gate says of one case. A response that is not equal to itself is outside the gate, but an error that only the new
 * build has counts, even if it comes now and then.
 */
export function judgeCase(input: JudgeInput): Pick<CaseResult, 'state' | 'findings' | 'weakLosses'> {
  const { replayCase, gold, facts, scores, isStable } = input;
  const errors = newErrors(facts);
  const weakLosses = scores ? scores.baseline.weakFiles.filter((path) => !scores.new.weakFiles.includes(path)) : [];
  if (errors.length > 0) return { state: 'worse', findings: errors, weakLosses };
  if (!isStable) return { state: 'nondeterministic', findings: [], weakLosses };
  if (facts.new.every(isUnanswered) && facts.baseline.every(isUnanswered)) {
    return { state: 'unanswered', findings: [], weakLosses };
  }
  if (replayCase.expect === 'fail') return { ...judgeKnownBug(scores, gold), weakLosses };
  const findings = [...(scores ? goldFindings(scores, gold) : []), ...sizeFindings(input)];
  return { state: findings.length > 0 ? 'worse' : compareState(input), findings, weakLosses };
}

const isUnanswered = ({ outcome }: CallFacts): boolean => outcome !== 'answered';

function newErrors({ new: ours, baseline }: JudgeInput['facts']): Finding[] {
  return ours.flatMap((call, index) => {
    const before = baseline[index];
    const which = `call ${index + 1}`;
    if (call.outcome === 'error' && before?.outcome !== 'error') {
      return [finding('new-error', which, `${which} fails (${call.error?.kind}): ${call.error?.message}`)];
    }
    if (call.outcome === 'no-answer' && before?.outcome === 'answered') {
      return [finding('new-no-answer', which, `${which} has no answer any more`)];
    }
    return [];
  });
}

/** A known bug is green as long as it is there. */
function judgeKnownBug(scores: JudgeInput['scores'], gold: ResolvedGold): Pick<CaseResult, 'state' | 'findings'> {
  if (scores === null || !meetsGold(scores.new, gold)) return { state: 'known-bug', findings: [] };
  const text = 'the known bug is fixed: remove `expect: "fail"` from the case';
  return { state: 'worse', findings: [finding('bug-fixed', '', text)] };
}

function goldFindings({ new: ours, baseline }: NonNullable<JudgeInput['scores']>, gold: ResolvedGold): Finding[] {
  const lost = ours.items.flatMap((item, index) => lostItem(item, baseline.items[index]));
  const forbidden = ours.forbidden
    .filter((text) => !baseline.forbidden.includes(text))
    .map((text) => finding('forbidden-text', text, `"${text}" occurs, and must not`));
  const { minShare } = gold.answer ?? {};
  const { maxShare } = gold.incidental ?? {};
  const shares = [
    ...(minShare !== undefined && (ours.answerShare ?? 0) < minShare
      ? [
          finding(
            'answer-share',
            '',
            `answer files have ${percent(ours.answerShare)} of the source, at least ${percent(minShare)} is asked for`,
          ),
        ]
      : []),
    ...(maxShare !== undefined && (ours.incidentalShare ?? 0) > maxShare
      ? [
          finding(
            'incidental-share',
            '',
            `incidental files have ${percent(ours.incidentalShare)} of the source, at most ${percent(maxShare)} is allowed`,
          ),
        ]
      : []),
  ];
  return [...lost, ...forbidden, ...shares];
}

function lostItem(ours: ItemScore, baseline: ItemScore | undefined): Finding[] {
  if (baseline === undefined) return [];
  if (ours.kind === 'file' || ours.kind === 'text') {
    return ours.found < baseline.found ? [finding(LOST[ours.kind], ours.label, `lost ${ours.kind} ${ours.label}`)] : [];
  }
  const before = linesIn(baseline.missing);
  const lost = [...linesIn(ours.missing)].filter((line) => !before.has(line)).length;
  if (lost === 0) return [];
  const text =
    ours.kind === 'symbol' ? `lost symbol ${ours.label}` : `lost ${lost} of ${ours.of} lines of ${ours.label}`;
  return [finding(LOST[ours.kind], ours.label, text)];
}

function sizeFindings({ facts, bounds }: JudgeInput): Finding[] {
  const sum = (calls: CallFacts[]) => calls.reduce((total, { sourceChars }) => total + sourceChars, 0);
  const [ours, before] = [sum(facts.new), sum(facts.baseline)];
  const dropPercent = before === 0 ? 0 : (1 - ours / before) * 100;
  const less =
    dropPercent > bounds.maxSourceDropPercent
      ? [
          finding(
            'less-source',
            '',
            `source down by ${dropPercent.toFixed(1)}% (${before} → ${ours} characters; allowed: ${bounds.maxSourceDropPercent}%)`,
          ),
        ]
      : [];
  const cap = bounds.hostCapChars;
  const over = facts.new.flatMap(({ chars }, index) =>
    chars > cap && (facts.baseline[index]?.chars ?? 0) <= cap
      ? [finding('host-cap', `call ${index + 1}`, `call ${index + 1} has ${chars} characters; a host shows ${cap}`)]
      : [],
  );
  return [...less, ...over];
}

function compareState({ facts, scores }: JudgeInput): CaseState {
  if (facts.new.every(({ hash }, index) => hash === facts.baseline[index]?.hash)) return 'equal';
  const found = (score: GoldScore) => score.items.reduce((sum, item) => sum + item.found, 0);
  if (scores && found(scores.new) > found(scores.baseline)) return 'better';
  const fewerErrors = facts.new.filter(isUnanswered).length < facts.baseline.filter(isUnanswered).length;
  return fewerErrors ? 'better' : 'changed';
}

function finding(rule: Rule, subject: string, text: string): Finding {
  return { rule, subject, text, accepted: null };
}

function percent(share: number | null): string {
  return share === null ? '—' : `${(share * 100).toFixed(1)}%`;
}
