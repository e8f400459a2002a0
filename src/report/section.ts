/** A titled part of the report, before it is text or Markdown. */
export interface Section {
  title: string;
  lines: string[];
  table?: { head: string[]; rows: string[][] };
  /** Under the table. */
  after: string[];
}
