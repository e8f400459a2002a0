/** Stands in report.txt between the short report and the whole one. */
const WHOLE_REPORT = '\n\n====== THE WHOLE REPORT ======\n\n';

/** Returns what report.txt holds: the short report, then the whole one. */
export function reportFile({ brief, text }: { brief: string | null; text: string }): string {
  return brief === null ? text : `${brief}${WHOLE_REPORT}${text}`;
}

/** Returns the short report that a report.txt begins with; null if it has none. */
export function briefOfFile(text: string): string | null {
  const end = text.indexOf(WHOLE_REPORT);
  return end === -1 ? null : text.slice(0, end);
}
