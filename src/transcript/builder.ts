import type { EngineProfile } from '../model/engine.js';
import type { Segment, Session } from '../model/session.js';
import { hookResponse, initEvent, isKnownEvent, newSegment, preservedUuids, resultEvent } from './events.js';
import { asFields, asNumber, asString, type Fields } from './fields.js';
import { responseReader } from './responses.js';
import { Threads } from './threads.js';

/** Gathers a Session from parsed lines, one segment after the other. */
export class SessionBuilder {
  private readonly segments: Segment[] = [];
  private readonly threads: Threads;
  private readonly fallbackModels: string[] = [];
  private readonly unparsedLines: { file: string; line: number }[] = [];
  private lines = 0;
  private segment: Segment = newSegment('');

  constructor(profile: EngineProfile) {
    this.threads = new Threads(profile, responseReader(profile));
  }

  /** What follows comes from this file. */
  startSegment(file: string): void {
    this.segment = newSegment(file);
    this.segments.push(this.segment);
  }

  /** Takes one line; undefined: it is no event. A damaged line is read, and told all the same: its figures may be off. */
  addLine(event: Fields | undefined, line: number, damaged: boolean): void {
    this.lines++;
    if (event) this.addEvent(event);
    if (!event || damaged) this.unparsedLines.push({ file: this.segment.file, line });
  }

  /** The session, once every line is in. */
  finish(): Session {
    return {
      files: this.segments.map(({ file }) => file),
      segments: this.segments,
      threads: this.threads.all(),
      answer: answerOf(this.segments, this.threads.main.lastText),
      diagnostics: {
        lines: this.lines,
        unparsedLines: this.unparsedLines,
        retries: this.segments.reduce((sum, { retries }) => sum + retries.length, 0),
        fallbackModels: this.fallbackModels,
        subagentErrors: this.threads.subagentErrors,
        knownEvents: this.segments.reduce((sum, { knownEvents }) => sum + knownEvents, 0),
      },
    };
  }

  private addEvent(event: Fields): void {
    if (!isKnownEvent(event)) return;
    const { segment } = this;
    segment.knownEvents++;
    segment.lastSessionId = asString(event.session_id) ?? asString(event.sessionId) ?? segment.lastSessionId;
    switch (event.type) {
      case 'assistant':
        this.addAssistant(event);
        break;
      case 'user':
        this.threads.addUser(event);
        break;
      case 'result':
        segment.results.push(resultEvent(event));
        break;
      case 'system':
        this.addSystem(event);
        break;
    }
  }

  private addAssistant(event: Fields): void {
    const isMain = this.threads.idOf(event) === null;
    // Made up by the host (API errors, unknown slash commands): the model said nothing (claude-code.md 2.7).
    if (asFields(event.message)?.model === '<synthetic>' || event.isApiErrorMessage === true) {
      if (isMain) this.segment.lastSyntheticError = asString(event.error) ?? '';
      return;
    }
    if (isMain) this.segment.lastSyntheticError = undefined;
    this.threads.addAssistant(event, this.segments.length - 1);
  }

  private addSystem(event: Fields): void {
    const { segment } = this;
    switch (event.subtype) {
      case 'init':
        segment.inits.push(initEvent(event));
        break;
      case 'api_retry':
        segment.retries.push({
          attempt: asNumber(event.attempt) ?? segment.retries.length + 1,
          errorStatus: asNumber(event.error_status),
          error: asString(event.error),
        });
        break;
      case 'model_fallback':
        this.fallbackModels.push(asString(event.fallback_model) ?? '');
        break;
      case 'hook_response':
        segment.hookResponses.push(hookResponse(event));
        break;
      case 'task_notification':
        if (event.status === 'stopped') segment.stoppedTasks++;
        break;
      case 'compact_boundary':
      case 'compaction':
        this.threads.addCompaction(event, preservedUuids(event));
        break;
    }
  }
}

/**
 * The answer (spec/metrics.md 4). What a failed result says ("API Error: …") answers nothing; the last text stands in
 * only in a transcript without any result, else mere narration would be taken for an answer.
 */
function answerOf(segments: Segment[], lastText: string | undefined): string | undefined {
  const results = segments.flatMap((segment) => segment.results);
  if (results.length === 0) return lastText;
  const texts = results.flatMap(({ isError, text }) => (isError || !text ? [] : [text]));
  return texts.length === 0 ? undefined : texts.join('\n\n');
}
