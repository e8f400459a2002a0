import { createHash } from 'node:crypto';
import type { EngineProfile, ExploreResponse } from '../model/engine.js';
import { detach } from './fields.js';

/** Parses explore responses at once, so that their text can go, and shares one result between equal texts. */
export class ResponseReader {
  /** By hash: keeping the texts themselves would keep everything that was ever returned. */
  private readonly known = new Map<string, ExploreResponse>();

  constructor(private readonly profile: EngineProfile) {}

  /** The response in a result's text; shared, so not to be changed. */
  read(text: string): ExploreResponse {
    const key = createHash('sha256').update(text).digest('base64');
    const known = this.known.get(key);
    if (known) return known;
    const response = detached(this.profile.parseResponse(text));
    this.known.set(key, response);
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
