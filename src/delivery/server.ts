/** A stdio MCP server whose only tool answers as many characters as it is asked for. `delivery` measures what arrives of them. */
import { createInterface } from 'node:readline';
import { DELIVERY_KINDS, type DeliveryKind } from '../model/delivery.js';
import { makeAnswer } from './answers.js';
import { SERVER, TOOL } from './names.js';

const tool = {
  name: TOOL,
  description: 'Answers with a text or an image of a given length.',
  inputSchema: {
    type: 'object',
    properties: { kind: { type: 'string', enum: DELIVERY_KINDS }, chars: { type: 'number' } },
    required: ['kind', 'chars'],
  },
};

interface Call {
  arguments: { kind: DeliveryKind; chars: number };
}

const methods: Record<string, (params: Call) => unknown> = {
  initialize: () => ({
    protocolVersion: '2024-11-05',
    capabilities: { tools: {} },
    serverInfo: { name: SERVER, version: '1' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { kind, chars } }) => ({ content: makeAnswer(kind, chars) }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: methods[method]?.(params) ?? {} })}\n`);
});
