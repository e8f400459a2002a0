import type { EngineBuild, PinnedBuild } from '../model/build.js';
import { fail, ok, type Result } from '../model/failure.js';
import { gitText, isUnder, uncommittedChanges } from './git.js';
import type { PinContext } from './pin.js';

const SHOWN_FILES = 10;

/**
 * Refuses ('dirty-checkout') a checkout with uncommitted changes to tracked files, or with untracked files inside the
 * engine's source folders: a ref would leave them out without a word. `sources` undefined: untracked files don't count.
 */
export async function checkCheckoutClean(checkout: string, sources?: string[]): Promise<Result<void>> {
  const changes = await uncommittedChanges({ dir: checkout });
  if (!changes.ok) return changes;
  const dirty = changes.value.filter(
    ({ path, untracked }) => !untracked || (sources !== undefined && isUnder(path, sources)),
  );
  if (dirty.length === 0) return ok(undefined);
  const more = dirty.length > SHOWN_FILES ? `, and ${dirty.length - SHOWN_FILES} more` : '';
  const names = dirty.slice(0, SHOWN_FILES).map(({ path }) => path);
  return fail({
    reason: 'dirty-checkout',
    message: `${checkout} has uncommitted changes: ${names.join(', ')}${more}`,
    advice: 'commit or stash them, or measure them with --head worktree',
  });
}

/**
 * Refuses pairs that can't tell anything: nothing changed between the two in the engine's source folders
 * ('nothing-to-compare'), or a published package against a source build, which parse by different code
 * ('different-kinds', unless `acrossKinds`).
 */
export async function checkComparable(
  head: PinnedBuild,
  baseline: PinnedBuild,
  context: PinContext & { acrossKinds: boolean },
): Promise<Result<void>> {
  if (head.kind !== baseline.kind) {
    if (context.acrossKinds) return ok(undefined);
    return fail({
      reason: 'different-kinds',
      message: `${head.title} is a ${head.kind} build and ${baseline.title} a ${baseline.kind} build: packages carry native parts that source builds lack`,
      advice: 'compare two builds of one kind, or insist with --across-kinds',
    });
  }
  if (head.pin === baseline.pin) return nothing(head, baseline, 'both are the same');
  if (!isFromCheckout(head) || !isFromCheckout(baseline)) return ok(undefined);
  const changed = await changedPaths(head, baseline, context);
  if (!changed.ok) return changed;
  const { sources } = context.engine;
  if (changed.value.some((path) => isUnder(path, sources))) return ok(undefined);
  return nothing(head, baseline, `no file differs under ${sources.join(', ')}`);
}

function nothing(head: PinnedBuild, baseline: PinnedBuild, why: string): Result<never> {
  return fail({
    reason: 'nothing-to-compare',
    message: `nothing to A/B between ${head.title} and ${baseline.title}: ${why}`,
    advice: 'name another --baseline or --head; for uncommitted changes, --head worktree',
  });
}

const isFromCheckout = (build: PinnedBuild): boolean => build.spec.kind === 'ref' || build.spec.kind === 'worktree';

async function changedPaths(head: PinnedBuild, baseline: PinnedBuild, context: PinContext): Promise<Result<string[]>> {
  const [from = '', to = ''] = [baseline, head].map((build) => build.pin.split('+')[0]);
  const place = { dir: context.checkout, signal: context.signal };
  const committed = await gitText(['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to], place);
  if (!committed.ok) return committed;
  const paths = committed.value.split('\0').filter((path) => path !== '');
  if (!head.pin.includes('+') && !baseline.pin.includes('+')) return ok(paths);
  const uncommitted = await uncommittedChanges(place);
  return uncommitted.ok ? ok([...paths, ...uncommitted.value.map(({ path }) => path)]) : uncommitted;
}

/** Refuses ('equal-artefacts') two builds whose files are the same: nothing but chance would differ. */
export function checkArtefactsDiffer(a: EngineBuild, b: EngineBuild): Result<void> {
  // One build named twice: the arms differ by their environment, or `checkComparable` has refused them.
  if (a.key === b.key) return ok(undefined);
  if (a.artefactHash !== b.artefactHash) return ok(undefined);
  return fail({
    reason: 'equal-artefacts',
    message: `${a.pinned.title} and ${b.pinned.title} build to the same files (${a.artefactHash.slice(0, 12)})`,
    advice: 'the change does not reach what is built: check the build commands, or name another baseline',
  });
}
