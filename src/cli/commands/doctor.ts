import { tmpdir } from 'node:os';
import { codegraphProfile } from '../../engine/index.js';
import type { Arm } from '../../model/plan.js';
import { type DoctorCheck, jsonText, renderDoctor, writeOut } from '../../report/index.js';
import { pinWithBuild } from '../arms.js';
import { examine } from '../doctor.js';
import { EXIT } from '../exit-codes.js';
import { hiddenPlaces } from '../hidden-places.js';
import { invoke, type Surroundings } from '../invocation.js';
import type { CommonFlags } from '../options.js';
import { tellFailure } from '../tell.js';

/** `doctor`: everything that an experiment needs, each line fine or a problem with its remedy. */
export async function doctor(flags: CommonFlags & { build?: string }, surroundings: Surroundings): Promise<number> {
  const invocation = await invoke(flags, surroundings);
  if (!invocation.ok) return tellFailure(invocation.failure);
  const { config, options, environment, signal } = invocation.value;
  const pinned = await pinWithBuild(flags.build, options, environment.PATH ?? '', invocation.value);
  const arms: Arm[] = pinned.ok ? [{ label: 'with', build: pinned.value, environment: {} }] : [];
  const { checks } = await examine({
    config,
    arms,
    profile: codegraphProfile,
    environment,
    temporaryRoot: tmpdir(),
    rehearsal: options.rehearsal,
    fence: options.fence,
    hidden: hiddenPlaces(invocation.value),
    toolSearch: options.toolSearch,
    signal,
  });
  const engine: DoctorCheck = pinned.ok
    ? { name: codegraphProfile.label, state: 'fine', detail: pinned.value.title }
    : {
        name: codegraphProfile.label,
        state: 'note',
        detail: `${pinned.failure.message}: with-without needs --build`,
        remedy: pinned.failure.advice,
      };
  const all = [...checks, engine];
  writeOut(options.json ? jsonText(all) : renderDoctor(all));
  return all.some((check) => check.state === 'problem') ? EXIT.environmentUnfit : EXIT.done;
}
