import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../model/failure.js';
import { type CommandOutcome, missingProgram, npmFailureReason, runCommand, tailLines } from '../process/index.js';

const FETCH_DEADLINE_MS = 10 * 60 * 1000;

/**
 * The files that a package publishes, without what it depends on, in `folder`, which must not exist. npm checks the
 * archive's integrity; none of its scripts is run. Fails with 'bad-input' (no such version), 'environment-unfit'
 * (no npm, or no way to the registry), 'workspace-failed', 'interrupted'.
 */
export async function fetchNpm(
  { packageName, version }: { packageName: string; version: string },
  folder: string,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const wanted = `${packageName}@${version}`;
  const work = await mkdtemp(`${folder}-`);
  try {
    const packed = await runCommand({
      // A silent npm of the user's would not say why it failed.
      argv: ['npm', 'pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', work, wanted],
      cwd: work,
      deadlineMs: FETCH_DEADLINE_MS,
      signal,
    });
    const archive = (await readdir(work)).find((name) => name.endsWith('.tgz'));
    if (!packed.ok || archive === undefined) return npmFailure(packed, `${wanted} could not be fetched`);
    // Modes and owners as in the archive would differ by who unpacks; the folder inside has any name.
    const unpacked = await runCommand({
      argv: ['tar', '-xzf', join(work, archive), '-C', work, '--no-same-owner'],
      deadlineMs: FETCH_DEADLINE_MS,
      signal,
    });
    const inner = (await readdir(work)).find((name) => name !== archive);
    if (!unpacked.ok || inner === undefined) return npmFailure(unpacked, `${archive} could not be unpacked`);
    await rename(join(work, inner), folder);
    return ok(undefined);
  } finally {
    await rm(work, { recursive: true, force: true, maxRetries: 3 });
  }
}

function npmFailure(outcome: CommandOutcome, message: string): Result<never> {
  if (outcome.ended === 'aborted') return fail({ reason: 'interrupted', message: 'fetching was interrupted' });
  const missing = missingProgram(outcome);
  if (missing) return fail(missing);
  return fail({
    reason: npmFailureReason(outcome) ?? 'workspace-failed',
    message,
    advice: 'check the package and version, and the way to the package registry (`npm ping`)',
    command: outcome.command,
    exitCode: outcome.exitCode,
    lastLines: tailLines(outcome),
  });
}
