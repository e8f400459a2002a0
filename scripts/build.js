// Compiles src and hooks into dist, only what changed since the last time. Runs on `npm ci` (prepare) and before the tests.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit', cwd: root });

// What was compiled from a file that is gone must not linger: it would be shipped.
for (const entry of existsSync(dist) ? readdirSync(dist, { recursive: true, encoding: 'utf8' }) : []) {
  const source = entry.replace(/(\.d)?\.(ts|js)$/, '');
  if (source !== entry && !existsSync(join(root, `${source}.ts`))) rmSync(join(dist, entry));
}
