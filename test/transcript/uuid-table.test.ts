import { describe, expect, it } from 'vitest';
import { UuidTable } from '../../src/transcript/uuid-table.js';
import { Random } from '../rig/random.js';

describe('UuidTable', () => {
  it('answers as a Map does, for random and for counted uuids and for ids of other forms', () => {
    const random = new Random(5);
    const hex = (digits: number) => Array.from({ length: digits }, () => random.int(0, 15).toString(16)).join('');
    const made = (index: number): string => {
      if (index % 3 === 0) return `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;
      if (index % 3 === 1) return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
      return random.pick([
        `u-${index}`,
        `zz000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
        `${index}`.repeat(9),
      ]);
    };
    const table = new UuidTable();
    const map = new Map<string, number>();
    for (let index = 0; index < 20_000; index++) {
      const uuid = made(index);
      expect(table.add(uuid, index)).toBe(!map.has(uuid));
      if (!map.has(uuid)) map.set(uuid, index);
      if (index % 10 === 0) expect(table.add(uuid, index + 1)).toBe(false);
    }
    for (const [uuid, number] of map) expect(table.get(uuid)).toBe(number);
    expect(table.get('00000000-0000-4000-8000-999999999999')).toBeUndefined();
    expect(table.get('nobody')).toBeUndefined();
  });
});
