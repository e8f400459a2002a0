// Bundles the program, the library and the hook into dist. Runs on `npm ci` (prepare) and before the tests.
// usage: node scripts/build.js [--types]   --types also writes the library's declarations (dist/index.d.ts)
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
// Bundled because every command loads them. Other packages stay in node_modules and are loaded when they are needed.
const INLINED = /^(commander|zod|unbash|p-limit|yocto-queue)(\/|$)/;

const written = new Set();
await bundle(
  {
    main: 'src/cli/main.ts',
    index: 'src/index.ts',
    'measure-worker': 'src/measure-worker.ts',
    watchdog: 'src/process/watchdog.ts',
    'delivery-server': 'src/delivery/server.ts',
  },
  {
    dir: dist,
    external: (id) => /^[^./]/.test(id) && !INLINED.test(id),
    // No module of ours does anything when it is loaded. A command thus loads only what it uses of a room, not all that the index names.
    treeshake: { moduleSideEffects: [{ test: /[\\/]src[\\/]/, sideEffects: false }] },
  },
);
// The hook runs before every shell command, apart from the program and with nothing but its own folder in sight.
await bundle(
  { 'no-cli-shim': 'hooks/no-cli-shim.ts' },
  { dir: join(dist, 'hook-bundle'), external: (id) => id.startsWith('node:') },
);

// A chunk that nothing uses any more must not linger: it would be shipped.
for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (name.endsWith('.js') && !written.has(join(dist, name))) rmSync(join(dist, name));
}

if (process.argv.includes('--types')) {
  const { generateDtsBundle } = await import('dts-bundle-generator');
  const [declarations] = generateDtsBundle([{ filePath: join(root, 'src/index.ts'), output: { noBanner: true } }], {
    preferredConfigPath: join(root, 'tsconfig.json'),
  });
  writeFileSync(join(dist, 'index.d.ts'), declarations);
}

async function bundle(input, { dir, external, treeshake = true }) {
  const build = await rolldown({
    ...{ cwd: root, input, external, platform: 'node', tsconfig: join(root, 'tsconfig.json') },
    treeshake,
  });
  const options = { dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' };
  const { output } = await build.write(options);
  await build.close();
  for (const { fileName } of output) written.add(join(dir, fileName));
}
