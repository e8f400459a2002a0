/** A parsed JSON object of unknown shape. The readers here give what they name, or undefined, and never throw. */
export type Fields = Record<string, unknown>;

/** An object that is no list. */
export function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** A string. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A finite number. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Returns a finite number, also from a text that is one: some gateways write numbers as strings. */
export function asAmount(value: unknown): number | undefined {
  if (typeof value !== 'string') return asNumber(value);
  return value.trim() === '' ? undefined : asNumber(Number(value));
}

/** A list; what is none is an empty one. */
export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The strings of a list; what is not a string is left out. */
export function asStrings(value: unknown): string[] {
  return asList(value).filter((item): item is string => typeof item === 'string');
}

/** A value as JSON; "" where it has none, or is nested too deeply to be written. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

/**
 * A copy that shares no memory with the text it was cut from. V8 keeps the whole of a text alive for as long as any
 * slice of it lives, so that a path of twenty characters could hold on to a result of a megabyte.
 */
export function detach(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, 'utf8').toString('utf8');
}
