import type { GateDecision } from '../analysis/index.js';

/** Exit codes, as documented in README.md. */
export const EXIT = {
  done: 0,
  /** A verdict, a gate or a selftest says no. */
  verdictNo: 1,
  badInput: 2,
  incomplete: 3,
  environmentUnfit: 4,
  interrupted: 130,
} as const;

/** The exit code with the gate: the campaign's own where it is not 0, else 1 for a no and 3 where nothing could be said. */
export function withGate(code: number, decision: Pick<GateDecision, 'result'> | null | undefined): number {
  if (code !== EXIT.done || !decision || decision.result === 'pass') return code;
  return decision.result === 'fail' ? EXIT.verdictNo : EXIT.incomplete;
}
