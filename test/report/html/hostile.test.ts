import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, whyNoBrowser } from '../../rig/browser.js';
import { writeMadeCampaign, writeTrial } from '../../rig/made-campaign.js';
import { makeSurroundings } from '../../rig/run-cli.js';
import type { Event } from '../../rig/session-generator.js';

const MARKUP =
  '</script></style></title></textarea><script>alert(1)</script><img src="http://127.0.0.1:9/x" onerror="alert(2)"><svg onload=alert(3)>' +
  '<a href="javascript:alert(4)">go</a><iframe srcdoc="<script>alert(5)</script>"></iframe><!-- ]]> &lt;b&gt; \'"`' +
  ' [go](javascript:alert(6)) ![y](http://127.0.0.1:9/y) <javascript:alert(7)> <http://127.0.0.1:9/z>';
const STEERING =
  'a\u001b[31mred\u001b]0;title\u0007\u001b[2J b\u0000c\u009bd\u202egnp.exe\u2066e\u2028f\u2029g\u200bh\ufeffi\rj\ud800k\u007f';
const HOSTILE = `${STEERING} ${MARKUP}`;

const usage = { input_tokens: 1_000, output_tokens: 10 };

/** One prompt's events in which every text is hostile. */
function events(prompt: number): Event[] {
  const id = (name: string) => `${name}-${prompt}`;
  const assistant = (message: string, block: Event): Event => ({
    ...{ type: 'assistant', session_id: 's', parent_tool_use_id: null },
    message: { id: id(message), model: `claude ${HOSTILE}`, role: 'assistant', content: [block], usage },
  });
  const result = (call: string, content: string, isError = false): Event => ({
    ...{ type: 'user', session_id: 's', parent_tool_use_id: null, timestamp: HOSTILE },
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id(call), content, ...(isError ? { is_error: true } : {}) }],
    },
  });
  const explored = `**Exploration: ${HOSTILE}**\n\n**Source Code**\n\n**\`lib/${HOSTILE}.js\`** — send(function)\n\n\`\`\`javascript\n1\tsend()\n\`\`\`\n`;
  return [
    ...[{ type: 'system', subtype: 'init', session_id: 's', tools: [HOSTILE], model: HOSTILE }],
    assistant('m1', { type: 'text', text: HOSTILE }),
    assistant('m1', {
      type: 'tool_use',
      id: id('c1'),
      name: 'mcp__codegraph__codegraph_explore',
      input: { query: HOSTILE },
    }),
    result('c1', explored),
    assistant('m2', { type: 'tool_use', id: id('c2'), name: 'Bash', input: { command: `codegraph query ${HOSTILE}` } }),
    result('c2', HOSTILE, true),
    assistant('m3', { type: 'tool_use', id: id('c3'), name: 'Read', input: { file_path: `/w/${HOSTILE}` } }),
    result('c3', HOSTILE),
    assistant('m4', { type: 'tool_use', id: id('c4'), name: `Tool ${HOSTILE}`, input: { [HOSTILE]: HOSTILE } }),
    result('c4', HOSTILE),
    { type: 'system', subtype: 'api_retry', session_id: 's', attempt: 1, error: HOSTILE, error_status: 529 },
    { type: 'system', subtype: 'model_fallback', session_id: 's', fallback_model: HOSTILE },
    {
      ...{ type: 'assistant', session_id: 's', error: HOSTILE, parent_tool_use_id: null },
      message: { id: id('x'), model: '<synthetic>', content: [{ type: 'text', text: HOSTILE }], usage },
    },
    assistant('m5', { type: 'text', text: `See lib/${HOSTILE}.js` }),
    {
      ...{ type: 'result', subtype: 'success', is_error: false, result: `See lib/${HOSTILE}.js`, session_id: 's' },
      ...{ duration_ms: 1_000, total_cost_usd: 0.5, usage, terminal_reason: HOSTILE },
    },
  ];
}

const user = makeSurroundings();
const dir = join(user.cwd, 'hostile');
const why = whyNoBrowser();
if (why) console.warn(`hostile transcripts are not tested in a page: ${why}`);

beforeAll(() => {
  const { plan } = writeMadeCampaign(dir, ['alpha'], 2);
  const [first, , failed] = plan.trials;
  if (!first || !failed) throw new Error('no trials');
  writeTrial(dir, first, [events(1), events(2)], { cliAttempts: [{ at: HOSTILE, by: HOSTILE, args: [HOSTILE] }] });
  writeTrial(dir, failed, [events(1)], {
    ...{ outcome: 'failed', validity: 'infra' },
    evidence: { cause: HOSTILE },
    failure: { reason: 'session-infra', message: HOSTILE, command: HOSTILE, advice: HOSTILE, lastLines: [HOSTILE] },
  });
  writeFileSync(join(dir, 'alpha', 'run-new-2.err'), `${HOSTILE}\n`);
  const hostilePlan = { ...plan, tasks: plan.tasks.map((task) => ({ ...task, prompts: [HOSTILE, HOSTILE] })) };
  hostilePlan.arms = plan.arms.map((arm) => ({ ...arm, environment: { CODEGRAPH_X: HOSTILE } }));
  writeFileSync(join(dir, 'plan.json'), JSON.stringify(hostilePlan));
});

afterAll(() => user.remove());

describe.skipIf(why !== undefined)('a hostile transcript does nothing in the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test.each([[[]], [['--embed-transcripts']]])('report --html %s', async (flags) => {
    const written = await user.run(['report', dir, '--html', ...flags]);
    expect([written.exitCode, written.stderr]).toEqual([0, '']);
    const page = await browser.newPage();
    const happened: string[] = [];
    page.on('dialog', (dialog) => {
      happened.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (message) => happened.push(message.text()));
    page.on('pageerror', (error) => happened.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) happened.push(request.url());
    });
    await page.goto(String(pathToFileURL(join(dir, 'report.html'))));
    await page.evaluate(() => {
      for (const one of document.querySelectorAll('details')) one.open = true;
    });
    expect(happened).toEqual([]);
    const found = await page.evaluate(() => ({
      title: document.title.startsWith('codegraph'),
      scripts: document.querySelectorAll('script').length,
      strangers: document.querySelectorAll('img, iframe, object, embed, link, base, textarea, [srcdoc]').length,
      handlers: [...document.querySelectorAll('*')].filter((one) =>
        [...one.attributes].some(({ name }) => /^on/i.test(name)),
      ).length,
      links: [...document.querySelectorAll('a')].filter((one) =>
        /^\s*(javascript|data|vbscript):|127\.0\.0\.1:9/i.test(one.href),
      ).length,
    }));
    expect(found).toEqual({ title: true, scripts: 1, strangers: 0, handlers: 0, links: 0 });
    const text = await page.evaluate(() => document.body.textContent ?? '');
    // What is ours has no such character, so any there is comes from the transcript.
    expect(text.match(/(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029\u200b\ufeff\p{Cs}]/gu)).toBeNull();
    expect(text).toContain('␛[31mred␛]0;title␇␛[2J b␀c⟨U+009B⟩d⟨U+202E⟩gnp.exe⟨U+2066⟩e');
    expect(text).toContain('alert(1)');
    await page.close();
  });
});

describe('a hostile transcript does nothing in a terminal', () => {
  const STEERS = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u;

  test.each([[['--full']], [['--markdown']], [['--csv']], [['--json']], [['--junit']], [['--distribution']]])(
    'report %s',
    async (flags) => {
      const { stdout, stderr } = await user.run(['report', dir, ...flags]);
      expect(stdout.length).toBeGreaterThan(100);
      expect(STEERS.exec(stdout)).toBeNull();
      expect(STEERS.exec(stderr)).toBeNull();
    },
  );

  test('the files that a campaign leaves', async () => {
    const merged = join(user.cwd, 'merged');
    const outcome = await user.run(['merge', merged, dir]);
    expect(STEERS.exec(outcome.stdout + outcome.stderr)).toBeNull();
    for (const name of ['report.txt', 'report.html']) {
      expect(STEERS.exec(readFileSync(join(merged, name), 'utf8'))).toBeNull();
    }
  });
});
