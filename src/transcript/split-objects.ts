import { asFields, type Fields } from '../util/fields.js';

/** The objects in a line, and what else stood in it. */
export interface SplitLine {
  objects: Fields[];
  /** `none`: nothing but white space and NUL bytes. `foreign`: text without any brace, so no part of an event. `lost`: the rest. */
  rest: 'none' | 'foreign' | 'lost';
}

/** Broken objects in one line after which the rest of it is given up: each is searched for its end. */
const MAX_BROKEN = 20;
/** NUL bytes are what a power loss leaves of blocks that were never written. */
const PADDING = /[\s\0]*/y;

/**
 * Splits a line that is not one JSON value: several objects one after the other, padding of NUL bytes, or an object that was cut
 * off with another one behind it. `eventStart` is a global pattern of how an event begins.
 */
export function splitObjects(line: string, eventStart: RegExp): SplitLine {
  const objects: Fields[] = [];
  let rest: SplitLine['rest'] = 'none';
  let at = 0;
  for (let broken = 0; broken < MAX_BROKEN; ) {
    PADDING.lastIndex = at;
    at += PADDING.exec(line)?.[0].length ?? 0;
    if (at >= line.length) return { objects, rest };
    const end = line[at] === '{' ? endOfObject(line, at) : undefined;
    const object = end === undefined ? undefined : parse(line.slice(at, end));
    if (end !== undefined && object !== undefined) {
      objects.push(object);
      at = end;
      continue;
    }
    broken++;
    eventStart.lastIndex = at + 1;
    const next = eventStart.exec(line)?.index ?? line.length;
    if (/[{}]/.test(line.slice(at, next))) rest = 'lost';
    else if (rest === 'none') rest = 'foreign';
    at = next;
  }
  return { objects, rest: 'lost' };
}

/** The position after the brace that closes the object; undefined if none does. */
function endOfObject(line: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < line.length; at++) {
    const char = line[at];
    if (isInString) {
      if (char === '\\') at++;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return at + 1;
  }
  return undefined;
}

function parse(text: string): Fields | undefined {
  try {
    return asFields(JSON.parse(text));
  } catch {
    return undefined;
  }
}
