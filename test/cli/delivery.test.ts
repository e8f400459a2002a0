import { afterAll, expect, it, vi } from 'vitest';
import { deliverySchema } from '../../src/model/delivery.js';
import { makeSurroundings } from '../rig/run-cli.js';

vi.setConfig({ testTimeout: 240_000 });

const user = makeSurroundings();
afterAll(() => user.remove());

it('delivery shows which answers the real host lets through, with a limit of its own and without', async () => {
  const { stdout, exitCode } = await user.run(['delivery', '--sizes', '4k,16k,64k', '--limit', '4k', '--json']);
  expect(exitCode).toBe(0);
  const { cases, host, hostVersion } = deliverySchema.parse(JSON.parse(stdout));
  expect([host, hostVersion]).toEqual(['claude-code', expect.stringMatching(/^\d+\.\d+\.\d+/)]);
  const states = (kind: string, limit: number | null) =>
    cases.filter((one) => one.kind === kind && one.limitTokens === limit).map(({ state }) => state);
  for (const kind of ['source', 'json', 'blocks']) {
    // 64,000 characters are 27,800 tokens for the scripted model; the host's own limit is 25,000.
    expect(states(kind, null), kind).toEqual(['whole', 'whole', 'spilled']);
    expect(states(kind, 4_000), kind).toEqual(['whole', 'spilled', 'spilled']);
  }
  expect(states('image', null)).toEqual(['whole', 'whole', 'whole']);
  const spilled = cases.filter(({ state }) => state === 'spilled');
  for (const { file, isNoticeKnown, shownChars } of spilled) {
    expect([file, isNoticeKnown]).toEqual([{ isWhole: true }, true]);
    expect(shownChars).toBeLessThan(3_000);
  }
  const unusable = await user.run(['delivery', '--sizes', '4k,lots']);
  expect([unusable.exitCode, unusable.stderr]).toEqual([2, expect.stringContaining('got "lots"')]);
});
