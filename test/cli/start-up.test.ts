import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const dist = join(import.meta.dirname, '../../dist');

/** Every file and package that a bundled file imports at once, directly or through another. Dynamic imports are left out. */
function importsOf(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^;"]*"([^"]+)"/gm)) {
    if (name.startsWith('.')) importsOf(join(dirname(file), name), seen);
    else seen.add(name);
  }
  return seen;
}

it.each(['main.js', 'chunks/parse-run.js', 'chunks/parse-session.js'])(
  '%s starts without zod, jiti and the page',
  (file) => {
    const imports = [...importsOf(join(dist, file))];
    const chunks = readdirSync(join(dist, 'chunks')).map((name) => join(dist, 'chunks', name));
    const zod = chunks.filter((chunk) => /class \$ZodRegistry|const \$ZodType =/.test(readFileSync(chunk, 'utf8')));
    expect(zod).toHaveLength(1);
    expect(imports.filter((name) => zod.includes(name))).toEqual([]);
    expect(imports.filter((name) => /^(jiti|preact|execa|pino)/.test(name))).toEqual([]);
  },
);

it.each(['.', 'hook-bundle'])('no chunk in %s imports an entry, which may wait for that chunk', (folder) => {
  const chunks = join(dist, folder, 'chunks');
  const importing = readdirSync(chunks).filter((name) => /from "\.\.\//.test(readFileSync(join(chunks, name), 'utf8')));
  expect(importing).toEqual([]);
});
