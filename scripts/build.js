// Compiles src and hooks into dist, only what changed since the last time. Runs on `npm ci` (prepare) and before the tests.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit', cwd: root });

// The hook runs before every Bash call: its modules as three files, the parser's read only where they are needed.
const bundled = join(dist, 'hook-bundle');
const inputs = ['hooks', 'src/shell', 'src/model'].flatMap((folder) => filesOf(join(dist, folder)));
if (newest(inputs) > newest(filesOf(bundled))) {
  const { build } = await import('vite');
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: join(dist, 'hooks/no-cli-shim.js'),
      outDir: bundled,
      emptyOutDir: true,
      minify: false,
      target: 'node20',
    },
  });
}

// What was compiled from a file that is gone must not linger: it would be shipped.
for (const entry of existsSync(dist) ? readdirSync(dist, { recursive: true, encoding: 'utf8' }) : []) {
  const source = entry.replace(/(\.d)?\.(ts|js)$/, '');
  const isCompiled = source !== entry && !entry.startsWith('hook-bundle');
  const isThere = ['.ts', '.tsx'].some((extension) => existsSync(join(root, source + extension)));
  if (isCompiled && !isThere) rmSync(join(dist, entry));
}

function filesOf(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}

function newest(files) {
  return Math.max(0, ...files.map((file) => statSync(file).mtimeMs));
}
