import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cacheEntry } from '../../src/util/cache-entry.js';
import type { LockOwner, LockRules } from '../../src/util/entry-lock.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'aetest-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const living = new Set(['1 a', '2 b']);
const rules = (self: LockOwner, signal?: AbortSignal): LockRules => ({
  self,
  isAlive: (owner) => living.has(`${owner.pid} ${owner.startTime}`),
  signal,
});
const one = rules({ pid: 1, startTime: 'a' });
const two = rules({ pid: 2, startTime: 'b' });

function maker(name: string, log: string[], waitMs = 0) {
  return async (dir: string) => {
    log.push(name);
    expect(readdirSync(dir)).toEqual([]);
    await sleep(waitMs);
    writeFileSync(join(dir, 'made-by'), name);
    return { ok: true as const, value: name };
  };
}

test('made once, whoever asks, and found afterwards', async () => {
  const log: string[] = [];
  const both = await Promise.all([
    cacheEntry(root, 'k', one, maker('one', log, 150)),
    cacheEntry(root, 'k', two, maker('two', log, 150)),
  ]);
  expect(log).toHaveLength(1);
  expect(both.map((entry) => entry?.ok && entry.value.fromCache).sort()).toEqual([false, true]);
  expect(await cacheEntry(root, 'k', two, maker('late', log))).toMatchObject({ value: { value: log[0] } });
  expect(readdirSync(root)).toEqual(['k']);
});

test('a dead holder’s lock and its half-made entry are taken over', async () => {
  writeFileSync(join(root, 'k.lock'), JSON.stringify({ pid: 1, startTime: 'long ago' }));
  const half = join(root, 'k');
  mkdirSync(half);
  writeFileSync(join(half, 'half'), '');
  const log: string[] = [];
  const made = await cacheEntry(root, 'k', two, maker('two', log));
  expect(made).toMatchObject({ ok: true, value: { value: 'two', fromCache: false } });
  expect(existsSync(join(half, 'half'))).toBe(false);
  expect(readdirSync(root)).toEqual(['k']);
});

test('many at once over one dead lock still make it once', async () => {
  writeFileSync(join(root, 'k.lock'), JSON.stringify({ pid: 9, startTime: 'dead' }));
  const log: string[] = [];
  const asked = Array.from({ length: 12 }, (_, index) =>
    cacheEntry(root, 'k', index % 2 ? one : two, maker(`${index}`, log, 30)),
  );
  expect((await Promise.all(asked)).every((entry) => entry?.ok)).toBe(true);
  expect(log).toHaveLength(1);
});

test('a failure leaves nothing and the next one tries again', async () => {
  const failed = await cacheEntry<string, string>(root, 'k', one, async (dir) => {
    writeFileSync(join(dir, 'rest'), '');
    return { ok: false, failure: 'no' };
  });
  expect(failed).toEqual({ ok: false, failure: 'no' });
  await expect(cacheEntry(root, 'k', one, () => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
  expect(readdirSync(root)).toEqual([]);
  expect(await cacheEntry(root, 'k', one, maker('again', []))).toMatchObject({ ok: true });
});

test('an abort ends the wait for a living holder, whose lock stays', async () => {
  writeFileSync(join(root, 'k.lock'), JSON.stringify({ pid: 1, startTime: 'a' }));
  const log: string[] = [];
  const abort = AbortSignal.timeout(250);
  expect(await cacheEntry(root, 'k', rules({ pid: 2, startTime: 'b' }, abort), maker('two', log))).toBeUndefined();
  expect(log).toEqual([]);
  expect(readdirSync(root)).toEqual(['k.lock']);
});
