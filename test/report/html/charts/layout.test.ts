import type { Browser } from 'playwright-core';
import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  allocationCharts,
  type ChartInput,
  contextCharts,
  pairedDots,
  sufficiencyCharts,
} from '../../../../src/report/html/charts/index.js';
import { STYLES } from '../../../../src/report/html/styles.js';
import { launchBrowser, whyNoBrowser } from '../../../rig/browser.js';
import { campaign } from './rig.js';

const WIDTH = 900;
const why = whyNoBrowser();

describe.skipIf(why !== undefined)('charts in a browser, 900 pixels wide', { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });

  const kinds: [string, (input: ChartInput) => VNode][] = [
    ['paired dots', pairedDots],
    ['context', contextCharts],
    ['sufficiency', sufficiencyCharts],
    ['allocation', allocationCharts],
  ];

  test.each(kinds)('%s: no text on another, none cut off, nothing wider than the page', async (_, make) => {
    const body = render(make(campaign(3, 3)));
    const page = await browser.newPage({ viewport: { width: WIDTH, height: 900 } });
    await page.setContent(`<!doctype html><style>${STYLES}</style><main>${body}</main>`);
    const found = await page.evaluate(`(() => {
      document.querySelectorAll('details.more').forEach((one) => { one.open = true; });
      const faults = [];
      const charts = [...document.querySelectorAll('.chart-svg svg')];
      for (const svg of charts) {
        const frame = svg.getBoundingClientRect();
        const texts = [...svg.querySelectorAll('text')].map((one) => ({ words: one.textContent, box: one.getBoundingClientRect() }));
        for (const [index, { words, box }] of texts.entries()) {
          if (box.left < frame.left - 1 || box.right > frame.right + 8 || box.top < frame.top - 3 || box.bottom > frame.bottom + 3) faults.push('cut: ' + words);
          for (const other of texts.slice(index + 1)) {
            const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
            const high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
            if (wide > 1 && high > 4) faults.push(words + ' on ' + other.words);
          }
        }
      }
      return { faults, charts: charts.length, width: document.documentElement.scrollWidth };
    })()`);
    expect(found).toMatchObject({ faults: [], width: WIDTH });
    expect((found as { charts: number }).charts).toBeGreaterThan(0);
    await page.close();
  });
});
