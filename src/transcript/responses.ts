import type { EngineProfile, ExploreResponse } from '../model/engine.js';
import { detach } from './fields.js';
import { KeptTexts } from './kept-texts.js';

/** Characters of answers that are kept to recognise them again: some eighty answers. */
const KEPT_CHARS = 1_500_000;

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
  private readonly known = new KeptTexts<ExploreResponse>(KEPT_CHARS);

  constructor(private readonly profile: EngineProfile) {}

  /** The response in a result's text; shared, so not to be changed. */
  read(text: string): ExploreResponse {
    return this.known.get(text) ?? this.known.keep(text, detached(this.profile.parseResponse(text)));
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
