import type { Advice, ArmRun } from '../model/summary.js';

/** Codes of warnings about the logs themselves: no figure made of such logs means what its label says. */
const ABOUT_LOGS: Advice['code'][] = ['same-session', 'missing-segment'];

/** Whether a warning is about the set of logs, and so has to stand before any figure. */
export function isAboutLogs({ code }: Advice): boolean {
  return ABOUT_LOGS.includes(code);
}

/**
 * Returns what is wrong with a set of logs as such: one session under several names, and runs of which a segment is missing.
 * `runs` are all runs that are read together; only what concerns a run of `among` is returned.
 */
export function logSetWarnings(runs: ArmRun[], among: ArmRun[] = runs): Advice[] {
  const names = new Set(among.map(({ name }) => name));
  const concerns = (one: string[]) => one.some((name) => names.has(name));
  const shared = sameSessions(runs)
    .filter(concerns)
    .map((group): Advice => {
      return {
        code: 'same-session',
        message: `${group.join(', ')} are one session, read ${group.length} times`,
        advice: 'keep one of these logs and run the others again: a session cannot be compared with itself',
      };
    });
  const missing = runs.flatMap(({ name, measure }): Advice[] => {
    const segments = measure?.diagnostics.missingSegments ?? [];
    if (segments.length === 0 || !concerns([name])) return [];
    const which = segments.map((segment) => (segment === 1 ? 'the first log' : `.t${segment}`)).join(', ');
    return [
      {
        code: 'missing-segment',
        message: `${name} has later logs, but not ${which}: its figures are those of a part of the session`,
        advice: 'put the missing log beside the others, or leave the run out',
      },
    ];
  });
  return [...shared, ...missing];
}

/** The names of runs that share a session id, a list for each session that has several. */
function sameSessions(runs: ArmRun[]): string[][] {
  const bySession = new Map<string, Set<string>>();
  for (const { name, measure } of runs) {
    for (const { sessionId } of measure?.diagnostics.segments ?? []) {
      if (sessionId !== null) bySession.set(sessionId, (bySession.get(sessionId) ?? new Set()).add(name));
    }
  }
  const groups = [...bySession.values()].filter(({ size }) => size > 1).map((group) => [...group]);
  // A session of several segments may have several ids, for the same runs.
  return [...new Map(groups.map((group) => [group.join('\n'), group])).values()];
}
