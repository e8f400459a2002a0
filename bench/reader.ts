// One reading in a process of its own: `reader.js floor|measure|many <file>…` prints what it took as a line of JSON. What a mode
// needs is loaded before its clock starts; threads, where `many` takes any, start and load within it.
import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 1 << 18;

await main();

async function main(): Promise<void> {
  const [mode, ...files] = process.argv.slice(2);
  const read = await readerOf(mode);
  const started = performance.now();
  const before = process.cpuUsage();
  const lines = await read(files);
  const wallMs = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  const whole = process.cpuUsage();
  console.log(
    JSON.stringify({
      wallMs,
      cpuMs: (user + system) / 1000,
      processCpuMs: (whole.user + whole.system) / 1000,
      rssMb: process.resourceUsage().maxRSS / 1024,
      lines,
    }),
  );
}

async function readerOf(mode: string | undefined): Promise<(files: string[]) => number | Promise<number>> {
  if (mode === 'floor') return readFloors;
  const { codegraphProfile } = await import('../src/engine/codegraph/profile.js');
  if (mode === 'many') {
    const { measureMany } = await import('../src/analysis/measure-many.js');
    return async (files) => {
      const outcomes = await measureMany(files.map((file) => ({ files: [file], windowTokens: 200_000 })));
      return outcomes.reduce((sum, one) => sum + (one.ok ? one.value.measure.diagnostics.lines : Number.NaN), 0);
    };
  }
  const { measure } = await import('../src/metrics/index.js');
  const { openTranscript, readSession } = await import('../src/transcript/index.js');
  const { hostLog } = await import('../src/host/logs.js');
  return async (files) => {
    let sum = 0;
    for (const file of files) {
      const session = await readSession([openTranscript(file)], codegraphProfile, hostLog());
      sum += measure(session, { profile: codegraphProfile, windowTokens: 200_000 }).diagnostics.lines;
    }
    return sum;
  };
}

/** What no reader can do without: read, split, decode and parse every line. */
function readFloors(files: string[]): number {
  const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  return files.reduce((sum, file) => sum + readFloor(file, buffer), 0);
}

function readFloor(file: string, buffer: Buffer): number {
  let count = 0;
  let rest: Buffer[] = [];
  const handle = openSync(file, 'r');
  for (;;) {
    const chunk = buffer.subarray(0, readSync(handle, buffer, 0, CHUNK_BYTES, null));
    if (chunk.length === 0) break;
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      if (rest.length === 0) JSON.parse(chunk.toString('utf8', start, end));
      else JSON.parse(Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8'));
      rest = [];
      count++;
      start = end + 1;
    }
    // Copied: the next read goes into the same memory.
    if (start < chunk.length) rest.push(Buffer.from(chunk.subarray(start)));
  }
  closeSync(handle);
  return count;
}
