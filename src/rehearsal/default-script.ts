import { posix } from 'node:path';
import { STRUCTURED_OUTPUT, scriptedJudge } from './judge-script.js';
import type { RehearsalCall, RehearsalTurn, Reply } from './types.js';
import { choice, namedFiles, namedSymbol, salientWords } from './words.js';

/** More answers than any plan below has steps: the conversation ends here whatever the tools say. */
const MOST_STEPS = 7;

/**
 * A plausible agent: explores (or greps), reads a file of what it found, edits when asked for a change, and answers with the
 * paths it was shown. How far it goes differs with the repetition, by a hash: same plan, same sessions.
 */
export function defaultRehearsalScript(turn: RehearsalTurn): Reply {
  if (turn.isCompaction) return { text: summaryOf(turn) };
  if (turn.tools.includes(STRUCTURED_OUTPUT)) return scriptedJudge(turn);
  // Titles, summaries and the like come without tools or without a prompt.
  if (turn.prompt === '' || turn.tools.length === 0) return { text: 'A question about the code of this repository.' };
  if (turn.isSubagent) return { text: 'Nothing beyond what the caller has seen already.' };
  const next = turn.step < MOST_STEPS ? nextCall(turn) : undefined;
  if (next && turn.tools.includes(next.call.name)) return { text: next.text, toolCalls: [next.call] };
  return { text: answer(turn) };
}

interface Step {
  text: string;
  call: { name: string; input: Record<string, unknown> };
}

function nextCall(turn: RehearsalTurn): Step | undefined {
  const explore = turn.tools.find((name) => name.endsWith('_explore'));
  return (explore ? exploreStep(turn, explore) : searchStep(turn)) ?? readStep(turn) ?? editStep(turn);
}

/** One explore call a prompt, or two. */
function exploreStep(turn: RehearsalTurn, tool: string): Step | undefined {
  const words = salientWords(turn.prompt);
  const earlier = callsOf(turn, tool);
  const first = earlier[0];
  if (!first)
    return { text: 'I look at the code first.', call: { name: tool, input: { query: words.slice(0, 4).join(' ') } } };
  if (earlier.length > 1 || choice(turn, 'explore again', 3) > 0 || turn.step > 1) return undefined;
  const query = [namedSymbol(first.text) ?? words[1] ?? words[0] ?? 'main', words[0] ?? ''].join(' ').trim();
  return { text: 'One more look, closer.', call: { name: tool, input: { query } } };
}

/** Greps word by word until a source file turns up; sometimes looks around first. */
function searchStep(turn: RehearsalTurn): Step | undefined {
  const shell = callsOf(turn, 'Bash');
  if (turn.step === 0 && choice(turn, 'look around', 3) === 0) {
    return {
      text: 'I look around first.',
      call: { name: 'Bash', input: { command: 'ls', description: 'List the top folder' } },
    };
  }
  const searches = shell.filter(({ input }) => String(input.command).startsWith('grep'));
  if (searches.some(({ text }) => namedFiles(text).length > 0)) return undefined;
  const word = salientWords(turn.prompt).slice(0, 4)[searches.length];
  if (word === undefined) return undefined;
  // Sorted: the order in which grep walks a folder differs from copy to copy.
  const command = `grep -rnF --exclude='*.md' '${word}' . | sort | head -n 20`;
  return {
    text: `I search for ${word}.`,
    call: { name: 'Bash', input: { command, description: `Search for ${word}` } },
  };
}

function readStep(turn: RehearsalTurn): Step | undefined {
  const file = foundFiles(turn)[0];
  if (file === undefined || turn.earlierCalls.some((call) => isReading(call))) return undefined;
  const explored = turn.earlierCalls.some(({ name }) => name.endsWith('_explore'));
  // An explore answer holds source already: only some sessions read the file as well. An edit needs it read.
  if (explored && !asksForChange(turn) && choice(turn, 'read', 2) === 0) return undefined;
  if (!asksForChange(turn) && choice(turn, 'sed', 4) === 0) {
    return {
      text: 'I read its beginning.',
      call: { name: 'Bash', input: { command: `sed -n '1,60p' ${file}`, description: `Read ${file}` } },
    };
  }
  return { text: `I read ${file}.`, call: { name: 'Read', input: { file_path: absolute(turn, file), limit: 120 } } };
}

/** A comment after a line that stands only once in what was read; a new file when nothing was. */
function editStep(turn: RehearsalTurn): Step | undefined {
  if (!asksForChange(turn) || turn.earlierCalls.some(({ name }) => name === 'Edit' || name === 'Write'))
    return undefined;
  const read = callsOf(turn, 'Read').find(({ isError }) => !isError);
  const word = salientWords(turn.prompt)[0] ?? 'change';
  const line = read && uniqueLine(read.text);
  if (!read || line === undefined) {
    const input = { file_path: absolute(turn, 'CHANGE.md'), content: `${turn.prompt}\n` };
    return { text: 'I write down the change.', call: { name: 'Write', input } };
  }
  const input = { file_path: read.input.file_path, old_string: line, new_string: `${line} // ${word}` };
  return { text: 'I make the change.', call: { name: 'Edit', input } };
}

/** Read shows lines as number, tab (or arrow), text. */
function uniqueLine(text: string): string | undefined {
  const lines = text.split('\n').flatMap((line) => /^\s*\d+[\t→](.*)$/.exec(line)?.[1] ?? []);
  const whole = lines.join('\n');
  return lines.find((line) => /[;{]$/.test(line) && whole.split(line).length === 2);
}

function answer(turn: RehearsalTurn): string {
  const files = foundFiles(turn);
  const shown = turn.earlierCalls.map(({ text }) => namedSymbol(text)).find((symbol) => symbol !== undefined);
  const symbol = shown ?? salientWords(turn.prompt)[0] ?? 'it';
  if (files.length === 0) return `I found nothing in this repository that settles \`${symbol}\`.`;
  const cited = files.slice(0, 1 + choice(turn, 'cite', 2));
  const changed = turn.earlierCalls.some(({ name, isError }) => (name === 'Edit' || name === 'Write') && !isError);
  const opening = changed ? 'The change is made' : 'The flow is this';
  return `${opening}: \`${symbol}\` is where it starts, in ${cited.join(' and then ')}. The rest follows from there.`;
}

/** Keeps the prompt, the files that were found since it, and the last words. */
function summaryOf(turn: RehearsalTurn): string {
  const files = foundFiles(turn).slice(0, 5);
  const found = files.length === 0 ? 'No file was found.' : `Files found: ${files.join(', ')}.`;
  return `<summary>\nThe question was: ${turn.prompt}\n${found}\n${turn.lastText}\n</summary>`;
}

function foundFiles(turn: RehearsalTurn): string[] {
  const searches = turn.earlierCalls.filter(
    (call) => !call.isError && !isReading(call) && !/^ls/.test(String(call.input.command)),
  );
  return [
    ...new Set(searches.flatMap(({ name, text }) => (name === 'Edit' || name === 'Write' ? [] : namedFiles(text)))),
  ];
}

function isReading({ name, input }: RehearsalCall): boolean {
  return name === 'Read' || (name === 'Bash' && String(input.command).startsWith('sed'));
}

function callsOf(turn: RehearsalTurn, name: string): RehearsalCall[] {
  return turn.earlierCalls.filter((call) => call.name === name);
}

function asksForChange({ prompt }: RehearsalTurn): boolean {
  return /^(add|change|fix|implement|make|remove|rename|replace)\b/i.test(prompt);
}

function absolute({ workingDirectory }: RehearsalTurn, file: string): string {
  return posix.join(workingDirectory ?? '/', file);
}
