import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCliAttempts } from '../../src/host/index.js';
import { temporaryFolder } from '../host/rig.js';
import { bash, holdSession } from './session.js';

test.each(['full', 'shell', 'none'] as const)(
  'at the level %s an execution of the CLI is noted and gives nothing',
  async (level) => {
    const root = temporaryFolder();
    const command = 'a=code; { "$a"graph status --deep; echo "is $?"; } 2>&1; env | grep -c ^CODEGRAPH_';
    const session = await holdSession({ level, root, prompts: [[bash(command)]] });
    expect(session.results[0]?.text).toMatch(/^\S*bash: line \d+: codegraph: command not found\nis 127\n[01]$/);
    expect(readCliAttempts(join(root, 'o', 'n'))).toMatchObject([{ args: ['status', '--deep'] }]);
    expect(session.left).toEqual([]);
  },
);
