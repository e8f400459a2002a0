import { expect, test } from 'vitest';
import { createRedactor, isSecretVariable } from '../../src/redaction/index.js';
import { chars } from './planted.js';

test('a password that a name marks in one place is taken out where it stands alone', () => {
  const password = 'w1nter-tale';
  const redactor = createRedactor();
  redactor.learn({ lines: JSON.stringify({ command: `export DB_PASS${'WORD'}=${password}` }) });
  expect(redactor.text(`psql: ${password} was refused`)).toBe(`psql: ${'x'.repeat(password.length)} was refused`);
});

test('a word without a digit is not learnt: it may be an ordinary one elsewhere', () => {
  const redactor = createRedactor();
  redactor.learn({ text: `POSTGRES_PASS${'WORD'}=postgresql` });
  expect(redactor.text('the postgresql driver')).toBe('the postgresql driver');
});

test('values of secret variables are taken out wherever they stand, also in names of properties', () => {
  const redactor = createRedactor({ secrets: ['correct horse battery'] });
  const hidden = `redacted${'x'.repeat(13)}`;
  expect(redactor.json('{"say correct horse battery":"correct horse battery"}')).toBe(`{"say ${hidden}":"${hidden}"}`);
  expect(redactor.found()).toEqual([{ kind: 'environment secret', secrets: 1, places: 2 }]);
});

test.each([
  ['DEPLOY_TOKEN', 'abcdefgh', true],
  ['ANTHROPIC_API_KEY', 'abcdefgh', true],
  ['DB_PASSWORD', 'correct-horse', true],
  ['NPM_CONFIG__AUTH', 'YWxpY2U6cHc=', true],
  ['PWD', '/srv/people/ada', false],
  ['SSH_AUTH_SOCK', '/tmp/ssh-x/agent.1', false],
  ['MAX_THINKING_TOKENS', '31999', false],
  ['ACME_TOKEN', 'short', false],
  ['EDITOR', 'abcdefgh', false],
])('the environment variable %s=%s is a secret: %s', (name, value, isSecret) => {
  expect(isSecretVariable(name, value)).toBe(isSecret);
});

test('the login name and the host name are taken out as words of their own, not as names of properties', () => {
  const redactor = createRedactor({ login: 'adalove', host: 'ada-laptop.acme.lan' });
  expect(redactor.text('adalove, adalove-fix and x_adalove, not adaloves; on ada-laptop and ada-laptop.acme.lan')).toBe(
    'xxxxxxx, xxxxxxx-fix and x_xxxxxxx, not adaloves; on xxxxxxxxxx and redactedxxxxxxxxxxx',
  );
  expect(redactor.json('{"adalove":"adalove"}')).toBe('{"adalove":"xxxxxxx"}');
  expect(redactor.value({ adalove: ['adalove'] })).toEqual({ adalove: ['xxxxxxx'] });
});

test('names of programs, very short names and names of the campaign stay', () => {
  const text = 'root, max and express on node';
  const named = (login: string) => createRedactor({ login, host: 'node', kept: new Set(['express']) }).text(text);
  for (const login of ['root', 'max', 'express']) expect(named(login)).toBe(text);
});

test('many secrets that are known cost no more than a look at each place', () => {
  const secrets = Array.from({ length: 3000 }, (_, index) => `${index}-${chars(24).slice(index % 10)}`);
  const redactor = createRedactor({ secrets });
  const text = chars(200_000);
  const start = process.cpuUsage();
  expect(redactor.text(text)).toHaveLength(text.length);
  expect(process.cpuUsage(start).user).toBeLessThan(3e6);
});
