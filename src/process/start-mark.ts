/** The environment variable by which every process that one start of agent-eval has started can be found. */
export const START_VARIABLE = 'AGENT_EVAL_START';

let ownMark: string | undefined;

/** From now on every process that we start carries this value; undefined ends that. */
export function setStartMark(mark: string | undefined): void {
  ownMark = mark;
}

/** The variables that a process which we start needs beside its own. */
export function startMark(): Record<string, string> {
  return ownMark === undefined ? {} : { [START_VARIABLE]: ownMark };
}
