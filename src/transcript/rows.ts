import { preservedUuids } from './events.js';
import { asString, type Fields } from './fields.js';
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
  add(event: Fields): number | undefined {
    const { uuid } = event;
    if (typeof uuid !== 'string') return NO_ROW;
    const row = this.parents.length;
    if (!this.numbers.add(uuid, row)) {
      this.repeated++;
      return undefined;
    }
    // Every row on disk names its parent; null is that of the first.
    const { parentUuid } = event;
    if (parentUuid === undefined || event.isSidechain === true) this.parents.push(UNCHAINED);
    else this.chain(event, uuid, row, asString(parentUuid));
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

  private chain(event: Fields, uuid: string, row: number, parentUuid: string | undefined): void {
    const isBoundary = event.type === 'system' && event.subtype === 'compact_boundary';
    // A compaction begins a chain of its own, and names what it goes on from.
    const parent = parentUuid ?? (isBoundary ? asString(event.logicalParentUuid) : undefined);
    const isPrompt = event.type === 'user' && event.isCompactSummary !== true;
    if (parent === undefined) this.parents.push(isPrompt ? ROOT : this.lastChained);
    else {
      const known = this.numbers.get(parent);
      // Until the parent is read, and for good if it was lost: the row goes on where the file was.
      this.parents.push(known ?? this.lastChained);
      if (known === undefined) this.orphans.set(parent, [...(this.orphans.get(parent) ?? []), row]);
    }
    const waiting = this.orphans.size === 0 ? undefined : this.orphans.get(uuid);
    if (waiting) {
      for (const child of waiting) this.parents[child] = row;
      this.orphans.delete(uuid);
    }
    // What the compaction kept goes on behind it, whatever parent its rows name.
    if (isBoundary) for (const kept of preservedUuids(event) ?? []) this.accompany(this.numbers.get(kept) ?? row, row);
    if (event.type === 'user' || event.type === 'assistant' || isBoundary) this.leaf = row;
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
