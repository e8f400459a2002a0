/** Things to undo, in reverse order of their doing. Each is tried whatever the others did. */
export class Teardown {
  private readonly steps: { name: string; undo: () => Promise<string | undefined> }[] = [];

  /** `undo` returns what went wrong, or undefined. */
  add(name: string, undo: () => Promise<string | undefined>): void {
    this.steps.push({ name, undo });
  }

  /** Undoes everything; returns one line for each step that failed. */
  async run(): Promise<string[]> {
    const problems: string[] = [];
    for (const { name, undo } of this.steps.reverse()) {
      try {
        const problem = await undo();
        if (problem !== undefined) problems.push(`${name}: ${problem}`);
      } catch (error) {
        problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    this.steps.length = 0;
    return problems;
  }
}
