import { expect } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { hostLog } from '../../src/host/logs.js';
import { measure } from '../../src/metrics/index.js';
import type { Measure } from '../../src/model/measure.js';
import { readSession } from '../../src/transcript/index.js';
import type { Event } from '../rig/session-generator.js';

export interface TextFile {
  name: string;
  text: string;
}

/** Segments as files, an event a line. */
export function textsOf(segments: Event[][]): TextFile[] {
  return segments.map((events, index) => ({
    name: `t${index + 1}.jsonl`,
    text: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  }));
}

/** The real reader and the real metrics over files. */
export async function measureTexts(files: TextFile[]): Promise<Measure> {
  return await measureBytes(files.map(({ name, text }) => ({ name, bytes: Buffer.from(text) })));
}

/** The same over bytes, in chunks of this size. */
export async function measureBytes(files: { name: string; bytes: Buffer }[], chunk = 1 << 16): Promise<Measure> {
  const inputs = files.map(({ name, bytes }) => ({ name, chunks: chunksOf(bytes, chunk) }));
  return measure(await readSession(inputs, codegraphProfile, hostLog()), {
    profile: codegraphProfile,
    windowTokens: 200_000,
  });
}

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The same value for toMatchObject, with fractions equal to nine digits: sums may be taken in another order. */
export function close(value: unknown): Record<string, unknown> {
  return loosened(value) as Record<string, unknown>;
}

function loosened(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isInteger(value)) return expect.closeTo(value, 9);
  if (Array.isArray(value)) return value.map(loosened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, loosened(one)]));
}
