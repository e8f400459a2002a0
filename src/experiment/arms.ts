import { checkCheckoutClean, checkComparable, locateEngineOnPath, pinBuild, pinProgram } from '../engine/index.js';
import type { PinnedBuild } from '../model/build.js';
import type { CampaignArm, Config } from '../model/config.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { Options } from '../model/options.js';
import type { Arm } from '../model/plan.js';

interface ArmContext {
  config: Config;
  checkout: string;
  signal: AbortSignal;
}

/** The two arms of `ab`: `new` at `head`, `baseline` at `baseline`. Refuses pairs that cannot tell anything. */
export async function abArms(
  head: string,
  baseline: string,
  acrossKinds: boolean,
  context: ArmContext,
): Promise<Result<Arm[]>> {
  const place = { checkout: context.checkout, engine: context.config.engine, signal: context.signal };
  const pins: PinnedBuild[] = [];
  for (const text of [head, baseline]) {
    const pinned = await pinBuild(text, place);
    if (!pinned.ok) return pinned;
    pins.push(pinned.value);
  }
  const [newer, older] = pins;
  if (!newer || !older) return fail({ reason: 'unexpected', message: 'a build was pinned to nothing' });
  const named = [newer, older];
  // A ref names what is committed; with uncommitted changes the user may believe that they are measured.
  const namesRef = named.some((pin) => pin.spec.kind === 'ref');
  if (namesRef && !named.some((pin) => pin.spec.kind === 'worktree')) {
    const clean = await checkCheckoutClean(context.checkout, context.config.engine.sources);
    if (!clean.ok) return clean;
  }
  const comparable = await checkComparable(newer, older, { ...place, acrossKinds });
  if (!comparable.ok) return comparable;
  return ok([
    { label: 'new', build: newer, environment: {} },
    { label: 'baseline', build: older, environment: {} },
  ]);
}

/** The arms of `ab --aa`: its baseline alone, pinned. */
export async function abBaseline(baseline: string, context: ArmContext): Promise<Result<Arm[]>> {
  const place = { checkout: context.checkout, engine: context.config.engine, signal: context.signal };
  const pinned = await pinBuild(baseline, place);
  return pinned.ok ? ok([{ label: 'baseline', build: pinned.value, environment: {} }]) : pinned;
}

/** The arm of `with-without` that has no engine. */
export const WITHOUT_ENGINE: Arm = { label: 'without', build: null, environment: {} };

/** Whether the arm without the engine is all that is run. A campaign that is continued has both arms in its plan. */
export function needsNoEngine({ arms, aa, campaign }: Pick<Options, 'arms' | 'aa' | 'campaign'>): boolean {
  return arms === 'without' && !aa && campaign === undefined;
}

/** The arms of `with-without`: the engine as the only MCP server, and none. */
export async function withWithoutArms(
  buildFlag: string | undefined,
  options: Pick<Options, 'engineProgram'>,
  path: string,
  context: ArmContext,
): Promise<Result<Arm[]>> {
  const pinned = await pinWithBuild(buildFlag, options, path, context);
  if (!pinned.ok) return pinned;
  return ok([{ label: 'with', build: pinned.value, environment: {} }, WITHOUT_ENGINE]);
}

/** The arms of a configured campaign, each pinned; those that name no build have the engine of `with-without`. */
export async function configuredArms(
  arms: CampaignArm[],
  options: Pick<Options, 'engineProgram'>,
  path: string,
  context: ArmContext,
): Promise<Result<Arm[]>> {
  const pinned: Arm[] = [];
  for (const { label, build, environment } of arms) {
    const pin = build === null ? ok(null) : await pinWithBuild(build, options, path, context);
    if (!pin.ok) return pin;
    pinned.push({ label, build: pin.value, environment });
  }
  return ok(pinned);
}

/** `--build`, else CG_BIN, else the config's, else the engine's program on the PATH. */
export async function pinWithBuild(
  buildFlag: string | undefined,
  options: Pick<Options, 'engineProgram'>,
  path: string,
  context: ArmContext,
): Promise<Result<PinnedBuild>> {
  const place = { checkout: context.checkout, engine: context.config.engine, signal: context.signal };
  if (buildFlag !== undefined) return await pinBuild(buildFlag, place);
  if (options.engineProgram !== undefined) return await pinProgram(options.engineProgram, context.config.engine);
  if (context.config.engine.withBuild !== undefined) return await pinBuild(context.config.engine.withBuild, place);
  return await locateEngineOnPath(path, context.config.engine);
}
