import { expect, test } from 'vitest';
import { probeFence } from '../../src/fence/index.js';
import { codegraphProfile } from '../../src/engine/index.js';
import { claude, fixture, searchPath, temporaryFolder } from '../agent/rig.js';
test('probe', async () => {
  for (const level of ['full','shell'] as const) {
    const r = await probeFence(level, { temporaryRoot: temporaryFolder(), identity: codegraphProfile.identity, claudePath: claude, hookScript: fixture('hook.js'), hidden: [], callerEnvironment: { PATH: searchPath, HOME: process.env.HOME ?? '' } });
    console.log(JSON.stringify(r, null, 1));
  }
});
