/** A file's part of an explore answer, by section 4 of the spec. */
export interface NaiveSection {
  path: string;
  header: string;
  chars: number;
  /** Numbered source lines. */
  lines: [number: number, chars: number][];
}

/** Cut at the header lines outside of fences; the last section ends at a trailing quote or the text's end. */
export function naiveSections(text: string): NaiveSection[] {
  const sections: (NaiveSection & { text: string })[] = [];
  let isFenced = false;
  for (const line of text.split('\n')) {
    const header = isFenced ? null : (/^\*\*`(.+?)`\*\*/.exec(line) ?? /^#### (.+?) — /.exec(line));
    if (header) sections.push({ path: String(header[1]), header: line, chars: 0, lines: [], text: '' });
    const section = sections.at(-1);
    if (section) section.text += `${line}\n`;
    if (line.startsWith('```')) isFenced = !isFenced;
    const numbered = isFenced && /^(\d+)\t(.*)$/.exec(line);
    if (section && numbered) section.lines.push([Number(numbered[1]), String(numbered[2]).length]);
  }
  return sections.map((section, index) => {
    const isLast = index === sections.length - 1;
    // The text had no line end after its last line; the line break before a trailing quote goes with the quote.
    const whole = isLast ? section.text.slice(0, -1) : section.text;
    const body = isLast ? whole.replace(/\n> [^\n]*$/, '') : whole;
    return { path: section.path, header: section.header, chars: body.length, lines: section.lines };
  });
}

/** Section 4 for answers that cite whole paths, and symbols that one file alone defines. */
export function naiveAllocation(responses: NaiveSection[][], answer: string) {
  const sections = responses.flat();
  const spans = [...answer.matchAll(/`([^`]+)`/g)].map(([, span]) => span);
  const byPath = (section: NaiveSection) =>
    new RegExp(`(?<![\\w/.-])${section.path.replaceAll('.', '\\.')}(?![\\w/])`).test(answer);
  const bySymbol = (section: NaiveSection) => {
    const defined = /— (\w+)\(function\)/.exec(section.header)?.[1];
    return defined !== undefined && spans.includes(defined);
  };
  const used = sections.filter((section) => byPath(section) || bySymbol(section));
  const chars = (some: NaiveSection[]) => some.reduce((sum, section) => sum + section.chars, 0);
  return {
    envelopeChars: chars(sections),
    usedChars: chars(used),
    usedPathChars: chars(sections.filter(byPath)),
    efficiency: sections.length > 0 ? chars(used) / chars(sections) : null,
    filesReturned: new Set(sections.map(({ path }) => path)).size,
    filesUsed: new Set(used.map(({ path }) => path)).size,
  };
}

/** Section 7: pairs of file and line that an earlier call had delivered. */
export function naiveDuplicates(responses: NaiveSection[][]) {
  let sourceChars = 0;
  let duplicateChars = 0;
  responses.forEach((response, index) => {
    const before = responses.slice(0, index).flat();
    for (const { path, lines } of response) {
      for (const [number, chars] of lines) {
        sourceChars += chars;
        if (before.some((one) => one.path === path && one.lines.some(([line]) => line === number)))
          duplicateChars += chars;
      }
    }
  });
  return { sourceChars, duplicateChars };
}
