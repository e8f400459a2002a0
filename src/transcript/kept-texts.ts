/** What was made of the latest long texts, to be found again when one of them comes again. Bounded by their characters. */
export class KeptTexts<Made> {
  /** Oldest first. */
  private readonly kept: { text: string; made: Made }[] = [];
  /** By length: comparing equal lengths is cheaper than a hash of every text. */
  private readonly byLength = new Map<number, { text: string; made: Made }[]>();
  private keptChars = 0;

  constructor(private readonly maxChars: number) {}

  /** What was made of this very text, if it is still kept. */
  get(text: string): Made | undefined {
    const alike = this.byLength.get(text.length);
    if (alike === undefined) return undefined;
    for (const one of alike) if (one.text === text) return one.made;
    return undefined;
  }

  /** Keeps what was made of a text that is not kept, and lets the oldest ones go for it; returns it. */
  keep(text: string, made: Made): Made {
    const fresh = { text, made };
    const alike = this.byLength.get(text.length);
    if (alike) alike.push(fresh);
    else this.byLength.set(text.length, [fresh]);
    this.kept.push(fresh);
    this.keptChars += text.length;
    while (this.keptChars > this.maxChars) this.forgetOldest();
    return made;
  }

  private forgetOldest(): void {
    const oldest = this.kept.shift();
    if (!oldest) return;
    const { length } = oldest.text;
    this.keptChars -= length;
    const left = (this.byLength.get(length) ?? []).filter((one) => one !== oldest);
    if (left.length > 0) this.byLength.set(length, left);
    else this.byLength.delete(length);
  }
}
