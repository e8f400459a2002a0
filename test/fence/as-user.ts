import { join } from 'node:path';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { probeFence } from '../../src/fence/index.js';
import type { FenceLevel } from '../../src/model/plan.js';
import { dailyPrompts, failedWork } from './daily-work.js';
import { claude, holdSession, hookScript } from './session.js';

/** Run by a test as another user: holds the session of daily work at a level and prints how it went. */
const [level = 'full', folder = ''] = process.argv.slice(2);
const isLevel = (value: string): value is FenceLevel => ['full', 'shell', 'none'].includes(value);
if (!isLevel(level)) throw new Error(`no level: ${level}`);

const probe = await probeFence(level, {
  temporaryRoot: folder,
  identity: codegraphProfile.identity,
  hostPath: claude,
  hookScript,
  hidden: [],
  callerEnvironment: { PATH: process.env.PATH ?? '', HOME: folder },
});
const root = join(folder, 'ae');
const session = await holdSession({ level, root, prompts: dailyPrompts(join(root, 'w')), home: '/nonexistent' });
const report = {
  uid: process.getuid?.(),
  failed: failedWork(session, join(root, 'w')),
  exitCodes: session.exitCodes,
  fence: session.dropped.ok ? session.dropped.value.fence : session.dropped.failure.message,
  probed: probe.ok ? probe.value.level : probe.failure.message,
};
process.stdout.write(JSON.stringify(report));
