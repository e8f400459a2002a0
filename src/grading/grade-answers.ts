import type { Expects, Fact, WrongClaim } from '../model/expects.js';
import type { AnswerState, Citation, FactGrade, Grade, GradeFigures, Mention, WrongGrade } from '../model/grade.js';
import { citationsOf, type SourceFiles } from './citations.js';
import { matchAccept } from './match.js';
import { isAnotherLanguage, normalize, splitSentences, withoutLongQuotes, withoutNameLists } from './text.js';

export interface AnswersToGrade {
  /** By prompt; null where the prompt has no answer. */
  answers: (string | null)[];
  /** The prompts that were asked, in order. */
  prompts: string[];
  /** Undefined: only the citations are graded. */
  expects: Expects | undefined;
  /** Undefined: the pristine source was not to be had. */
  source: SourceFiles | undefined;
  /** Files that the change under grading made. */
  added?: string[];
}

export type AnswersGrade = Pick<Grade, 'answers' | 'citations' | 'facts' | 'wrong' | 'figures'>;

/** Grades answers without a model: citations against the source, and facts by their `accept`. Commands are graded elsewhere. */
export function gradeAnswers({ answers, prompts, expects, source, added }: AnswersToGrade): AnswersGrade {
  const read = answers.map((text) => readAnswer(text, prompts));
  const citations = source ? citationsOf(answers, source, added) : null;
  const facts = (expects?.facts ?? []).filter(({ prompt }) => prompt < prompts.length);
  const factGrades = facts.map((fact) => gradeFact(fact, read, citations ?? []));
  const wrong = (expects?.wrong ?? []).filter(({ prompt }) => prompt < prompts.length);
  const wrongGrades = wrong.map((claim) => gradeWrong(claim, read));
  return {
    answers: read.map(({ text, state }, prompt) => ({ prompt, chars: text === null ? null : text.length, state })),
    citations,
    facts: factGrades,
    wrong: wrongGrades,
    figures: {
      ...factFigures(factGrades),
      ...recallFigures(factGrades),
      ...citationFigures(citations),
      falseClaims: falseClaimsOf(wrongGrades, read),
    },
  };
}

interface ReadAnswer {
  text: string | null;
  /** What may earn credit, normalized. */
  matched: string;
  state: AnswerState;
}

function readAnswer(text: string | null, prompts: string[]): ReadAnswer {
  if (text === null || text.trim() === '') return { text, matched: '', state: 'empty' };
  const own = withoutPrompts(normalize(withoutNameLists(withoutLongQuotes(text))), prompts);
  if (isAnotherLanguage(text)) return { text, matched: '', state: 'another-language' };
  return { text, matched: own, state: 'graded' };
}

const MIN_COPIED_CHARS = 25;

/** A sentence of a prompt that is said again answers nothing. */
function withoutPrompts(text: string, prompts: string[]): string {
  const sentences = prompts
    .map(normalize)
    .flatMap((prompt) => [prompt, ...prompt.split(/(?<=[.?!:;])\s+/)])
    .filter((sentence) => sentence.length >= MIN_COPIED_CHARS);
  return sentences.reduce((kept, sentence) => kept.replaceAll(sentence, ' '), text);
}

function gradeFact(fact: Fact, answers: ReadAnswer[], citations: Citation[]): FactGrade {
  const { id, prompt, vital, recalls } = fact;
  return {
    ...{ id, prompt, vital, ...(recalls !== undefined && { recalls }) },
    own: mentionOf(fact, answers.slice(prompt, prompt + 1)),
    conversation: mentionOf(fact, answers.slice(0, prompt + 1)),
    cited: fact.at.some((place) => citations.some((citation) => isCitedBy(place, citation))),
  };
}

/** How these answers stand to a fact. Each is looked at alone: an alternative must hold within one answer. */
function mentionOf({ accept, claim }: Pick<Fact, 'accept' | 'claim'>, answers: ReadAnswer[]): Mention {
  if (accept.length === 0) return { state: 'undecided' };
  let negated = false;
  for (const { text, matched } of answers.toReversed()) {
    const found = matchAccept(matched, accept, claim);
    if (found.match) return { state: 'supported', quote: quoteOf(text ?? '', found.match.alternative) };
    negated ||= found.negated;
  }
  if (answers.some(({ state }) => state === 'another-language')) return { state: 'undecided' };
  return negated ? { state: 'absent', negated } : { state: 'absent' };
}

function gradeWrong({ id, prompt, accept, claim }: WrongClaim, answers: ReadAnswer[]): WrongGrade {
  const mention = mentionOf({ accept, claim }, answers.slice(prompt, prompt + 1));
  const found = mention.state === 'supported';
  return { id, prompt, found, ...(found && mention.quote !== undefined && { quote: mention.quote }) };
}

const MAX_QUOTE_CHARS = 300;

/** The sentence or line of an answer that holds most of an alternative's strings. */
export function quoteOf(text: string, alternative: string[]): string {
  const wanted = alternative.map(normalize);
  let best = { held: -1, sentence: '' };
  for (const sentence of splitSentences(text)) {
    const plain = normalize(sentence);
    const held = wanted.filter((one) => plain.includes(one)).length;
    if (held > best.held) best = { held, sentence: sentence.trim() };
  }
  return best.sentence.slice(0, MAX_QUOTE_CHARS);
}

/** Whether a citation names the file of a place, and its lines where both name lines. */
function isCitedBy(place: string, { file, text, state }: Citation): boolean {
  if (file === undefined || state !== 'resolved') return false;
  const [, path = place, rest = ''] = /^([^:]*):?([\s\S]*)$/.exec(place) ?? [];
  if (file !== path && !file.endsWith(`/${path}`)) return false;
  const [own, other] = [linesOf(rest), linesOf(text.slice(text.lastIndexOf(':') + 1))];
  return !own || !other || (own[0] <= other[1] && other[0] <= own[1]);
}

function linesOf(text: string): [number, number] | undefined {
  const match = /^(\d+)(?:-(\d+))?$/.exec(text);
  return match ? [Number(match[1]), Number(match[2] ?? match[1])] : undefined;
}

function factFigures(facts: FactGrade[]): Pick<GradeFigures, 'factRecall' | 'passed' | 'factsSupported'> {
  const vital = facts.filter((fact) => fact.vital);
  if (vital.length === 0 || vital.some(({ conversation }) => conversation.state === 'undecided')) {
    return { factRecall: null, passed: null, factsSupported: null };
  }
  const supported = vital.filter(({ conversation }) => conversation.state === 'supported').length;
  return {
    factRecall: supported / vital.length,
    passed: supported === vital.length ? 1 : 0,
    factsSupported: supported,
  };
}

/** Each fact counts by the answer to its own prompt alone: that it was stated earlier in the session is what is asked. */
function recallFigures(facts: FactGrade[]): Pick<GradeFigures, 'earlyRecall' | 'retention'> {
  const late = facts.filter(({ recalls }) => recalls !== undefined);
  if (late.length === 0) return {};
  const early = late.flatMap(({ recalls }) => facts.filter(({ id }) => id === recalls));
  return { earlyRecall: shareStated(early), retention: shareStated(late) };
}

function shareStated(facts: FactGrade[]): number | null {
  if (facts.some(({ own }) => own.state === 'undecided')) return null;
  return facts.filter(({ own }) => own.state === 'supported').length / facts.length;
}

function citationFigures(citations: Citation[] | null): Pick<GradeFigures, 'groundedShare' | 'fabricatedCitations'> {
  if (citations === null) return { groundedShare: null, fabricatedCitations: null };
  const resolved = citations.filter(({ state }) => state === 'resolved').length;
  return {
    groundedShare: citations.length === 0 ? null : resolved / citations.length,
    fabricatedCitations: citations.length - resolved,
  };
}

function falseClaimsOf(wrong: WrongGrade[], answers: ReadAnswer[]): number | null {
  if (wrong.length === 0 || answers.some(({ state }) => state === 'another-language')) return null;
  return wrong.filter(({ found }) => found).length;
}
