// Checks the import rules of .dependency-cruiser.cjs. An empty or near-empty reading is a failure too: with a TypeScript
// that dependency-cruiser does not know, it reads no module and would report success.
// usage: node scripts/check-imports.js [folder …]   (default: src hooks bin; a test passes a tree with a planted violation)

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const baseDir = process.argv[2] ?? root;

const options = await extractDepcruiseConfig(join(root, '.dependency-cruiser.cjs'));
const { output } = await cruise(
  ['src', 'hooks', 'bin'],
  { ...options.options, ruleSet: options, validate: true, baseDir },
  undefined,
  { tsConfig: extractTSConfig(join(root, 'tsconfig.json')) },
);

const { violations, totalCruised, totalDependenciesCruised } = output.summary;
for (const violation of violations) {
  console.error(`${violation.rule.severity} ${violation.rule.name}: ${violation.from} → ${violation.to}`);
}
if (totalCruised === 0 || totalDependenciesCruised === 0) {
  console.error(
    `import rules: read ${totalCruised} modules and ${totalDependenciesCruised} imports; that proves nothing`,
  );
  process.exit(1);
}
console.log(
  `import rules: ${totalCruised} modules, ${totalDependenciesCruised} imports, ${violations.length} violations`,
);
process.exit(violations.length > 0 ? 1 : 0);
