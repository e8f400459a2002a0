// The program of the tests' second agent host. It logs in a form of its own: a call and its result share a line, requests are called
// steps, cached input is counted inside of the input, and an MCP tool is named `<server>_<tool>`.
import { argv, stdin, stdout } from 'node:process';
import { text } from 'node:stream/consumers';

const resumed = argv[argv.indexOf('--continue') + 1];
const session = argv.includes('--continue') ? resumed : 'ses_1';
const prompt = (await text(stdin)).trim();
const say = (line) => stdout.write(`${JSON.stringify({ ses: session, ...line })}\n`);

say({ ev: 'hello', model: 'tiny-1', tools: ['run', 'look', 'engine_explore'], servers: { engine: 'up' } });
if (argv.includes('--continue')) {
  say({ ev: 'step', step: 's3', tokens: { in: 1_300, cached: 1_000, out: 20 }, text: `Again: ${prompt}` });
} else {
  say({ ev: 'guard', tool: 'run', verdict: 'allow' });
  say({
    ev: 'tool',
    step: 's1',
    call: 'c1',
    tool: 'run',
    args: { cmd: 'ls lib' },
    out: 'a.js\nb.js',
    tokens: { in: 1_000, cached: 0, out: 10 },
  });
  say({
    ev: 'tool',
    step: 's2',
    call: 'c2',
    tool: 'engine_explore',
    args: { query: 'a' },
    out: 'answer '.repeat(40),
    tokens: { in: 1_100, cached: 1_000, out: 15 },
  });
}
say({ ev: 'bye', text: `Done: ${prompt}`, usd: 0.25, out: 25, ms: 40 });
