/** A string in a JSON text: its decoded value, the property that it is the value of, and whether it is itself the name of a property. */
type Rewrite = (value: string, property: string | undefined, isName: boolean) => string;

/**
 * A JSON text in which `rewrite` was applied to every string, names of properties too. All that is no changed string stays as it was,
 * byte for byte: numbers as they are written, the order of properties, white space. The text must be valid JSON.
 */
export function rewriteStrings(json: string, rewrite: Rewrite): string {
  const parts: string[] = [];
  let copied = 0;
  let property: string | undefined;
  for (let start = json.indexOf('"'); start !== -1; ) {
    const end = endOfString(json, start);
    const source = json.slice(start, end);
    const value: string = source.includes('\\') ? JSON.parse(source) : source.slice(1, -1);
    const isName = /^\s*:/.test(json.slice(end, end + 20));
    const after = rewrite(value, isName ? undefined : property, isName);
    if (after !== value) {
      parts.push(json.slice(copied, start), JSON.stringify(after));
      copied = end;
    }
    const next = json.indexOf('"', end);
    // A name holds for the value right after it, and for the strings of a list there; not beyond the value's end.
    if (isName) property = value;
    else if (!/^\s*,\s*$/.test(json.slice(end, next))) property = undefined;
    start = next;
  }
  return copied === 0 ? json : parts.join('') + json.slice(copied);
}

/** Where the string that begins at `start` ends, past its closing quote. */
function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (json.charCodeAt(quote - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  return json.length;
}
