type Rewrite = (value: string, property: string | undefined, isName: boolean) => string;

/**
 * A copy of a value with every string in it rewritten, names of properties too; `rewrite` is told the property that a string is the
 * value of. Objects that stood in several places do so in the copy. Typed arrays and dates are not copied.
 */
export function rewriteDeep<T>(value: T, rewrite: Rewrite): T {
  return walk(value, undefined, rewrite, new Map()) as T;
}

function walk(value: unknown, property: string | undefined, rewrite: Rewrite, done: Map<unknown, unknown>): unknown {
  if (typeof value === 'string') return rewrite(value, property, false);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || value instanceof Date) return value;
  const before = done.get(value);
  if (before !== undefined) return before;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    done.set(value, list);
    for (const one of value) list.push(walk(one, property, rewrite, done));
    return list;
  }
  if (value instanceof Map) {
    const map = new Map<unknown, unknown>();
    done.set(value, map);
    for (const [key, one] of value) map.set(walk(key, undefined, rewrite, done), walk(one, property, rewrite, done));
    return map;
  }
  if (value instanceof Set) {
    const set = new Set([...value].map((one) => walk(one, property, rewrite, done)));
    done.set(value, set);
    return set;
  }
  const copy: Record<string, unknown> = {};
  done.set(value, copy);
  for (const [name, one] of Object.entries(value)) {
    // Assigned, a property named __proto__ would vanish.
    const property = { value: walk(one, name, rewrite, done), writable: true, enumerable: true, configurable: true };
    Object.defineProperty(copy, rewrite(name, undefined, true), property);
  }
  return copy;
}
