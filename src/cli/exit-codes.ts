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
