import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALL_METRICS, findMetric, JUDGED_METRICS, rowName, withTool } from '../../src/catalogue/index.js';

describe('the catalogue', () => {
  it('gives every metric a name, a label and a CSV column of its own', () => {
    for (const values of [
      ALL_METRICS.map(({ name }) => name),
      ALL_METRICS.map(({ label }) => label.toLowerCase()),
      ALL_METRICS.flatMap(({ csv }) => csv?.column ?? []),
      ALL_METRICS.flatMap(({ csv }) => csv?.place ?? []),
      ALL_METRICS.flatMap(({ direction }) => direction ?? []),
    ]) {
      expect(values.filter((value, index) => (values as unknown[]).indexOf(value) !== index)).toEqual([]);
    }
  });

  it('explains every metric in whole sentences', () => {
    expect(ALL_METRICS.filter(({ meaning }) => !/^[A-Z{].*\.$/s.test(meaning)).map(({ name }) => name)).toEqual([]);
  });

  it('finds a metric by its name, its label and its row in the tables, whatever the case', () => {
    for (const metric of JUDGED_METRICS) {
      const texts = [metric.name, metric.label, metric.label.toUpperCase(), rowName(metric), metric.row?.label ?? ''];
      for (const text of texts.filter((one) => one !== ''))
        expect([text, findMetric(text)]).toEqual([text, metric.name]);
    }
    expect(findMetric('final_context')).toBe('ctxFinalTokens');
    expect(findMetric('turns')).toBe('requests');
    // These have no better direction.
    expect(['fixed context', 'ctxBaseTokens', 'per-run efficiency', 'speed', ''].map(findMetric)).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
  });
});

describe('the table of metrics in docs/metrics.md', () => {
  const BEGIN = '<!-- The table of metrics is made from src/catalogue by `npm run docs:metrics`. -->\n';
  const END = '<!-- End of the table of metrics. -->';

  // `npm run docs:metrics` writes the table after a wanted change.
  it('is what the catalogue says', () => {
    const file = join(import.meta.dirname, '../../docs/metrics.md');
    const text = readFileSync(file, 'utf8');
    const [from, to] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)];
    expect(to).toBeGreaterThanOrEqual(from);
    if (process.env.UPDATE_DOCS === '1') writeFileSync(file, text.slice(0, from) + metricsTable() + text.slice(to));
    expect(readFileSync(file, 'utf8')).toContain(`${BEGIN}${metricsTable()}${END}`);
  });
});

function metricsTable(): string {
  const rows = ALL_METRICS.map(({ name, label, unit, verdict, csv, meaning }) => [
    `\`${name}\``,
    withTool(label, 'the tool’s'),
    unit,
    verdict === null ? '–' : `${verdict.kind}, ${verdict.better} is better`,
    csv === undefined ? '–' : `\`${csv.column}\``,
    withTool(meaning, 'the tool under test'),
  ]);
  const head = ['name', 'label', 'unit', 'compared as', 'CSV column', 'meaning'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
