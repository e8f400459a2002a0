// One reading in a process of its own: `reader.js floor|measure|many <file>…` prints what it took as a line of JSON.
import { createReadStream } from 'node:fs';
import { measureMany } from '../src/cli/measure-many.js';
import { codegraphProfile } from '../src/engine/index.js';
import { measure } from '../src/metrics/index.js';
import { openTranscript, readSession } from '../src/transcript/index.js';

const [mode, ...files] = process.argv.slice(2);
const started = performance.now();
const cpuBefore = process.cpuUsage();
const lines = mode === 'many' ? await readMany(files) : await readAll(files);
const wallMs = performance.now() - started;
const { user, system } = process.cpuUsage(cpuBefore);
console.log(
  JSON.stringify({ wallMs, cpuMs: (user + system) / 1000, rssMb: process.resourceUsage().maxRSS / 1024, lines }),
);

async function readMany(logs: string[]): Promise<number> {
  const outcomes = await measureMany(logs.map((file) => ({ files: [file], windowTokens: 200_000 })));
  return outcomes.reduce((sum, one) => sum + (one.ok ? one.value.measure.diagnostics.lines : Number.NaN), 0);
}

async function readAll(logs: string[]): Promise<number> {
  let sum = 0;
  for (const file of logs) sum += mode === 'floor' ? await readFloor(file) : await readMeasure(file);
  return sum;
}

async function readMeasure(file: string): Promise<number> {
  const session = await readSession([openTranscript(file)], codegraphProfile);
  const found = measure(session, { profile: codegraphProfile, windowTokens: 200_000 });
  return found.diagnostics.lines;
}

/** What no reader can do without: read, split, decode and parse every line. */
async function readFloor(file: string): Promise<number> {
  let count = 0;
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const bytes =
        rest.length === 0 ? chunk.subarray(start, end) : Buffer.concat([...rest, chunk.subarray(start, end)]);
      rest = [];
      JSON.parse(bytes.toString('utf8'));
      count++;
      start = end + 1;
    }
    rest.push(chunk.subarray(start));
  }
  return count;
}
