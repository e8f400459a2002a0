import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { currentLockHolder } from '../../src/campaign/index.js';
import type { LoggedProcess } from '../../src/process/index.js';
import type { NightlyEntry } from '../../src/report/index.js';
import { launchBrowser, whyNoBrowser } from '../rig/browser.js';
import { writeReportCampaign } from '../rig/report-campaigns.js';
import { makeSurroundings } from '../rig/run-cli.js';

vi.setConfig({ testTimeout: 60_000 });

const why = whyNoBrowser();
if (why) console.warn(`serve is not tested: ${why}`);

describe.skipIf(why !== undefined)('serve', () => {
  const user = makeSurroundings();
  const out = join(user.cwd, 'out');
  let served: LoggedProcess;
  let url = '';
  let browser: Browser;

  beforeAll(async () => {
    mkdirSync(join(out, 'nightly', 'main'), { recursive: true });
    for (const name of ['worse', 'better', 'low'] as const) writeReportCampaign(out, name);
    const nights = [-3, null, 12].map((effect) => `${JSON.stringify(night(effect))}\n`);
    writeFileSync(join(out, 'nightly', 'main', 'history.jsonl'), nights.join(''));
    served = user.start(['serve', out]);
    const printed = () => readFileSync(join(user.root, 'started-1.out'), 'utf8');
    await vi.waitFor(() => expect(printed()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\n$/), {
      timeout: 30_000,
      interval: 100,
    });
    url = printed().trim();
    browser = await launchBrowser();
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    if (served?.identity) process.kill(served.identity.pid, 'SIGINT');
    await served?.exited;
    user.remove();
  });

  function night(effect: number | null): NightlyEntry {
    const metric = {
      metric: 'costUsd',
      label: 'cost',
      unit: 'percent' as const,
      margin: 10,
      interval: null,
      verdict: null,
    };
    return {
      ...{
        formatVersion: 2,
        at: '2026-01-01T02:00:00Z',
        name: 'main',
        regime: 'r',
        builds: [],
        exitCode: 0,
        look: null,
        gate: null,
      },
      ...{ verdict: effect === null ? 'not-measured' : 'green', campaign: join(out, 'better'), baseline: null },
      metrics: [{ ...metric, arm: 'new', effect, result: 'within', reason: null, level: null, chart: null }],
    };
  }

  it('lists the campaigns, shows the same page as report --html, and compares two, in a browser', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(url);
    const rows = await page.locator('#campaigns tbody th').allTextContents();
    // The newest first; the other two started at the same time.
    expect([rows[0], rows.slice(1).sort()]).toEqual(['better', ['low', 'worse']]);
    expect(await page.locator('figure svg').getAttribute('aria-label')).toBe('new: cost, percent: -3.0, —, 12.0');
    expect(await page.locator('figure svg circle').count()).toBe(2);
    await page.evaluate(axe.source);
    expect(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([]);
    await page.locator('#campaigns a', { hasText: /^better$/ }).click();
    expect(await page.locator('h1').textContent()).toBe('codegraph 2.0.0 against codegraph 1.0.0');
    expect(await page.locator('details.run').count()).toBe(16);
    const log = await page.locator('a[href$=".jsonl"]').first().getAttribute('href');
    const fetched = await page.request.get(new URL(log ?? '', page.url()).href);
    expect([fetched.status(), fetched.headers()['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(await fetched.text()).toBe(readFileSync(join(out, 'better', log ?? ''), 'utf8'));
    const html = await (await page.request.get(page.url())).text();
    expect((await user.run(['report', join(out, 'better'), '--html'])).exitCode).toBe(0);
    expect(html).toBe(readFileSync(join(out, 'better', 'report.html'), 'utf8'));
    await page.goto(`${url}against/worse`);
    await page.locator('a', { hasText: /^better$/ }).click();
    expect(await page.locator('pre').textContent()).toContain('new in A');
    // Other settings are refused with every difference.
    expect((await page.goto(`${url}against/worse/low`))?.status()).toBe(422);
    expect(await page.locator('pre').textContent()).toContain('effort');
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
    await page.close();
  });

  it('is live while a campaign runs, and shows what has come since', async () => {
    const lock = join(out, 'worse', 'lock.json');
    const found = async () => {
      const response = await fetch(url);
      return [response.headers.get('refresh'), (await response.text()).includes('<td>running</td>')];
    };
    expect(await found()).toEqual([null, false]);
    writeFileSync(lock, JSON.stringify(currentLockHolder()));
    expect(await found()).toEqual(['5', true]);
    const report = () => fetch(`${url}c/worse/report.html`).then((response) => response.text());
    const before = await report();
    rmSync(join(out, 'worse', 'one', 'run-new-1.trial.json'));
    const after = await report();
    expect(before).not.toBe(after);
    rmSync(lock);
    expect(await found()).toEqual([null, false]);
  });

  it('serves nothing but the campaigns, and only to this machine', async () => {
    writeFileSync(join(user.cwd, 'secret.json'), '{}');
    for (const path of [
      'c/worse/../../secret.json',
      'c/worse/%2e%2e%2f%2e%2e%2fsecret.json',
      'c/worse//etc/passwd',
      'c/none/report.html',
      'x',
    ]) {
      expect(await status(path), path).toBe(404);
    }
    expect(await status('', { host: 'evil.example' })).toBe(403);
    expect(await status('', {}, 'POST')).toBe(405);
    const bad = await user.run(['serve', join(user.cwd, 'none')]);
    expect([bad.exitCode, bad.stderr.includes('there is no such folder')]).toEqual([2, true]);
    expect((await user.run(['serve', out, '--port', 'many'])).exitCode).toBe(2);
  });

  /** The status of a path that is sent as it is written here. */
  async function status(
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<number | undefined> {
    const { hostname, port } = new URL(url);
    return await new Promise((done, reject) => {
      const sent = request({ hostname, port, path: `/${path}`, headers, method }, (response) => {
        response.resume();
        done(response.statusCode);
      });
      sent.on('error', reject);
      sent.end();
    });
  }
});
