import type { EngineProfile } from '../model/engine.js';
import { promptTokens, type Segment, type Session } from '../model/session.js';
import type { LineDamage } from './event-lines.js';
import {
  clearedIds,
  fallbackEvent,
  hookResponse,
  initEvent,
  isKnownEvent,
  newSegment,
  preservedUuids,
  resultEvent,
  retryEvent,
} from './events.js';
import { asFields, asString, type Fields } from './fields.js';
import { isSameModel } from './models.js';
import { responseReader } from './responses.js';
import { NO_ROW, Rows } from './rows.js';
import { Threads } from './threads.js';

/** Gathers a Session from parsed lines, one segment after the other. */
export class SessionBuilder {
  private readonly segments: Segment[] = [];
  private readonly rows = new Rows();
  private readonly threads: Threads;
  private readonly fallbackModels: string[] = [];
  private readonly otherModels = new Set<string>();
  private readonly unparsedLines: { file: string; line: number }[] = [];
  private lines = 0;
  private lostLines = 0;
  private segment: Segment = newSegment('');
  /** Number of the line that was read last. */
  private line = 0;
  /** The model that the session began with, and the one that answered last on the main thread. */
  private firstModel: string | undefined;
  private lastModel: unknown;
  private readonly answers: string[] = [];

  constructor(profile: EngineProfile) {
    this.threads = new Threads(profile, responseReader(profile), this.rows);
  }

  /** What follows comes from this file. */
  startSegment(file: string): void {
    this.segment = newSegment(file);
    this.segments.push(this.segment);
    this.rows.startSegment();
    this.threads.takeLatestText();
    this.threads.takeFreshRequests();
    this.line = 0;
  }

  /** Takes an event of a line; undefined: the line, or a part of it, is no event. A damaged line is listed, for its figures may be off. */
  addLine(event: Fields | undefined, line: number, damage: LineDamage | undefined): void {
    if (line !== this.line) this.lines++;
    this.line = line;
    if (event) this.addEvent(event);
    if (!event || damage) this.noteUnparsed(line);
    if (damage === 'lost') this.lostLines++;
  }

  /** Lists a line once, however many events it holds. */
  private noteUnparsed(line: number): void {
    const { file } = this.segment;
    const last = this.unparsedLines.at(-1);
    if (last?.file !== file || last.line !== line) this.unparsedLines.push({ file, line });
  }

  /** The session, once every line is in. */
  finish(): Session {
    const threads = this.threads.finish();
    const hasResult = this.segments.some(({ results }) => results.length > 0);
    return {
      files: this.segments.map(({ file }) => file),
      segments: this.segments,
      threads,
      answer: hasResult ? joined(this.answers) : this.threads.main.lastText,
      diagnostics: {
        lines: this.lines,
        unparsedLines: this.unparsedLines,
        lostLines: this.lostLines,
        repeatedRows: this.rows.repeated,
        retries: this.segments.reduce((sum, { retries }) => sum + retries.length, 0),
        fallbackModels: this.fallbackModels,
        otherModels: [...this.otherModels],
        subagentErrors: this.threads.subagentErrors,
        knownEvents: this.segments.reduce((sum, { knownEvents }) => sum + knownEvents, 0),
      },
    };
  }

  private addEvent(event: Fields): void {
    const isKnown = isKnownEvent(event);
    // A row on disk is a link of the chain whatever it holds. Partial messages of the stream are many, and no rows.
    if (!isKnown && event.parentUuid === undefined) return;
    const row = event.type === 'stream_event' ? NO_ROW : this.rows.add(event);
    if (isKnown) this.segment.knownEvents++;
    if (!isKnown || row === undefined) return;
    const { segment } = this;
    segment.lastSessionId = asString(event.session_id) ?? asString(event.sessionId) ?? segment.lastSessionId;
    switch (event.type) {
      case 'assistant':
        this.addAssistant(event, row);
        break;
      case 'user':
        this.threads.addUser(event, row);
        break;
      case 'result':
        this.addResult(event);
        break;
      case 'system':
        this.addSystem(event, row);
        break;
    }
  }

  private addAssistant(event: Fields, row: number): void {
    const isMain = this.threads.idOf(event) === null;
    const model = asFields(event.message)?.model;
    // Made up by the host (API errors, unknown slash commands): the model said nothing.
    if (model === '<synthetic>' || event.isApiErrorMessage === true) {
      if (isMain) this.segment.lastSyntheticError = asString(event.error) ?? '';
      return;
    }
    if (isMain) this.segment.lastSyntheticError = undefined;
    if (isMain && model !== this.lastModel) this.noteModel(model);
    this.threads.addAssistant(event, this.segments.length - 1, row);
  }

  private noteModel(model: unknown): void {
    this.lastModel = model;
    const name = asString(model);
    if (name === undefined) return;
    this.firstModel ??= name;
    const expected = this.segment.inits.at(-1)?.model ?? this.firstModel;
    if (!isSameModel(name, expected)) this.otherModels.add(name);
  }

  /**
   * The answer to a prompt is the result's text; where that is empty, what the last request said. A failed result says
   * "API Error: …" and answers nothing.
   */
  private addResult(event: Fields): void {
    const requests = this.threads.takeFreshRequests();
    const hadUsage = requests.every((request) => promptTokens(request) > 0);
    const result = resultEvent(event, { hadRequests: requests.length > 0, hadUsage });
    this.segment.results.push(result);
    const text = this.threads.takeLatestText();
    if (!result.isError) this.answers.push(result.text || (text ?? ''));
  }

  private addSystem(event: Fields, row: number): void {
    const { segment } = this;
    const fallback = fallbackEvent(event);
    if (fallback) {
      this.fallbackModels.push(fallback.model);
      this.rows.retract(fallback.retracted);
      return;
    }
    switch (event.subtype) {
      case 'init':
        segment.inits.push(initEvent(event));
        break;
      case 'api_retry':
      case 'api_error':
        segment.retries.push(retryEvent(event, segment.retries.length));
        break;
      case 'hook_response':
        segment.hookResponses.push(hookResponse(event));
        break;
      case 'task_notification':
        if (event.status === 'stopped') segment.stoppedTasks++;
        break;
      case 'compact_boundary':
      case 'compaction':
        this.threads.addCompaction(event, preservedUuids(event), row);
        break;
      case 'microcompact_boundary':
        this.threads.addClearing(event, clearedIds(event), row);
        break;
    }
  }
}

/** Texts that are not empty, with a blank line between them; undefined if there is none. */
function joined(texts: string[]): string | undefined {
  const given = texts.filter((text) => text !== '');
  return given.length === 0 ? undefined : given.join('\n\n');
}
