import { expect, test } from 'vitest';
import { webAddress } from '../../src/engine/repository.js';

test.each([
  ['https://github.com/owner/name.git', 'https://github.com/owner/name'],
  ['https://github.com/owner/name/', 'https://github.com/owner/name'],
  ['git@github.com:owner/name.git', 'https://github.com/owner/name'],
  ['ssh://git@gitlab.example.org:2222/group/sub/name.git', 'https://gitlab.example.org/group/sub/name'],
  ['https://user:secret@github.com/owner/name', 'https://github.com/owner/name'],
])('%s is shown at %s', (remote, address) => {
  expect(webAddress(remote)).toBe(address);
});

test.each([
  '/home/someone/repository',
  '../repository',
  'file:///srv/github/repository',
  'https://example.org/owner/name.git',
  'https://github.com/owner',
  'git@github.com:owner/na me<script>',
  '',
])('%s has no such address', (remote) => {
  expect(webAddress(remote)).toBeUndefined();
});
