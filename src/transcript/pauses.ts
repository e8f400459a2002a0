import type { ModelRequest } from '../model/session.js';

/** Finds the longest time without an event before each request of a thread. */
export class Pauses {
  private lastMs: number | undefined;
  /** Since the last request. */
  private longestMs: number | undefined;
  /** A request whose own event has no time: the next event that has one ends the pause before it. */
  private open: ModelRequest | undefined;

  /** Takes an event of the thread that begins no request. `at`: its ISO time. */
  addEvent(at: string | undefined): void {
    const gapMs = this.advance(at);
    if (gapMs === undefined) return;
    // The time lies partly before the untimed request and partly after it: an upper bound for both.
    if (this.open) this.open.pauseMs = Math.max(this.open.pauseMs ?? 0, gapMs);
    this.longestMs = Math.max(this.longestMs ?? 0, gapMs);
    this.open = undefined;
  }

  /** Takes the first event of a request. */
  addRequest(request: ModelRequest, at: string | undefined): void {
    this.addEvent(at);
    request.pauseMs = this.longestMs;
    this.longestMs = undefined;
    this.open = at === undefined ? request : undefined;
  }

  private advance(at: string | undefined): number | undefined {
    const ms = at === undefined ? Number.NaN : Date.parse(at);
    if (Number.isNaN(ms)) return undefined;
    const gapMs = this.lastMs === undefined ? 0 : Math.max(0, ms - this.lastMs);
    this.lastMs = ms;
    return gapMs;
  }
}
