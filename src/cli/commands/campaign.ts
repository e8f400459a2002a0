import { carryOut } from '../carry-out.js';
import type { Surroundings } from '../invocation.js';
import { type NamedFlags, namedCampaign, README_CAMPAIGN } from '../named-campaign.js';
import { tellFailure } from '../tell.js';

/** `bench-readme`: the tasks of the config's campaign `readme`, with and without the engine. */
export async function benchReadme(flags: NamedFlags, surroundings: Surroundings): Promise<number> {
  return await runNamed(README_CAMPAIGN, 'bench-readme', flags, surroundings);
}

/** `campaign <name>`: any set of tasks and arms that the config names. */
export async function campaign(name: string, flags: NamedFlags, surroundings: Surroundings): Promise<number> {
  return await runNamed(name, 'campaign', flags, surroundings);
}

async function runNamed(
  name: string,
  command: 'bench-readme' | 'campaign',
  flags: NamedFlags,
  surroundings: Surroundings,
): Promise<number> {
  const named = await namedCampaign(name, command, flags, surroundings);
  return named.ok ? await carryOut(named.value.request) : tellFailure(named.failure);
}
