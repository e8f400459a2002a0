import type { Expects } from '../model/expects.js';
import { ok, type Result } from '../model/failure.js';
import type { ProposedFact } from '../model/proposed-fact.js';
import { citationsOfEach, type SourceFiles } from './citations.js';
import { type CampaignToGrade, gather } from './grade-campaign.js';
import { matchAccept } from './match.js';
import { normalize, splitSentences, withoutFences } from './text.js';

/** The answers of one run to the prompts of a task. */
export interface PooledAnswers {
  trialId: string;
  /** By prompt; null where the prompt has no answer. */
  answers: (string | null)[];
}

/** Lengths of a sentence that may state one relation, in characters. */
const [MIN_CHARS, MAX_CHARS] = [30, 400];
const MAX_STRINGS = 4;
const MAX_PLACES = 4;

/** Reads the answers of all finished runs of a task, whatever their arm. Fails with 'io' or 'bad-input'. */
export async function readPooledAnswers(
  campaign: Pick<CampaignToGrade, 'dir' | 'plan' | 'expects' | 'prompts' | 'configFile' | 'profile' | 'host'>,
  task: string,
): Promise<Result<PooledAnswers[]>> {
  const pooled: PooledAnswers[] = [];
  for (const trial of campaign.plan.trials.filter((one) => one.task === task)) {
    const gathered = await gather(
      { ...campaign, sourceOf: async () => ({ problem: 'answers need no source' }) },
      trial,
    );
    if (!gathered.ok) return gathered;
    if (gathered.value) pooled.push({ trialId: trial.id, answers: gathered.value.toGrade.answers });
  }
  return ok(pooled);
}

/**
 * Proposes facts from answers: each sentence with a citation that resolves, once for each set of identifiers. The first are those that most
 * runs state. Sentences that state a known fact are left out.
 */
export function proposeFacts(
  pooled: PooledAnswers[],
  { prompts, expects, source }: { prompts: string[]; expects: Expects | undefined; source: SourceFiles },
): ProposedFact[] {
  const asked = normalize(prompts.join('\n'));
  const known = (expects?.facts ?? []).filter(({ accept }) => accept.length > 0);
  const ids = new Set([...(expects?.facts ?? []), ...(expects?.wrong ?? [])].map(({ id }) => id));
  const claims = new Set(expects?.facts.map(({ claim }) => normalize(claim)));
  const found = new Map<string, { proposal: ProposedFact; trials: Set<string> }>();
  for (const { trialId, prompt, sentence, places } of citedSentences(pooled, source)) {
    const text = normalize(sentence);
    if (claims.has(text)) continue;
    if (known.some((fact) => fact.prompt === prompt && matchAccept(text, fact.accept, fact.claim).match)) continue;
    const strings = identifiersOf(sentence, places)
      .filter((one) => !asked.includes(one))
      .slice(0, MAX_STRINGS);
    // A single name is mentioned by answers that state no relation, so it makes no fact that can be matched.
    const accept = strings.length < 2 ? [] : [strings];
    const key = JSON.stringify([prompt, accept.length > 0 ? strings.toSorted() : text]);
    const earlier = found.get(key);
    if (earlier) {
      earlier.trials.add(trialId);
      const { fact } = earlier.proposal;
      fact.at = [...new Set([...fact.at, ...places])].slice(0, MAX_PLACES);
      continue;
    }
    const id = freeId(strings, ids);
    const because = `proposed from the answer of ${trialId} to prompt ${prompt}`;
    const fact = { id, prompt, vital: accept.length > 0, claim: sentence, at: places.slice(0, MAX_PLACES), accept };
    found.set(key, { proposal: { fact: { ...fact, because }, runs: 0 }, trials: new Set([trialId]) });
  }
  return [...found.values()]
    .map(({ proposal, trials }) => ({ ...proposal, runs: trials.size }))
    .toSorted((a, b) => a.fact.prompt - b.fact.prompt || b.runs - a.runs);
}

interface CitedSentence {
  trialId: string;
  prompt: number;
  sentence: string;
  /** As `at` of a fact has them; at least one. */
  places: string[];
}

function citedSentences(pooled: PooledAnswers[], source: SourceFiles): CitedSentence[] {
  const sentences = pooled.flatMap(({ trialId, answers }) =>
    answers.flatMap((answer, prompt) =>
      splitSentences(withoutFences(answer ?? ''))
        .map(plainSentence)
        .filter(({ length }) => length >= MIN_CHARS && length <= MAX_CHARS)
        .filter((sentence) => !sentence.endsWith('?'))
        .map((sentence) => ({ trialId, prompt, sentence })),
    ),
  );
  const citations = citationsOfEach(
    sentences.map(({ sentence }) => sentence),
    source,
  );
  return sentences.flatMap((sentence, index) => {
    const resolved = (citations[index] ?? []).flatMap(({ text, file, state }) =>
      state !== 'resolved' || file === undefined ? [] : [file + (/:.*$/.exec(text)?.[0] ?? '')],
    );
    // A sentence with an invented citation is no evidence for anything.
    if (resolved.length === 0 || resolved.length < (citations[index] ?? []).length) return [];
    const exact = resolved.filter((place) => place.includes(':'));
    return [{ ...sentence, places: [...new Set(exact.length > 0 ? exact : resolved)] }];
  });
}

/** A sentence without the Markdown signs around it. */
function plainSentence(sentence: string): string {
  return sentence
    .replace(/^(?:\s*(?:[-*+>]|\d+[.)]|#{1,6})\s+)*/, '')
    .replaceAll('**', '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The names of code in a sentence, lower case, in order: all within back-ticks, and those that no prose has. */
function identifiersOf(sentence: string, places: string[]): string[] {
  const files = places.map((place) => place.replace(/:.*$/, '').split('/').at(-1) ?? '');
  const isFile = (token: string) => files.some((file) => token.endsWith(file));
  const quoted = new Set([...sentence.matchAll(/`([^`]+)`/g)].flatMap(([, code]) => namesIn(code ?? '')));
  const names = namesIn(sentence).filter(
    (name) => quoted.has(name) || /\p{Ll}\p{Lu}|_/u.test(name) || sentence.includes(`${name}(`),
  );
  const own = names
    .filter((name) => !isFile(name))
    .map((name) => (name.split('.').at(-1) ?? name).toLowerCase())
    .filter((name) => name.length > 2 && !/^\d/.test(name));
  return [...new Set(own)];
}

function namesIn(text: string): string[] {
  // The folders of a path are no names of code; its symbol, after a colon, is one.
  return [...text.matchAll(/[\p{L}\p{N}_$./-]+/gu)]
    .map(([token]) => token.replace(/^[./-]+|[./-]+$/g, ''))
    .filter((token) => token !== '' && !/[/-]/.test(token));
}

/** An id that no fact has yet, from the first names. It is added to `ids`. */
function freeId(names: string[], ids: Set<string>): string {
  const own =
    names
      .slice(0, 2)
      .join('-')
      .replaceAll(/[^A-Za-z0-9-]/g, '')
      .replace(/^-+/, '') || 'fact';
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? own : `${own}-${count}`;
    if (ids.has(id)) continue;
    ids.add(id);
    return id;
  }
}
