import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Measure } from '../../../src/model/measure.js';
import type { VerdictReport } from '../../../src/model/verdict.js';
import { launchBrowser, whyNoBrowser } from '../../rig/browser.js';
import { COMMITS, type MadeCampaign, writeMadeCampaign, writeTrial } from '../../rig/made-campaign.js';
import { makeSurroundings } from '../../rig/run-cli.js';
import { contrastFaults } from './contrast.js';

const why = whyNoBrowser();
if (why) console.warn(`the HTML report is not tested: ${why}`);

interface AxeViolation {
  id: string;
  nodes: { html: string }[];
}

interface Json {
  verdicts: VerdictReport;
  runs: { name: string; measure: Measure }[];
  tasks: { task: string; arms: { label: string; figures: { costUsd: { median: number } | null } }[] }[];
}

describe.skipIf(why !== undefined)('the HTML report in a browser', () => {
  const user = makeSurroundings();
  const file = join(user.cwd, 'made', 'report.html');
  let browser: Browser;
  let made: MadeCampaign;
  let json: Json;

  beforeAll(async () => {
    made = writeMadeCampaign(join(user.cwd, 'made'), ['alpha', 'beta'], 3);
    const { trials } = made.plan;
    const [failed, missing] = [trials.at(-2), trials.at(-1)];
    if (!failed || !missing) throw new Error('no trials');
    // One that failed before it had a session, and one that was never finished.
    removeTrial(made.dir, failed.id);
    removeTrial(made.dir, missing.id);
    writeTrial(made.dir, failed, [[], []], {
      ...{ outcome: 'failed', validity: 'infra', costUsd: null },
      failure: {
        ...{ reason: 'session-infra', message: 'the host gave up', cause: 'overloaded', advice: 'try again later' },
        lastLines: ['one of the last lines', 'the very last line'],
      },
    });
    writeFileSync(join(made.dir, 'beta', 'run-new-3.err'), `${'noise\n'.repeat(5_000)}the end of standard error\n`);
    const written = await user.run(['report', made.dir, '--html']);
    expect([written.exitCode, written.stdout.trim()]).toEqual([0, file]);
    json = JSON.parse((await user.run(['report', made.dir, '--json'])).stdout);
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    user.remove();
  });

  /** The page, with whatever the browser complains of or asks for. */
  async function open(options: { fragment?: string; scripts?: boolean; scheme?: 'light' | 'dark' } = {}) {
    const context = await browser.newContext({
      ...{ javaScriptEnabled: options.scripts ?? true, colorScheme: options.scheme ?? 'light' },
      viewport: { width: 1_200, height: 900 },
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) complaints.push(request.url());
    });
    await page.goto(`${pathToFileURL(file)}${options.fragment ?? ''}`);
    return { page, complaints };
  }

  /** One page for all tests that only read it. */
  let read: ReturnType<typeof open> | undefined;
  const openOnce = () => {
    read ??= open();
    return read;
  };

  test('shows its parts, with nothing to complain of and nothing asked of a network', async () => {
    const { page, complaints } = await openOnce();
    expect(complaints).toEqual([]);
    expect(await page.title()).toContain('codegraph HEAD (1a1a1a1) against codegraph main (2b2b2b2)');
    const parts = await page.locator('nav a').allTextContents();
    expect(parts).toEqual([
      'Verdict',
      'Tasks',
      'Answers',
      'Context',
      'Explores',
      'Runs',
      'Excluded',
      'Method and caveats',
      'Glossary',
    ]);
    const order = await page.locator('main h1, main > section > h2').evaluateAll((all) => all.map(({ id }) => id));
    expect(order.filter((id) => id !== '')).toEqual([
      ...['verdict', 'tasks', 'answers', 'context', 'explores', 'runs', 'excluded', 'method', 'glossary'],
    ]);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    const levels = await page
      .locator('h1, h2, h3, h4, h5')
      .evaluateAll((all) => all.map((one) => Number(one.tagName[1])));
    const jumps = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1);
    expect(jumps).toEqual([]);
    const charts = await page.locator('section[aria-labelledby="tasks"] svg').count();
    expect(charts).toBeGreaterThanOrEqual(json.verdicts.metrics.length);
  });

  test('every link leads somewhere', async () => {
    const { page } = await openOnce();
    const links = await page.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
    const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
    expect(ids.length).toBe(new Set(ids).size);
    const inside = links.filter((href) => href.startsWith('#')).map((href) => decodeURIComponent(href.slice(1)));
    expect(inside.filter((id) => !ids.includes(id))).toEqual([]);
    const outside = [...new Set(links.filter((href) => !href.startsWith('#')))];
    const web = outside.filter((href) => href.startsWith('https:'));
    expect(web).toEqual([`https://github.com/owner/engine/compare/${COMMITS.baseline}...${COMMITS.new}`]);
    const files = outside.filter((href) => !web.includes(href));
    const missing = files.filter((href) => !existsSync(fileURLToPath(new URL(href, pathToFileURL(file)))));
    expect(missing).toEqual([]);
    // Ten trials of two prompts, and the error output of the one that failed.
    expect(files.filter((href) => href.endsWith('.jsonl')).length).toBe(20);
    expect(files).toContain('beta/run-new-3.err');
  });

  test('says the figures of report.json', async () => {
    const { page } = await openOnce();
    for (const { metric, lead, unit } of json.verdicts.metrics) {
      if (lead === null) continue;
      const size = Math.abs(lead.effect).toFixed(1);
      const sign = lead.effect < 0 && Number(size) !== 0 ? '−' : '+';
      const text = await page.locator(`#metric-${metric.name}`).textContent();
      expect(text).toContain(`${sign}${size}${unit === 'percent' ? '%' : ' points'}`);
    }
    const rows = await page.locator('#validity tbody tr').allTextContents();
    // The baseline first, as in the charts.
    expect(rows[0]).toContain('baseline5 of 5none');
    expect(rows[1]).toContain('new5 of 61 infra');
    expect(json.runs.length).toBe(10);
    for (const { name, measure } of json.runs) {
      const summary = await page
        .locator('details.run > summary', { has: page.locator(`h3:text-is("${name}")`) })
        .textContent();
      expect(summary).toContain(`$${measure.costUsd?.toFixed(3)}`);
      expect(summary).toContain(`${measure.toolCalls.toLocaleString('en-US')} tool call`);
    }
    const alpha = json.tasks.find(({ task }) => task === 'alpha');
    const table = page.locator('details', { hasText: 'Every figure of alpha' }).locator('table').first();
    const cost = await table.locator('tr', { hasText: 'cost ($)' }).locator('td').allTextContents();
    expect(cost.map((cell) => cell.split(' ')[0])).toEqual(
      alpha?.arms.map(({ figures }) => figures.costUsd?.median.toFixed(3)),
    );
  });

  test('a run’s page has every request and call of its log, with sizes, errors and what the hook said', async () => {
    const { page } = await openOnce();
    for (const [trial, { segments }] of [...made.sessions].slice(0, 4)) {
      const events = segments.flat() as unknown as LogEvent[];
      const blocks = events.flatMap(({ type, message }) => (type === 'assistant' && message ? [message] : []));
      const main = events.filter(({ type, message }) => type === 'assistant' && message?.model !== '<synthetic>');
      const run = page.locator(`#run-${trial.replace('/', '--')}`);
      expect(await run.locator('ol.q > li[id]').count()).toBe(
        new Set(main.filter((one) => one.parent_tool_use_id === null).map(({ message }) => message?.id)).size,
      );
      const calls = new Set(
        blocks.flatMap(({ content }) => content.flatMap(({ type, id }) => (type === 'tool_use' ? id : []))),
      );
      expect(await run.locator('ul.c > li').count()).toBe(calls.size);
      const results = events.flatMap(({ type, message }) =>
        type === 'user' && Array.isArray(message?.content) ? message.content : [],
      );
      expect(await run.locator('ul.c > li[data-e]').count()).toBe(
        results.filter(({ is_error }) => is_error === true).length,
      );
      expect(await run.locator('h4', { hasText: 'Prompt 2 of 2' }).count()).toBe(1);
      expect(await run.textContent()).toContain('How does alpha work?');
    }
    const denied = [...made.sessions.values()].flatMap(({ expected }) => expected.contamination.invoke.blocked);
    expect(denied.some((n) => n > 0)).toBe(true);
    expect(await page.locator('ul.c > li[data-h="denied"]').count()).toBeGreaterThan(0);
  });

  test('names what was left out, why, and its last words', async () => {
    const { page } = await openOnce();
    const part = await page.locator('section[aria-labelledby="excluded"]').textContent();
    for (const words of [
      ...['beta/new-3', 'infra', 'the host gave up', 'overloaded', 'try again later', 'the very last line'],
      ...['the end of standard error', 'beta/baseline-3'],
    ]) {
      expect(part).toContain(words);
    }
  });

  test('searches and filters, and gives everything back', async () => {
    const { page } = await open();
    const shown = () => page.locator('ol.q > li:visible').count();
    const status = page.locator('#find output');
    await page.locator('#find select[name=tool]').selectOption('Bash');
    await expect.poll(() => status.textContent()).toMatch(/^\d+ requests? in \d+ runs?$/);
    const bash = await page.locator('ul.c > li > b:text-is("Bash")').count();
    expect(await page.locator('ul.c > li:visible').count()).toBe(bash);
    await page.locator('#find select[name=tool]').selectOption('');
    await page.locator('#find input[name=errors]').check();
    const errors = await page.locator('ul.c > li[data-e]').count();
    await expect.poll(() => page.locator('ul.c > li:visible').count()).toBe(errors);
    await page.locator('#find input[name=errors]').uncheck();
    await page.locator('#find input[name=denied]').check();
    const denied = await page.locator('ul.c > li[data-h="denied"]').count();
    await expect.poll(() => page.locator('ul.c > li:visible').count()).toBe(denied);
    await page.locator('#find input[name=denied]').uncheck();
    await page.locator('#find input[type=search]').fill('no text is like this one');
    await expect.poll(() => status.textContent()).toBe('0 requests in 0 runs');
    expect(await page.locator('details.run:visible').count()).toBe(0);
    await page.locator('#find input[type=search]').fill('THE PART IS DONE');
    await expect.poll(shown).toBeGreaterThan(10);
    // The name of a transcript stands below the requests.
    await page.locator('#find input[type=search]').fill('run-new-2.t2.jsonl');
    await expect.poll(() => status.textContent()).toBe('0 requests in 2 runs, of which 2 elsewhere than in a request');
    expect(await page.locator('#find').textContent()).toContain('not the linked transcripts');
    await page.locator('#find input[type=search]').fill('');
    await expect.poll(shown).toBe(0);
    expect(await page.locator('details.run:visible').count()).toBe(11);
  });

  test('filters by arm and task, sorts, marks what was found, and shows both arms of a repetition side by side', async () => {
    const { page, complaints } = await open();
    const names = () => page.locator('details.run:visible h3').allTextContents();
    await page.locator('#find select[name=arm]').selectOption('new');
    await page.locator('#find select[name=task]').selectOption('beta');
    await expect.poll(names).toEqual(['beta/new-1', 'beta/new-2', 'beta/new-3']);
    await page.locator('#find select[name=validity]').selectOption('infra');
    await expect.poll(names).toEqual(['beta/new-3']);
    for (const name of ['arm', 'task', 'validity']) await page.locator(`#find select[name=${name}]`).selectOption('');
    await page.locator('#find select[name=sort]').selectOption('tokens');
    const tokens = new Map(json.runs.map(({ name, measure }) => [name, measure.tokensProcessed ?? 0]));
    const sorted = [...tokens].sort(([, a], [, b]) => b - a).map(([name]) => name);
    await expect.poll(async () => (await names()).slice(0, 10)).toEqual(sorted);
    await page.locator('#find input[type=search]').fill('part is done');
    const marks = () => page.evaluate('CSS.highlights.get("found")?.size ?? 0');
    await expect.poll(marks).toBeGreaterThan(10);
    await page.locator('#find input[type=search]').fill('');
    await expect.poll(marks).toBe(0);
    const run = page.locator('details.run', { has: page.locator('h3:text-is("alpha/new-2")') });
    await run.locator('summary').first().click();
    await run.locator('button.pair').click();
    expect(await page.locator('.beside details.run[open] > summary h3').allTextContents()).toEqual([
      'alpha/baseline-2',
      'alpha/new-2',
    ]);
    const tops = await page
      .locator('.beside details.run')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    await run.locator('button.pair').click();
    expect(await page.locator('.beside').count()).toBe(0);
    expect((await names()).slice(0, 10)).toEqual(sorted);
    expect(complaints).toEqual([]);
  });

  test('a deep link opens what it leads to', async () => {
    const { page } = await open({ fragment: '#run-beta--new-2:2' });
    await page.locator('#run-beta--new-2').waitFor({ state: 'visible' });
    expect(await page.locator('details.run[open]').count()).toBe(1);
    await page.evaluate("location.hash = '#warnings'");
    await page.locator('#warnings').waitFor({ state: 'visible' });
    // From a point of a chart to the run's page.
    const point = page.locator('section[aria-labelledby="tasks"] svg a').first();
    const target = (await point.getAttribute('href')) ?? (await point.getAttribute('xlink:href')) ?? '';
    await point.dispatchEvent('click');
    await page.locator(`[id="${target.slice(1)}"]`).waitFor({ state: 'visible' });
  });

  test('reads with scripts off', async () => {
    const { page } = await open({ scripts: false });
    expect(await page.locator('#find').isVisible()).toBe(false);
    expect(await page.locator('.card.primary').isVisible()).toBe(true);
    const run = page.locator('details.run').first();
    await run.locator('summary').first().click();
    expect(await run.locator('ol.q > li').first().isVisible()).toBe(true);
    await page.locator('#method-part > details > summary').click();
    expect(await page.locator('#warnings').isVisible()).toBe(true);
  });

  test.each(['light', 'dark'] as const)('%s: a picture of it, and enough contrast', async (scheme) => {
    const { page } = await open({ scheme });
    const picture = await page.screenshot();
    expect(picture.length).toBeGreaterThan(20_000);
    const colours = await page.evaluate(() => {
      const style = getComputedStyle(document.body);
      return [style.color, style.backgroundColor];
    });
    expect(colours).toEqual(
      scheme === 'light' ? ['rgb(27, 31, 36)', 'rgb(255, 255, 255)'] : ['rgb(230, 237, 243)', 'rgb(15, 20, 25)'],
    );
    await page.evaluate(() => {
      for (const one of document.querySelectorAll('details')) one.open = true;
    });
    expect(await contrastFaults(page)).toEqual([]);
  });

  test('has a policy that lets nothing in, and what matters when printed', async () => {
    const html = readFileSync(file, 'utf8');
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<(?:script|link|img|iframe)[^>]* (?:src|href)=/);
    const loads = /@import|url\((?!#)/.exec(html);
    expect(loads).toBeNull();
    const { page } = await open();
    expect(html).not.toContain('content-visibility:auto');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('nav').isVisible()).toBe(false);
    expect(await page.locator('.card.primary').isVisible()).toBe(true);
  });

  test('axe-core finds nothing, with everything open, on a wide screen and on a phone', async () => {
    const { page } = await open();
    await page.evaluate(axe.source);
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    for (const width of [1_200, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const found = await page.evaluate<AxeViolation[]>('axe.run().then(({ violations }) => violations)');
      const faults = found.map(({ id, nodes }) => `${id}: ${nodes.length}, ${nodes[0]?.html.slice(0, 200)}`);
      expect(faults).toEqual([]);
    }
  });

  test('on a small screen nothing is wider than it', async () => {
    const { page } = await open();
    await page.setViewportSize({ width: 400, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400);
  });

  test('with the transcripts in it: they are there whole, and no link leads out', async () => {
    mkdirSync(join(user.cwd, 'elsewhere'), { recursive: true });
    const whole = join(user.cwd, 'elsewhere', 'whole.html');
    const written = await user.run(['report', made.dir, '--html', whole, '--embed-transcripts']);
    expect([written.exitCode, written.stdout.trim()]).toEqual([0, whole]);
    const page = await browser.newPage();
    await page.goto(String(pathToFileURL(whole)));
    const texts = await page.locator('details.run pre').allTextContents();
    const logs = [...made.sessions.keys()].filter((id) => !id.startsWith('beta/') || !id.endsWith('-3'));
    expect(texts.length).toBe(logs.length * 2);
    expect(texts).toContain(readFileSync(join(made.dir, 'alpha', 'run-new-1.jsonl'), 'utf8'));
    expect(await page.locator('details.run a[href$=".jsonl"]').count()).toBe(0);
    await page.close();
  });

  test('links are relative to where it is written', async () => {
    mkdirSync(join(user.cwd, 'elsewhere'), { recursive: true });
    const elsewhere = join(user.cwd, 'elsewhere', 'linked.html');
    await user.run(['report', made.dir, '--html', elsewhere]);
    const hrefs = [...readFileSync(elsewhere, 'utf8').matchAll(/href="([^"#]+\.jsonl)"/g)].map(
      ([, href]) => href ?? '',
    );
    expect(hrefs.length).toBe(20);
    expect(hrefs.filter((href) => !existsSync(join(dirname(elsewhere), href)))).toEqual([]);
    expect(statSync(file).size).toBeLessThan(500_000);
  });
});

test('a folder that is not there is not made: exit 2', async () => {
  const user = makeSurroundings();
  const { dir } = writeMadeCampaign(join(user.cwd, 'made'), ['alpha'], 1);
  const refused = await user.run(['report', dir, '--html', join(user.cwd, 'mistyped', 'page.html')]);
  expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toContain('there is no such folder');
  expect(existsSync(join(user.cwd, 'mistyped'))).toBe(false);
  user.remove();
});

interface LogEvent {
  type: string;
  parent_tool_use_id?: string | null;
  message?: { id?: string; model?: string; content: { type: string; id?: string; is_error?: boolean }[] };
}

function removeTrial(dir: string, id: string): void {
  const [task, run] = id.split('/');
  for (const end of ['.jsonl', '.t2.jsonl', '.trial.json']) rmSync(join(dir, task ?? '', `run-${run}${end}`));
}
