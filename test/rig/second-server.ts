import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerInput } from '../../src/model/server.js';

/**
 * An MCP server that shares nothing with codegraph: another package, program, index folder, tools and form of answer, and no
 * daemon. `pagebook scan <dir>` writes the index; `pagebook mcp <dir>` serves it over standard input and output.
 */
const PROGRAM = `#!/usr/bin/env node
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';

const [command, root = '.'] = process.argv.slice(2);
const index = join(root, '.pagebook', 'pages.json');
const skipped = new Set(['.pagebook', 'node_modules', '.git']);
const sources = (dir) =>
  readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const path = join(dir, entry.name);
    return entry.isDirectory() ? sources(path) : /\\.[cm]?js$/.test(entry.name) ? [path] : [];
  });

if (command === 'scan') {
  mkdirSync(join(root, '.pagebook'), { recursive: true });
  const pages = sources(root).map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }));
  writeFileSync(index, JSON.stringify(pages));
} else if (command === 'mcp') {
  if (process.env.PAGEBOOK_MODE !== 'test') throw new Error('PAGEBOOK_MODE is not set');
  const pages = JSON.parse(readFileSync(index, 'utf8'));
  const text = (value, isError = false) => ({ content: [{ type: 'text', text: value }], isError });
  const schema = (name) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });
  const tools = [
    { name: 'look_up', description: 'Pages that hold a term', inputSchema: schema('term') },
    { name: 'table_of_contents', description: 'All pages of a folder', inputSchema: schema('project_path') },
  ];
  const call = ({ name, arguments: given = {} }) => {
    if (name === 'table_of_contents') return text('in ' + given.project_path + ': ' + pages.map(({ path }) => path).join(' '));
    if (name !== 'look_up') return text('no tool ' + name, true);
    const found = pages.filter((page) => page.text.includes(given.term));
    if (found.length === 0) return text('Nothing stands under "' + given.term + '"');
    return text(found.slice(0, 3).map(({ path, text: page }) => path + ': ' + page.slice(0, 400)).join('\\n'));
  };
  const results = {
    initialize: () => ({
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'pagebook', version: '7.8.9' },
    }),
    'tools/list': () => ({ tools }),
    'tools/call': (params) => call(params),
  };
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const result = results[method]?.(params);
    const answer = result ? { result } : { error: { code: -32601, message: 'no method ' + method } };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
  });
} else {
  process.stderr.write('pagebook scan|mcp <dir>\\n');
  process.exit(2);
}
`;

/** Its description, as a user writes it into a config. */
export const PAGEBOOK: ServerInput = {
  name: 'pagebook',
  packages: ['@pages/book'],
  entry: 'bin/pagebook.mjs',
  cliNames: ['pagebook', 'pgb'],
  serve: ['mcp', '{workspace}'],
  index: ['scan', '{workspace}'],
  indexFolder: '.pagebook',
  indexFiles: ['pages.json'],
  environment: { PAGEBOOK_MODE: 'test' },
  exploreTools: ['look_up'],
  ask: { tool: 'look_up', arguments: { term: '{query}' } },
  noAnswer: ['Nothing stands under "'],
};

/** Writes the package into a folder and returns that folder, to be named as `path:<folder>`. */
export function writePagebook(dir: string): string {
  mkdirSync(join(dir, 'bin'), { recursive: true });
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: '@pages/book', version: '7.8.9', type: 'module' }));
  writeFileSync(join(dir, 'bin/pagebook.mjs'), PROGRAM, { mode: 0o755 });
  return dir;
}
