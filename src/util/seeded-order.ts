import { createHash } from 'node:crypto';

/** The items in an order that depends on the seed and on their places, and on nothing else. The items themselves are not changed. */
export function seededOrder<T>(items: readonly T[], seed: readonly (string | number)[]): T[] {
  const rank = (index: number) =>
    createHash('sha256')
      .update(JSON.stringify([...seed, index]))
      .digest('hex');
  return items
    .map((item, index) => ({ item, rank: rank(index) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ item }) => item);
}
