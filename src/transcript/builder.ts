import type { EngineProfile } from '../model/engine.js';
import type { HostLog } from '../model/host-log.js';
import type { EventPlace, LogEvent, ResultLogEvent } from '../model/log-event.js';
import { promptTokens, type Segment, type Session } from '../model/session.js';
import type { LineDamage } from './event-lines.js';
import { responseReader } from './responses.js';
import { realResult } from './results.js';
import { Rows } from './rows.js';
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
  private lastModel: string | undefined;
  private readonly answers: string[] = [];

  constructor(
    profile: EngineProfile,
    private readonly host: HostLog,
  ) {
    this.threads = new Threads(profile, host, responseReader(profile, host.notices), this.rows);
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
  addLine(event: LogEvent | undefined, line: number, damage: LineDamage | undefined): void {
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
    const { name, title, tools, notices, prices, compactionReserveTokens } = this.host;
    return {
      host: { name, title, tools, notices, prices, compactionReserveTokens },
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

  private addEvent(event: LogEvent): void {
    const isKnown = event.kind !== 'unknown';
    // A row of a tree is a link of the chain whatever it holds.
    if (!isKnown && event.parentId === undefined) return;
    const row = this.rows.add(event);
    if (isKnown) this.segment.knownEvents++;
    if (!isKnown || row === undefined) return;
    this.segment.lastSessionId = event.sessionId ?? this.segment.lastSessionId;
    this.addKnown(event, row);
  }

  private addKnown(event: LogEvent, row: number): void {
    const { segment, threads } = this;
    switch (event.kind) {
      case 'answer':
        if (threads.idOf(event) === null) {
          segment.lastSyntheticError = undefined;
          if (event.model !== this.lastModel) this.noteModel(event.model);
        }
        threads.addAnswer(event, this.segments.length - 1, row);
        break;
      case 'host-text':
        // The model said nothing.
        if (threads.idOf(event) === null) segment.lastSyntheticError = event.error ?? '';
        break;
      case 'input':
        threads.addInput(event, row);
        break;
      case 'result':
        this.addResult(event);
        break;
      case 'init':
        segment.inits.push(event.init);
        break;
      case 'fallback':
        this.fallbackModels.push(event.model);
        this.rows.retract(event.retractedIds);
        break;
      case 'retry': {
        const { attempt = segment.retries.length + 1, errorStatus, error } = event;
        segment.retries.push({ attempt, errorStatus, error });
        break;
      }
      case 'hook':
        segment.hookResponses.push(event.hook);
        break;
      case 'task-stopped':
        segment.stoppedTasks++;
        break;
      case 'compaction':
        threads.addCompaction(event, this.segments.length - 1, row);
        break;
      case 'compaction-attempt':
        segment.compactionAttempts.push({ isSuccess: event.isSuccess, error: event.error });
        break;
      case 'cleared':
        threads.addClearing(event, event.callIds, row);
        break;
      case 'limit':
        segment.limit = { resetsAt: event.resetsAt ?? segment.limit?.resetsAt };
        break;
    }
  }

  private noteModel(name: string | undefined): void {
    this.lastModel = name;
    if (name === undefined) return;
    this.firstModel ??= name;
    const expected = this.segment.inits.at(-1)?.model ?? this.firstModel;
    if (!this.host.isSameModel(name, expected)) this.otherModels.add(name);
  }

  /**
   * The answer to a prompt is the result's text; where that is empty, what the last request said. A failed result says
   * "API Error: …" and answers nothing.
   */
  private addResult({ result: told, limitResetsAt }: EventPlace & ResultLogEvent): void {
    if (limitResetsAt !== undefined) this.segment.limit = { resetsAt: limitResetsAt };
    const requests = this.threads.takeFreshRequests();
    const hadUsage = requests.every((request) => promptTokens(request) > 0);
    const result = realResult(told, { hadRequests: requests.length > 0, hadUsage });
    this.segment.results.push(result);
    const text = this.threads.takeLatestText();
    if (!result.isError) this.answers.push(result.text || (text ?? ''));
  }
}

/** Texts that are not empty, with a blank line between them; undefined if there is none. */
function joined(texts: string[]): string | undefined {
  const given = texts.filter((text) => text !== '');
  return given.length === 0 ? undefined : given.join('\n\n');
}

/** A segment in which nothing has been read yet. */
function newSegment(file: string): Segment {
  return {
    file,
    knownEvents: 0,
    inits: [],
    results: [],
    lastSessionId: undefined,
    lastSyntheticError: undefined,
    retries: [],
    hookResponses: [],
    stoppedTasks: 0,
    compactionAttempts: [],
    limit: undefined,
  };
}
