import { expect, it } from 'vitest';
import { resolveReadOptions } from '../../src/cli/options.js';

const windowTokens = (flag: string | undefined, environment: Record<string, string>) => {
  const options = resolveReadOptions({ windowTokens: flag }, environment);
  return options.ok ? options.value.windowTokens : options.failure.message;
};

it('--window-tokens wins over CG_WINDOW_TOKENS; by default and with auto the log decides', () => {
  expect(windowTokens(undefined, {})).toBeUndefined();
  expect(windowTokens(undefined, { CG_WINDOW_TOKENS: '1000000' })).toBe(1_000_000);
  expect(windowTokens('500000', { CG_WINDOW_TOKENS: '1000000' })).toBe(500_000);
  expect(windowTokens('auto', { CG_WINDOW_TOKENS: '1000000' })).toBeUndefined();
});
