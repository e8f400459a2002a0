import type { EngineProfile, ExploreResponse } from '../model/engine.js';
import { detach } from './fields.js';

/** Characters of answers that are kept to recognise them again: several hundred answers. */
const KEPT_CHARS = 8_000_000;

/** Parses explore responses at once, so that their text can go, and shares one result between equal texts. */
export class ResponseReader {
  /** The latest texts, oldest first. Not all of them: that would keep everything that was ever returned. */
  private readonly known = new Map<string, ExploreResponse>();
  private keptChars = 0;

  constructor(private readonly profile: EngineProfile) {}

  /** The response in a result's text; shared, so not to be changed. */
  read(text: string): ExploreResponse {
    const known = this.known.get(text);
    if (known) return known;
    const response = detached(this.profile.parseResponse(text));
    this.known.set(text, response);
    this.keptChars += text.length;
    for (const [oldest] of this.known) {
      if (this.keptChars <= KEPT_CHARS) break;
      this.known.delete(oldest);
      this.keptChars -= oldest.length;
    }
    return response;
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
