import { expect, test } from 'vitest';
import { checkPrompt, claudeArguments } from '../../../src/host/claude-code/arguments.js';

test('every segment has the same command line but for --resume', () => {
  const isolation = {
    hostPath: '/opt/claude',
    trialId: 't',
    environment: {},
    mcpConfigFile: '/t/mcp.json',
    settingsFile: '/t/settings.json',
  };
  const settings = { model: 'sonnet', effort: 'high', maxBudgetUsd: 4 };
  const first = claudeArguments(isolation, settings);
  expect(first.join(' ')).toBe(
    '/opt/claude -p --output-format stream-json --verbose --include-hook-events --permission-mode bypassPermissions ' +
      '--setting-sources  --strict-mcp-config --mcp-config /t/mcp.json --settings /t/settings.json ' +
      '--model sonnet --effort high --max-budget-usd 4',
  );
  expect(claudeArguments(isolation, settings, 'abc')).toEqual([...first, '--resume', 'abc']);
});

// docs/claude-code.md, "Prompts"
test.each([
  ['How does res.send settle the ETag?', true],
  ['-p is an option; how is it read?', true],
  [' /compact is a word here', true],
  ['!important and # are plain text', true],
  ['Mail me@example.org about `@lib/a.js`.', true],
  ['/compact', false],
  ['/lib/router.js: what is it?', false],
  ['Look at @lib/router.js', false],
  ['@"a file.js" is what?', false],
  ['', false],
  ['  \n', false],
])('%j may be asked: %s', (prompt, isFine) => {
  expect(checkPrompt(prompt).ok).toBe(isFine);
});
