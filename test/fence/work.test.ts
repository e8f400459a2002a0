import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../host/rig.js';
import { dailyPrompts, failedWork } from './daily-work.js';
import { holdSession } from './session.js';

const levels = ['full', 'shell', 'none'] as const;

test.each(levels)(
  'at the level %s daily work goes on as without a fence, over two segments',
  { timeout: 180_000 },
  async (level) => {
    const root = temporaryFolder();
    const workspace = join(root, 'w');
    const session = await holdSession({ level, root, prompts: dailyPrompts(workspace), home: '/nonexistent' });
    console.error(`${level}: ${session.durationMs} ms`);
    expect(failedWork(session, workspace)).toEqual([]);
    expect(session.exitCodes).toEqual([0, 0]);
    // The hook ran before every Bash call, with the workspace of the host.
    expect(session.hookLog.trim().split('\n')).toHaveLength(12);
    expect(session.hookLog).toContain(`codegraph ${workspace} mkdir`);
    expect(session.dropped).toMatchObject({ ok: true, value: { fence: level } });
    expect(session.left).toEqual([]);
  },
);
