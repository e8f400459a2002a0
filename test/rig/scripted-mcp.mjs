// A tiny MCP server over standard input and output that answers as a JSON file says (its first argument):
// { tools: […], instructions: "…", readyMs: 0, answers: { "<query>": step | [step of the 1st session, of the 2nd, …] } }
// A step is a text, or one of { error, die, hang, garbage }. Sessions are counted in <file>.sessions.
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const [file] = process.argv.slice(2);
const script = JSON.parse(readFileSync(file, 'utf8'));
appendFileSync(`${file}.sessions`, 's');
const session = readFileSync(`${file}.sessions`, 'utf8').length;
const pick = (steps) => (Array.isArray(steps) ? steps[Math.min(session, steps.length) - 1] : steps);
const say = (id, body) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
const text = (value, isError = false) => ({ result: { content: [{ type: 'text', text: value }], isError } });

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    await sleep(script.readyMs ?? 0);
    const serverInfo = { name: 'scripted', version: '1' };
    const { instructions = '' } = script;
    say(id, { result: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo, instructions } });
  } else if (method === 'tools/list') {
    const { tools = ['codegraph_explore'] } = script;
    const names = script.toolsBySession ? pick(tools) : tools;
    say(id, { result: { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) } });
  } else if (method === 'tools/call') {
    const step = pick(script.answers[params.arguments.query] ?? '');
    if (typeof step === 'string') say(id, text(step));
    else if (step.error) say(id, text(step.error, true));
    else if (step.garbage) process.stdout.write(`${step.garbage}\n`);
    else if (step.die) process.exit(7);
  }
}
