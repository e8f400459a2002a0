/** What progress is written to: standard error, or anything that takes text. */
export interface ProgressStream {
  write(text: string): unknown;
  /** Size of the terminal; undefined when it is none. */
  columns?: number;
  rows?: number;
}

/** The last lines of a terminal, rewritten in place. What is `above` scrolls past them and stays. */
export class LiveArea {
  private drawn = 0;

  constructor(private readonly stream: ProgressStream) {}

  /** Replaces the lines; none: the area is gone. No line may be wider than the terminal. */
  draw(lines: string[]): void {
    this.stream.write(this.erasing() + lines.join('\n'));
    this.drawn = lines.length;
  }

  above(text: string): void {
    this.stream.write(`${this.erasing()}${text}\n`);
    this.drawn = 0;
  }

  /** To the area's first line, and everything from there on gone. */
  private erasing(): string {
    const up = this.drawn > 1 ? `\u001b[${this.drawn - 1}A` : '';
    return this.drawn > 0 ? `\r${up}\u001b[J` : '';
  }
}
