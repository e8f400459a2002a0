// Measures with the installed `claude` and writes the result into docs/delivery.md, between its two marks.
// usage: npm run build && node scripts/delivery-table.js
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` };
const program = join(root, 'bin/agent-eval.js');
const table = execFileSync(process.execPath, [program, 'delivery'], { env, encoding: 'utf8' });
const file = join(root, 'docs/delivery.md');
// The host's numbers of files differ from time to time.
const stable = table.replace(/answer-\d+\./g, 'answer-….').replace(/toolu_[0-9a-f]+/g, 'toolu_…');
const block = `<!-- measured -->\n\n\`\`\`text\n${stable.trimEnd()}\n\`\`\`\n\n<!-- end -->`;
const text = readFileSync(file, 'utf8').replace(/<!-- measured -->[\s\S]*<!-- end -->/, () => block);
writeFileSync(file, text);
