import { lintSource } from '@secretlint/core';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { expect, test } from 'vitest';
import { findSecrets, mayHoldSecret } from '../../src/redaction/library.js';
import { LOOK_ALIKES, PLANTED } from './planted.js';

/** The rules of the library that match, asked without our look beforehand. */
async function rulesThatMatch(content: string): Promise<string[]> {
  const { messages } = await lintSource({
    source: { filePath: 'x.txt', content, contentType: 'text', ext: '.txt' },
    options: { noPhysicFilePath: true, config: { rules: rules.map((rule) => ({ id: rule.meta.id, rule })) } },
  });
  return [...new Set(messages.map(({ ruleId }) => ruleId.replace(/^.*-rule-/, '')))].sort();
}

test('the cheap look beforehand loses none of its findings', async () => {
  const texts = PLANTED.flatMap(({ text }) => [
    text,
    `{"a":"${text}"}`,
    text.toUpperCase(),
    text.toLowerCase(),
    `é${text}`,
    `_${text}_`,
  ]);
  const lost: string[] = [];
  for (const text of texts) {
    if ((await rulesThatMatch(text)).length > 0 && !mayHoldSecret(text)) lost.push(text);
  }
  expect(lost).toEqual([]);
});

test('each rule of the library has a planted secret that it finds', async () => {
  for (const { name, text, rule } of PLANTED) {
    if (rule !== undefined) expect(await rulesThatMatch(text), name).toContain(rule);
  }
  const covered = new Set(PLANTED.map(({ rule }) => rule));
  // gcp reads whole key files by their names; a private key in one is found as such. filter-comments is left out on purpose.
  const open = rules
    .map((rule) => rule.meta.id.replace(/^.*-rule-/, ''))
    .filter((rule) => !covered.has(rule) && !['gcp', 'filter-comments'].includes(rule));
  expect(open).toEqual([]);
});

test('the secret itself is found where the library gives a range that begins before it', async () => {
  const aws = PLANTED.find(({ name }) => name === 'AWS secret');
  expect(await findSecrets(aws?.text ?? '')).toEqual([{ kind: 'aws secret', secret: aws?.secret }]);
});

test('it finds nothing in what only looks like a secret', async () => {
  for (const text of LOOK_ALIKES) expect(await findSecrets(text), text).toEqual([]);
});
