// One reading in a process of its own: `reader.js floor|measure <file>…` prints what it took as a line of JSON.
import { createReadStream } from 'node:fs';
import { codegraphProfile } from '../src/engine/index.js';
import { measure } from '../src/metrics/index.js';
import { openTranscript, readSession } from '../src/transcript/index.js';

const [mode, ...files] = process.argv.slice(2);
const started = performance.now();
let units = 0;
for (const file of files) units += mode === 'floor' ? await readFloor(file) : await readMeasure(file);
const ms = performance.now() - started;
console.log(JSON.stringify({ ms, maxRssMb: process.resourceUsage().maxRSS / 1024, units }));

async function readMeasure(file: string): Promise<number> {
  const session = await readSession([openTranscript(file)], codegraphProfile);
  const found = measure(session, { profile: codegraphProfile, windowTokens: 200_000 });
  return found.diagnostics.lines;
}

/** What no reader can do without: read, split, decode and parse every line. */
async function readFloor(file: string): Promise<number> {
  let lines = 0;
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const bytes = Buffer.concat([...rest, chunk.subarray(start, end)]);
      rest = [];
      JSON.parse(bytes.toString('utf8'));
      lines++;
      start = end + 1;
    }
    rest.push(chunk.subarray(start));
  }
  return lines;
}
