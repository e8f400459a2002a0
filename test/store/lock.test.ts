import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/process/index.js';
import { lockHolder, takeLock } from '../../src/store/index.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const me = { pid: 10, startTime: '5', host: 'here' };
const other = { pid: 11, startTime: '6', host: 'there' };

describe('the lock of a campaign folder', () => {
  it('names its holder to a second start, and leaves nothing when it is released', () => {
    const lock = takeLock(dir, me, () => true);
    expect(lockHolder(dir)).toEqual(me);
    expect(takeLock(dir, other, () => true)).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('process 10 on here') },
    });
    expect(readdirSync(dir)).toEqual(['lock.json']);
    if (lock.ok) lock.value();
    expect(readdirSync(dir)).toEqual([]);
  });

  it.each(['', '{"pid": 10, "sta', '{}', 'null'])('torn to %j is taken over', (torn) => {
    writeFileSync(join(dir, 'lock.json'), torn);
    expect(takeLock(dir, me, () => true).ok).toBe(true);
    expect(lockHolder(dir)).toEqual(me);
    expect(readdirSync(dir)).toEqual(['lock.json']);
  });

  it('of a dead holder is taken over, and the dead one’s late release does not free it', () => {
    const dead = takeLock(dir, other, () => true);
    expect(takeLock(dir, me, ({ pid }) => pid !== 11).ok).toBe(true);
    if (dead.ok) dead.value();
    expect(lockHolder(dir)).toEqual(me);
  });

  it('goes to one alone of many processes that find a dead one at the same time', async () => {
    writeFileSync(join(dir, 'lock.json'), JSON.stringify(other));
    const code = `
      import { createJiti } from 'jiti';
      const { takeLock } = await createJiti(import.meta.url).import(${JSON.stringify(join(import.meta.dirname, '../../src/store/index.ts'))});
      const lock = takeLock(${JSON.stringify(dir)}, { pid: process.pid, startTime: '1', host: 'here' }, (one) => one.host === 'here');
      console.log(lock.ok ? 'mine' : 'refused');`;
    const starts = await Promise.all(
      Array.from({ length: 6 }, () =>
        runCommand({ argv: [process.execPath, '--input-type=module', '-e', code], deadlineMs: 60_000 }),
      ),
    );
    expect(starts.map(({ stdout }) => stdout.trim()).sort()).toEqual(['mine', ...Array(5).fill('refused')]);
    expect(JSON.parse(readFileSync(join(dir, 'lock.json'), 'utf8')).host).toBe('here');
  }, 90_000);
});
