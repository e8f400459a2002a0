/**
 * A script for the node of a codegraph build (it needs node:sqlite): writes the graph of an index folder to a file, a line for each node
 * (`N`, kind, path, qualified name) and each edge (`E`, kind, key of the source, key of the target), separated by tabs. The keys say what a
 * node is and not where it stands in the table, so that two indexes can be compared.
 */
export const GRAPH_SCRIPT = `
const { DatabaseSync } = require('node:sqlite');
const { createWriteStream } = require('node:fs');
const { join } = require('node:path');
const [folder, file] = process.argv.slice(1);
const db = new DatabaseSync(join(folder, 'codegraph.db'));
const out = createWriteStream(file);
const key = (...parts) => parts.map((part) => String(part).replace(/[\\t\\n]/g, ' ')).join('|');
const keys = new Map();
for (const row of db.prepare('SELECT id, kind, file_path, qualified_name FROM nodes').iterate()) {
  keys.set(row.id, key(row.file_path, row.qualified_name, row.kind));
  out.write('N\\t' + row.kind + '\\t' + keys.get(row.id) + '\\n');
}
for (const row of db.prepare('SELECT source, target, kind FROM edges').iterate()) {
  const [from, to] = [row.source, row.target].map((id) => keys.get(id) || '?' + id);
  out.write('E\\t' + row.kind + '\\t' + from + ' -> ' + to + '\\n');
}
out.end();
`;
