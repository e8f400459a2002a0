import { describe, expect, test } from 'vitest';
import type { VerdictReport } from '../../src/model/verdict.js';
import { type JunitTrial, renderJunit } from '../../src/report/index.js';
import { verdictsOf } from '../../src/statistics/index.js';
import { type Element, readXml } from '../rig/naive-xml.js';
import { COST, DESIGN, observations } from '../statistics/rig.js';

/** Seven tasks of four runs; the tested arm at `share` of the baseline, a little more from task to task. */
function verdicts(share: number): VerdictReport {
  const data = observations(
    Array.from({ length: 7 }, (_, task) => ({
      baseline: [1, 1.02, 0.98, 1.01].map((value) => value * (task + 1)),
      tested: [1.01, 0.99, 1, 1.02].map((value) => value * (task + 1) * (share + task / 200)),
    })),
  );
  const tokens = { ...COST, name: 'tokensProcessed', label: 'tokens processed', role: 'secondary' as const };
  return verdictsOf(data, { ...DESIGN, metrics: [COST, tokens] });
}

const trial: JunitTrial = { name: 'gin/new-1', task: 'gin', durationMs: 1500, error: null, isMissing: false };

async function xml(over: Partial<Parameters<typeof renderJunit>[0]> = {}): Promise<Element> {
  return readXml(await renderJunit({ campaign: 'ab-1', verdicts: null, gate: null, trials: [], ...over }));
}

function casesOf(root: Element, suite: string): Element[] {
  return (
    root.children
      .find(({ attributes }) => attributes.name === suite)
      ?.children.filter(({ name }) => name === 'testcase') ?? []
  );
}

describe('JUnit', () => {
  test('worse is a failure with the sentence, no verdict is skipped with its reason', async () => {
    const root = await xml({ verdicts: verdicts(1.3) });
    const [cost, tokens] = casesOf(root, 'verdicts: new against baseline');
    expect(cost?.attributes).toMatchObject({ name: 'costUsd', classname: 'verdict.primary' });
    const failure = cost?.children.find(({ name }) => name === 'failure');
    expect(failure?.attributes).toMatchObject({ type: 'worse' });
    expect(failure?.attributes.message).toMatch(/^cost: WORSE — 3\d\.\d% HIGHER \(95% interval/);
    // None of these runs has tokens.
    expect(tokens?.children.map(({ name }) => name)).toContain('skipped');
    expect(tokens?.children.find(({ name }) => name === 'system-out')?.text).toContain(
      'skipped: no pair of runs has this figure in both arms',
    );
    expect(root.attributes).toMatchObject({ tests: '2', failures: '1', errors: '0', skipped: '1' });
  });

  test('better passes', async () => {
    const root = await xml({ verdicts: verdicts(0.8) });
    expect(root.attributes).toMatchObject({ tests: '2', failures: '0', errors: '0', skipped: '1' });
  });

  test('trials that do not count are errors of their task, those that were not run are skipped', async () => {
    const root = await xml({
      trials: [
        trial,
        { ...trial, name: 'gin/new-2', error: { cause: 'infra', detail: 'the daemon went away' } },
        { ...trial, name: 'chi/new-1', task: 'chi', durationMs: null, isMissing: true },
      ],
    });
    const [good, bad] = casesOf(root, 'task gin');
    expect(good?.attributes).toMatchObject({ name: 'gin/new-1', time: '1.5' });
    expect(good?.children).toEqual([]);
    expect(bad?.children[0]).toMatchObject({
      name: 'error',
      attributes: { type: 'infra', message: 'infra: the daemon went away' },
    });
    expect(casesOf(root, 'task chi')[0]?.children[0]?.name).toBe('skipped');
    expect(root.attributes).toMatchObject({ tests: '3', failures: '0', errors: '1', skipped: '1' });
  });

  test('a gate that says no is a failure, one that could not be measured an error', async () => {
    const gate = { metric: 'costUsd', rule: 'not-worse' as const, words: 'gate costUsd: FAIL' };
    const failed = await xml({ gate: { ...gate, result: 'fail' } });
    expect(casesOf(failed, 'gate')[0]?.children.map(({ name }) => name)).toContain('failure');
    const unknown = await xml({ gate: { ...gate, result: 'no-verdict' } });
    expect(casesOf(unknown, 'gate')[0]?.children.map(({ name }) => name)).toContain('error');
    const passed = await xml({ gate: { ...gate, result: 'pass' } });
    expect(casesOf(passed, 'gate')[0]?.children.map(({ name }) => name)).toEqual(['system-out']);
  });

  test('hostile text cannot break the document, and can be seen', async () => {
    const hostile = '</testcase>]]>&boom;<script>\u0000\u0008\u001b[31m\u202e\ufffe\ud800"\'';
    const words = verdicts(1.3);
    const root = await xml({
      campaign: hostile,
      verdicts: { ...words, tested: hostile, metrics: words.metrics.map((one) => ({ ...one, words: hostile })) },
      trials: [{ ...trial, name: hostile, task: hostile, error: { cause: 'infra', detail: hostile } }],
    });
    const suite = root.children.find(({ attributes }) => attributes.name?.startsWith('task'));
    const error = suite?.children[0]?.children[0];
    expect(error?.attributes.message).toBe('infra: </testcase>]]>&boom;<script>␀␈␛[31m⟨U+202E⟩⟨U+FFFE⟩⟨U+D800⟩"\'');
    const told = casesOf(root, root.children[0]?.attributes.name ?? '')[0]?.children.find(
      ({ name }) => name === 'system-out',
    );
    expect(told?.text).toContain('</testcase>]]>&boom;<script>␀␈␛[31m');
  });
});
