const WORDS = 4;
const FIRST_CAPACITY = 1 << 10;
/** Part of the slots that may be taken before the table grows. */
const MAX_LOAD = 0.7;
const UUID_CHARS = 36;
const EMPTY = -1;

/** The value of each hexadecimal digit by its character code; 255 for every other character. */
const DIGITS = new Uint8Array(256).fill(255);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGITS[digit.charCodeAt(0)] = value;
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value;
}

/**
 * A number for each uuid. A log of some GB has a million rows: in a Map, all of their uuids would be kept as texts, which the garbage
 * collector has to look through. Ids of another form are kept as texts.
 */
export class UuidTable {
  private readonly others = new Map<string, number>();
  /** Four words of a uuid for each slot; the first 32 bits choose the slot. */
  private words = new Uint32Array(FIRST_CAPACITY * WORDS);
  private numbers = new Int32Array(FIRST_CAPACITY).fill(EMPTY);
  private taken = 0;
  private readonly parsed = new Uint32Array(WORDS);

  /** The number of a uuid; undefined if it has none. */
  get(uuid: string): number | undefined {
    if (!this.parse(uuid)) return this.others.get(uuid);
    const number = this.numbers[this.slot(this.parsed, 0)] ?? EMPTY;
    return number === EMPTY ? undefined : number;
  }

  /** Gives a uuid this number, unless it has one; false: it has. */
  add(uuid: string, number: number): boolean {
    if (!this.parse(uuid)) {
      if (this.others.has(uuid)) return false;
      this.others.set(uuid, number);
      return true;
    }
    const slot = this.slot(this.parsed, 0);
    if (this.numbers[slot] !== EMPTY) return false;
    this.words.set(this.parsed, slot * WORDS);
    this.numbers[slot] = number;
    this.taken++;
    if (this.taken > this.numbers.length * MAX_LOAD) this.grow();
    return true;
  }

  /** Reads a uuid's four words; false: the text has another form. */
  private parse(uuid: string): boolean {
    if (uuid.length !== UUID_CHARS) return false;
    let word = 0;
    let digits = 0;
    for (let at = 0; at < UUID_CHARS; at++) {
      const code = uuid.charCodeAt(at);
      if (at === 8 || at === 13 || at === 18 || at === 23) {
        if (code !== 0x2d) return false;
        continue;
      }
      const value = code < 256 ? (DIGITS[code] ?? 255) : 255;
      if (value === 255) return false;
      word = (word << 4) | value;
      if ((++digits & 7) === 0) this.parsed[(digits >> 3) - 1] = word;
    }
    return true;
  }

  /** The slot of the four words at `from`, or the free one where they belong. */
  private slot(words: Uint32Array, from: number): number {
    const { words: known, numbers } = this;
    const mask = numbers.length - 1;
    const a = words[from] ?? 0;
    const b = words[from + 1] ?? 0;
    const c = words[from + 2] ?? 0;
    const d = words[from + 3] ?? 0;
    // Uuids that are counted up differ in their last word, random ones in all.
    let slot = (a ^ Math.imul(d, 0x9e3779b1)) & mask;
    while (numbers[slot] !== EMPTY) {
      const at = slot * WORDS;
      if (known[at + 3] === d && known[at] === a && known[at + 1] === b && known[at + 2] === c) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private grow(): void {
    const { words, numbers } = this;
    this.words = new Uint32Array(words.length * 2);
    this.numbers = new Int32Array(numbers.length * 2).fill(EMPTY);
    for (let old = 0; old < numbers.length; old++) {
      const number = numbers[old] ?? EMPTY;
      if (number === EMPTY) continue;
      const slot = this.slot(words, old * WORDS);
      for (let word = 0; word < WORDS; word++) this.words[slot * WORDS + word] = words[old * WORDS + word] ?? 0;
      this.numbers[slot] = number;
    }
  }
}
