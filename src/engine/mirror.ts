import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../model/failure.js';
import { commandFailure, git, gitText } from './git.js';

/** A bare repository of ours that holds the commit; builds are made from it, so that the user's checkout is not even read. */
export interface Mirror {
  dir: string;
  commit: string;
}

export interface MirrorRequest {
  /** The engine checkout: its remote `origin` is fetched from; without one, the checkout itself. */
  checkout: string;
  /** A URL or folder to fetch from in its place. */
  remote: string | undefined;
  /** A branch, tag, or HEAD: the remote's own. */
  ref: string;
  cacheDir: string;
  signal?: AbortSignal;
}

const FETCH_DEADLINE_MS = 10 * 60_000;

/** Fetches a ref into our mirror of the engine's repository. The checkout stays byte-equal. Fails with 'unknown-ref', 'io'. */
export async function fetchMirror(request: MirrorRequest): Promise<Result<Mirror>> {
  const { checkout, ref, cacheDir, signal } = request;
  const remote = request.remote ?? (await originOf(checkout, signal));
  const dir = join(cacheDir, 'mirrors', createHash('sha256').update(remote).digest('hex').slice(0, 16));
  await mkdir(dir, { recursive: true });
  const place = { dir, signal, deadlineMs: FETCH_DEADLINE_MS };
  // Harmless where it is one already.
  const made = await gitText(['init', '--quiet', '--bare', '--template='], place);
  if (!made.ok) return made;
  const kept = `refs/agent-eval/${createHash('sha256').update(ref).digest('hex').slice(0, 16)}`;
  const fetched = await git(
    ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--', remote, `+${ref}:${kept}`],
    place,
  );
  if (!fetched.ok) {
    const advice = `see \`git ls-remote ${remote}\`; --ref names a branch or tag there`;
    return fail(commandFailure(fetched, 'unknown-ref', `"${ref}" could not be fetched from ${remote}`, advice));
  }
  const commit = await gitText(['rev-parse', '--verify', `${kept}^{commit}`], place);
  return commit.ok ? ok({ dir, commit: commit.value.trim() }) : commit;
}

async function originOf(checkout: string, signal: AbortSignal | undefined): Promise<string> {
  const origin = await git(['remote', 'get-url', 'origin'], { dir: checkout, signal });
  return origin.ok && origin.stdout.trim() !== '' ? origin.stdout.trim() : checkout;
}
