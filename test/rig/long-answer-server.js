// A stdio MCP server with one tool, `engine_explore`, that answers as many characters as it was started with.
import { createInterface } from 'node:readline';

const text = 'line of text number\n'.repeat(Math.ceil(Number(process.argv[2]) / 20)).slice(0, Number(process.argv[2]));
const tool = {
  name: 'engine_explore',
  description: 'Explores.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};
const answers = {
  initialize: () => ({
    protocolVersion: '2024-11-05',
    capabilities: { tools: {} },
    serverInfo: { name: 'engine', version: '1' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': () => ({ content: [{ type: 'text', text }] }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.() ?? {} })}\n`);
});
