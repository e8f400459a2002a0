import type { EngineIdentity } from '../model/engine.js';
import type { CommandJudgement, ShellContext } from '../model/shell.js';
import { Runner } from './run.js';
import { fieldsOf, UNKNOWN } from './symbols.js';
import { asPosix } from './windows.js';

export { shellAccess } from './access.js';
export { HOOK_MARKER, mayReachEngine } from './quick.js';

/**
 * Classifies a shell command by what it does to the engine (docs/isolation.md, "What the classifier decides"). `invoke`
 * would run the engine's CLI in any spelling, `data` reads its index or talks to its daemon, and `mention` is anything
 * else. Pure except for what `context` looks up. Never throws: a command that cannot be parsed is classified by its
 * words.
 */
export function classifyCommand(
  command: string,
  identity: EngineIdentity,
  context: ShellContext = {},
): CommandJudgement {
  const judged = judgeText(command, identity, context);
  if (judged.class !== 'mention') return judged;
  const posix = asPosix(command, [identity.indexFolder]);
  return posix === undefined ? judged : judgeText(posix, identity, context);
}

function judgeText(command: string, identity: EngineIdentity, context: ShellContext): CommandJudgement {
  const runner = new Runner(identity, context);
  let isComplete = false;
  try {
    runner.runText(command, UNKNOWN);
    isComplete = !runner.isExhausted;
  } catch {
    // Judged by its words below.
  }
  const judged = runner.judgement();
  return isComplete || judged.class === 'invoke' ? judged : judgeWords(command, identity, judged);
}

/** Best effort for what cannot be parsed or is too long to follow: the words that look like commands of the engine. */
function judgeWords(command: string, identity: EngineIdentity, otherwise: CommandJudgement): CommandJudgement {
  const runner = new Runner(identity, {});
  try {
    for (const argv of roughCommands(command)) {
      if (argv.some((word) => word.includes(identity.name))) runner.runProgram(argv, UNKNOWN);
    }
  } catch {
    // What was found up to here stands.
  }
  const judged = runner.judgement();
  return judged.class === 'mention' ? otherwise : judged;
}

/** Splits a text that cannot be run as syntax into command words. Best effort. */
function roughCommands(text: string): string[][] {
  return text.split(/[;&|\n(){}`]+/).map((part) => fieldsOf(part.replace(/["'\\]/g, '')));
}
