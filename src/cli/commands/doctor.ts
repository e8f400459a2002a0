import { engineFor } from '../../engine/index.js';
import { examine, hiddenPlaces, openTemporaryRoot, pinWithBuild } from '../../experiment/index.js';
import { agentHost } from '../../host/index.js';
import type { Arm } from '../../model/plan.js';
import { type DoctorCheck, jsonText, renderDoctor, writeOut } from '../../report/index.js';
import { Teardown } from '../../util/teardown.js';
import { EXIT } from '../exit-codes.js';
import { type Invocation, invoke, type Surroundings } from '../invocation.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';

/** `doctor`: everything that an experiment needs, each line fine or a problem with its remedy. */
export async function doctor(flags: CommonFlags & { build?: string }, surroundings: Surroundings): Promise<number> {
  const invocation = await invoke(flags, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  const teardown = new Teardown();
  try {
    const temporary = await openTemporaryRoot(teardown);
    return temporary.ok ? await look(invocation.value, flags.build, temporary.value) : printFailure(temporary.failure);
  } finally {
    for (const problem of await teardown.run()) process.stderr.write(`teardown: ${problem}\n`);
  }
}

async function look(invocation: Invocation, build: string | undefined, temporaryRoot: string): Promise<number> {
  const { config, options, environment, signal } = invocation;
  const engine = engineFor(config.engine.profile);
  const pinned = await pinWithBuild(build, options, environment.PATH ?? '', invocation);
  const arms: Arm[] = pinned.ok ? [{ label: 'with', build: pinned.value, environment: {} }] : [];
  const { checks } = await examine({
    host: agentHost(config.host),
    config,
    arms,
    engine,
    environment,
    temporaryRoot,
    rehearsal: options.rehearsal,
    fence: options.fence,
    hidden: hiddenPlaces(invocation),
    toolSearch: options.toolSearch,
    signal,
  });
  const tested: DoctorCheck = pinned.ok
    ? { name: engine.label, state: 'fine', detail: pinned.value.title }
    : {
        name: engine.label,
        state: 'note',
        detail: `${pinned.failure.message}: with-without needs --build`,
        remedy: pinned.failure.advice,
      };
  const all = [...checks, tested];
  writeOut(options.json ? jsonText(all) : renderDoctor(all));
  return all.some((check) => check.state === 'problem') ? EXIT.environmentUnfit : EXIT.done;
}
