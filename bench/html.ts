/**
 * The HTML report of campaigns of 56 sessions: how long it takes to make, how large it is, how soon it is open in Chromium. Without an
 * argument on two that are made here: generated sessions of some ten requests, and long ones of 60 requests whose results are as
 * long as previews get; with a campaign's folder on that one, which is copied first.
 * usage: npm run build && npx jiti bench/html.ts [campaign folder]
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommand } from '../src/process/index.js';
import { launchBrowser } from '../test/rig/browser.js';
import { words } from '../test/rig/generated-explore.js';
import { writeMadeCampaign, writeTrial } from '../test/rig/made-campaign.js';
import type { Event } from '../test/rig/session-generator.js';

const TASKS = ['django', 'excalidraw', 'gin', 'okhttp', 'tokio', 'vscode', 'alamofire'];
const RUNS = 4;
const REQUESTS_A_PROMPT = 30;
const root = mkdtempSync(join(tmpdir(), 'bench-html-'));

function longSegment(prompt: number): Event[] {
  const events: Event[] = [];
  for (let n = 0; n < REQUESTS_A_PROMPT; n++) {
    const usage = { input_tokens: 20_000 + prompt * 30_000 + n * 900, output_tokens: 1 };
    const [message, call] = [`m-${prompt}-${n}`, `c-${prompt}-${n}`];
    const blocks = [
      { type: 'text', text: words(150) },
      { type: 'tool_use', id: call, name: n % 3 === 0 ? 'Bash' : 'Read', input: { file_path: `/w/src/${words(40)}` } },
    ];
    for (const block of blocks) {
      events.push({
        type: 'assistant',
        parent_tool_use_id: null,
        message: { id: message, model: 'claude-sonnet-5', content: [block], usage },
      });
    }
    const content = [{ type: 'tool_result', tool_use_id: call, content: words(2_500) }];
    events.push({ type: 'user', parent_tool_use_id: null, message: { role: 'user', content } });
  }
  const result = { subtype: 'success', is_error: false, result: words(400), duration_ms: 90_000, total_cost_usd: 0.8 };
  return [...events, { type: 'result', ...result, usage: { output_tokens: 4_000 } }];
}

interface Taken {
  wallMs: number;
  cpuMs: number;
}

/** What a command takes, the least of three: other work on the machine only adds. */
async function time(args: string[]): Promise<Taken> {
  const taken: Taken[] = [];
  for (let i = 0; i < 3; i++) {
    const before = childrensCpuMs();
    const outcome = await runCommand({
      argv: [process.execPath, resolve('bin/agent-eval.js'), 'report', ...args],
      env: process.env as Record<string, string>,
      deadlineMs: 10 * 60_000,
    });
    if (!outcome.ok) throw new Error(outcome.stderr);
    taken.push({ wallMs: outcome.durationMs, cpuMs: childrensCpuMs() - before });
  }
  return {
    wallMs: Math.min(...taken.map(({ wallMs }) => wallMs)),
    cpuMs: Math.min(...taken.map(({ cpuMs }) => cpuMs)),
  };
}

/** CPU time of all children that have ended, user and system; in steps of 10 ms. */
function childrensCpuMs(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** Milliseconds until the page is parsed, and until it is loaded; the median of five. */
async function opening(file: string): Promise<[number, number]> {
  const browser = await launchBrowser();
  const times: [number, number][] = [];
  for (let i = 0; i < 5; i++) {
    const page = await browser.newPage();
    await page.goto(String(pathToFileURL(file)), { waitUntil: 'load' });
    times.push(
      await page.evaluate(() => {
        const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
        return [entry?.domContentLoadedEventEnd ?? Number.NaN, entry?.loadEventEnd ?? Number.NaN];
      }),
    );
    await page.close();
  }
  await browser.close();
  return times.toSorted((a, b) => a[1] - b[1])[2] ?? [Number.NaN, Number.NaN];
}

async function measure(name: string, dir: string): Promise<void> {
  const html = await time([dir, '--html']);
  const text = await time([dir]);
  const file = join(dir, 'report.html');
  const [parsed, loaded] = await opening(file);
  const seconds = ({ cpuMs, wallMs }: Taken) => `${(cpuMs / 1000).toFixed(1)} s, ${(wallMs / 1000).toFixed(1)} s`;
  const cells = [
    ...[name, seconds(text), seconds(html)],
    ...[`${Math.round((html.cpuMs - text.cpuMs) / (TASKS.length * RUNS * 2))} ms`],
    ...[`${(statSync(file).size / 1e6).toFixed(2)} MB`, `${Math.round(parsed)} ms`, `${Math.round(loaded)} ms`],
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

try {
  const load = loadavg()[0]?.toFixed(1);
  console.log(`machine: ${cpus().length} × ${cpus()[0]?.model}, node ${process.version}, load ${load}\n`);
  console.log(
    '| campaign | `report`: CPU, wall | with `--html` | CPU a session | size | parsed after | loaded after |',
  );
  console.log('|---|---|---|---|---|---|---|');
  const given = process.argv[2];
  if (given !== undefined) {
    const dir = join(root, basename(resolve(given)));
    cpSync(given, dir, { recursive: true });
    await measure('given', dir);
  } else {
    const made = writeMadeCampaign(join(root, 'made'), TASKS, RUNS);
    await measure('generated', made.dir);
    const { dir, plan } = writeMadeCampaign(join(root, 'long'), TASKS, RUNS);
    for (const trial of plan.trials) writeTrial(dir, trial, [longSegment(0), longSegment(1)]);
    await measure('long', dir);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
