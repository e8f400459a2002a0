import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { activeLeases, takeLease } from '../../src/util/lease.js';

test('a lease is seen until it is released; those of dead holders, and files that name none, are removed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ae-lease-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [living, dead] = [1, 2].map((pid) => ({ pid, startTime: 't', host: 'h' }));
  const lives = ({ pid }: { pid: number }) => pid === 1;
  expect(activeLeases(folder, 'use', lives)).toEqual([]);
  const release = takeLease(folder, 'use', living ?? { pid: 0, startTime: '', host: '' });
  takeLease(folder, 'use', dead ?? { pid: 0, startTime: '', host: '' });
  writeFileSync(join(folder, 'leases', 'use-9-x.json'), 'torn');
  expect(activeLeases(folder, 'clean', lives)).toEqual([]);
  expect(activeLeases(folder, 'use', lives).map(({ holder }) => holder)).toEqual([living]);
  expect(readdirSync(join(folder, 'leases'))).toHaveLength(1);
  release();
  expect(activeLeases(folder, 'use', lives)).toEqual([]);
});
