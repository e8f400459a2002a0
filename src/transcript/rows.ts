import type { LogEvent } from '../model/log-event.js';
import { UuidTable } from './uuid-table.js';

/** The number of an event without a uuid: it has no row, cannot come twice, and is never left behind. */
export const NO_ROW = -1;
/** In place of a parent: the row begins a conversation. */
const ROOT = -1;
/** In place of a parent: the row is not part of the main thread's chain (events of the stream, and sidechains). */
const UNCHAINED = -2;

/**
 * The rows of a session, an event each, known by their uuid. The host writes some rows several times. On disk every row names its
 * parent, so that a rewind shows as a branch: the rows on the path from the last row back to the first are the conversation, and
 * the others were left behind. Keeps a uuid and two numbers for each row.
 */
export class Rows {
  private readonly numbers = new UuidTable();
  private readonly parents: number[] = [];
  /** Rows that are part of the conversation if this row is, beside its parent. */
  private readonly companions = new Map<number, number[]>();
  /** Rows by the uuid of a parent that was not read yet. */
  private readonly orphans = new Map<string, number[]>();
  private readonly retracted = new Set<number>();
  /** The last row of each segment's main thread. */
  private readonly leaves: number[] = [];
  private lastChained = ROOT;
  private leaf = ROOT;

  /** Rows that were read before, and hence skipped. */
  repeated = 0;

  /** The rows that follow stand in another file, which has a chain of its own. */
  startSegment(): void {
    this.endSegment();
    this.lastChained = ROOT;
  }

  /** Numbers an event's row, from 0; undefined if a row with its uuid was read before. */
  add(event: LogEvent): number | undefined {
    const { id } = event;
    if (id === undefined) return NO_ROW;
    const row = this.parents.length;
    if (!this.numbers.add(id, row)) {
      this.repeated++;
      return undefined;
    }
    if (event.parentId === undefined || event.isSidechain) this.parents.push(UNCHAINED);
    else this.chain(event, id, row, event.parentId ?? undefined);
    return row;
  }

  /** Whether a row with this uuid was read. */
  has(uuid: string): boolean {
    return this.numbers.get(uuid) !== undefined;
  }

  /** One message stands in two rows: the first is part of the conversation if the second is. */
  tie(second: number, first: number): void {
    if (second === NO_ROW || this.parents[second] === UNCHAINED || this.parents[second] === first) return;
    this.accompany(second, first);
  }

  /** The host took these messages back. */
  retract(uuids: string[]): void {
    for (const uuid of uuids) {
      const row = this.numbers.get(uuid);
      if (row !== undefined) this.retracted.add(row);
    }
  }

  /** Whether the host took a row back. */
  isRetracted(row: number): boolean {
    return this.retracted.has(row);
  }

  /** Returns what tells whether a row was left behind by a rewind; undefined if none was, and none was retracted. */
  leftBehind(): ((row: number) => boolean) | undefined {
    this.endSegment();
    if (this.leaves.length === 0 && this.retracted.size === 0) return undefined;
    const live = this.liveRows();
    const isLeft = (row: number) => row !== NO_ROW && live[row] === 0 && this.parents[row] !== UNCHAINED;
    const hasBranch = this.parents.some((_, row) => isLeft(row));
    return hasBranch || this.retracted.size > 0 ? isLeft : undefined;
  }

  private endSegment(): void {
    if (this.leaf !== ROOT) this.leaves.push(this.leaf);
    this.leaf = ROOT;
    this.orphans.clear();
  }

  private chain(event: LogEvent, id: string, row: number, parentId: string | undefined): void {
    const boundary = event.kind === 'compaction' && event.isBoundary ? event : undefined;
    // A compaction begins a chain of its own, and names what it goes on from.
    const parent = parentId ?? boundary?.logicalParentId;
    const isPrompt = event.role === 'user' && !(event.kind === 'input' && event.isSummary);
    if (parent === undefined) this.parents.push(isPrompt ? ROOT : this.lastChained);
    else {
      const known = this.numbers.get(parent);
      // Until the parent is read, and for good if it was lost: the row goes on where the file was.
      this.parents.push(known ?? this.lastChained);
      if (known === undefined) this.orphans.set(parent, [...(this.orphans.get(parent) ?? []), row]);
    }
    const waiting = this.orphans.size === 0 ? undefined : this.orphans.get(id);
    if (waiting) {
      for (const child of waiting) this.parents[child] = row;
      this.orphans.delete(id);
    }
    // What the compaction kept goes on behind it, whatever parent its rows name.
    if (boundary) for (const kept of boundary.preservedIds ?? []) this.accompany(this.numbers.get(kept) ?? row, row);
    if (event.role !== undefined || boundary) this.leaf = row;
    this.lastChained = row;
  }

  /** A byte for each row: 1 on the paths from the last rows. */
  private liveRows(): Uint8Array {
    const live = new Uint8Array(this.parents.length);
    const open = [...this.leaves];
    for (let row = open.pop(); row !== undefined; row = open.pop()) {
      if (live[row] === 1) continue;
      live[row] = 1;
      const parent = this.parents[row] ?? ROOT;
      if (parent >= 0) open.push(parent);
      open.push(...(this.companions.get(row) ?? []));
    }
    return live;
  }

  private accompany(row: number, companion: number): void {
    if (row !== companion) this.companions.set(row, [...(this.companions.get(row) ?? []), companion]);
  }
}
