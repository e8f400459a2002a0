import { fail, ok, type Result } from '../model/failure.js';
import { npmFailureReason, runCommand } from '../process/index.js';
import { findArtefact } from './artefact.js';
import type { BuildWork } from './build-work.js';
import { commandFailure } from './git.js';

/** Installs one exact package version into an empty folder, without running a script of it. */
export async function buildFromPackage(
  spec: { packageName: string; version: string },
  work: BuildWork,
): Promise<Result<void>> {
  const { folder, settings, environment, deadlineMs, signal } = work;
  const wanted = `${spec.packageName}@${spec.version}`;
  const outcome = await runCommand({
    argv: [
      'npm',
      'install',
      '--prefix',
      folder,
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--loglevel=error',
      wanted,
    ],
    cwd: folder,
    env: environment,
    deadlineMs,
    signal,
  });
  if (!outcome.ok) {
    const advice = 'check the version, and the way to the package registry (`npm ping`)';
    return fail(
      commandFailure(outcome, npmFailureReason(outcome) ?? 'build-failed', `${wanted} could not be installed`, advice),
    );
  }
  if (await findArtefact(folder, settings)) return ok(undefined);
  return fail({
    reason: 'build-failed',
    message: `${wanted} was installed without its part for ${process.platform}-${process.arch}`,
    advice: 'some registries and --omit=optional leave out platform packages: install from one that has them',
    command: outcome.command,
    exitCode: outcome.exitCode,
  });
}
