import type { EngineProfile, ExploreResponse } from '../model/engine.js';
import type { HostNotices } from '../model/session-host.js';
import { detach } from '../util/fields.js';
import { KeptTexts } from './kept-texts.js';
import { unwrapAnswer } from './unwrap.js';

/** Characters of answers that are kept to recognise them again: some eighty answers. */
const KEPT_CHARS = 1_500_000;

/** One for all sessions: the runs of a task get many of the same answers. */
const readers = new WeakMap<EngineProfile, WeakMap<HostNotices, ResponseReader>>();

/** Returns the reader of this engine's answers under this host. */
export function responseReader(profile: EngineProfile, notices: HostNotices): ResponseReader {
  const ofProfile = readers.get(profile) ?? new WeakMap<HostNotices, ResponseReader>();
  const reader = ofProfile.get(notices) ?? new ResponseReader(profile, notices);
  readers.set(profile, ofProfile.set(notices, reader));
  return reader;
}

/** Parses explore responses at once, so that their text can go, and shares one result between equal texts. */
export class ResponseReader {
  private readonly known = new KeptTexts<ExploreResponse>(KEPT_CHARS);

  constructor(
    private readonly profile: EngineProfile,
    private readonly notices: HostNotices,
  ) {}

  /** Returns the response in a result's text, unwrapped if need be. It is shared, so it must not be changed. */
  read(text: string): ExploreResponse {
    return this.known.get(text) ?? this.known.keep(text, detached(this.parse(text)));
  }

  private parse(text: string): ExploreResponse {
    const { profile } = this;
    const notice = this.notices.noticeIn(text);
    // The host's words for an empty result are not the engine's.
    const response = profile.parseResponse(notice === 'empty' ? '' : text);
    if (response.isUnread !== true) return response;
    if (notice === 'undelivered') return { ...response, isUnread: false };
    const answer = unwrapAnswer(text, (inner) => profile.parseResponse(inner).isUnread !== true && inner.trim() !== '');
    return answer === undefined ? response : profile.parseResponse(answer);
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
