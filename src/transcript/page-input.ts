import { asString, type Fields, toJson } from '../util/fields.js';

/** What a call is about, by the names that tools give it. */
const MAIN_KEYS = ['command', 'query', 'file_path', 'notebook_path', 'pattern', 'path', 'url', 'prompt', 'skill'];

/** A call's input as one text: what it is about first, then the rest as `key=value`; "" for an empty one. */
export function inputText(input: Fields): string {
  const main = MAIN_KEYS.find((key) => asString(input[key]));
  const rest = Object.entries(input)
    .filter(([key]) => key !== main)
    .map(([key, value]) => `${key}=${asString(value) ?? toJson(value)}`);
  return [...(main === undefined ? [] : [asString(input[main]) ?? '']), ...rest].join('  ');
}
