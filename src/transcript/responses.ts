import type { EngineProfile, ExploreResponse } from '../model/engine.js';
import { detach } from './fields.js';

/** Characters of answers that are kept to recognise them again: about a hundred answers. */
const KEPT_CHARS = 2_000_000;

interface Known {
  text: string;
  response: ExploreResponse;
}

/** One for all sessions: the runs of a task get many of the same answers. */
const readers = new WeakMap<EngineProfile, ResponseReader>();

/** The reader of this engine's answers. */
export function responseReader(profile: EngineProfile): ResponseReader {
  const reader = readers.get(profile) ?? new ResponseReader(profile);
  readers.set(profile, reader);
  return reader;
}

/** Parses explore responses at once, so that their text can go, and shares one result between equal texts. */
export class ResponseReader {
  /** The latest texts, oldest first. Not all of them: that would keep everything that was ever returned. */
  private readonly kept: Known[] = [];
  /** By length: comparing equal lengths is cheaper than a hash of every text. */
  private readonly byLength = new Map<number, Known[]>();
  private keptChars = 0;

  constructor(private readonly profile: EngineProfile) {}

  /** The response in a result's text; shared, so not to be changed. */
  read(text: string): ExploreResponse {
    const alike = this.byLength.get(text.length) ?? [];
    const known = alike.find((one) => one.text === text);
    if (known) return known.response;
    const fresh = { text, response: detached(this.profile.parseResponse(text)) };
    this.byLength.set(text.length, [...alike, fresh]);
    this.kept.push(fresh);
    this.keptChars += text.length;
    while (this.keptChars > KEPT_CHARS) this.forgetOldest();
    return fresh.response;
  }

  private forgetOldest(): void {
    const oldest = this.kept.shift();
    if (!oldest) return;
    const { length } = oldest.text;
    this.keptChars -= length;
    this.byLength.set(
      length,
      (this.byLength.get(length) ?? []).filter((one) => one !== oldest),
    );
  }
}

function detached(response: ExploreResponse): ExploreResponse {
  return {
    ...response,
    mentions: response.mentions.map(detach),
    sections: response.sections.map((section) => ({
      ...section,
      path: detach(section.path),
      symbols: section.symbols.map((symbol) => ({ ...symbol, name: detach(symbol.name), kind: detach(symbol.kind) })),
    })),
  };
}
