import type { BuildSpec } from '../model/build.js';
import { fail, ok, type Result } from '../model/failure.js';

const NPM_SPEC = /^((?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*)@([0-9][\w.+-]*)$/i;
const ADVICE = 'a build is a git ref, npm:<package>@<version>, path:<folder>, or worktree';

/**
 * Reads how a user names an engine build: `npm:<package>@<version>`, `path:<folder>`, `worktree`, else a git ref. Fails
 * with 'bad-input' on what can be none of these. An npm version must be exact: a tag or range moves.
 */
export function parseBuildSpec(text: string): Result<BuildSpec> {
  const trimmed = text.trim();
  if (trimmed === 'worktree') return ok({ kind: 'worktree' });
  if (trimmed.startsWith('npm:')) return parseNpm(trimmed);
  if (trimmed.startsWith('path:')) {
    const dir = trimmed.slice('path:'.length);
    return dir === '' ? bad(`"${text}" names no folder`) : ok({ kind: 'path', dir });
  }
  if (trimmed === '' || trimmed.startsWith('-') || /\s/.test(trimmed)) return bad(`"${text}" is not a build`);
  return ok({ kind: 'ref', ref: trimmed });
}

function parseNpm(text: string): Result<BuildSpec> {
  const [, packageName, version] = NPM_SPEC.exec(text.slice('npm:'.length)) ?? [];
  if (packageName === undefined || version === undefined) {
    return bad(`"${text}" needs a package and an exact version, as in npm:@scope/name@1.2.3`);
  }
  return ok({ kind: 'npm', packageName, version });
}

function bad(message: string): Result<never> {
  return fail({ reason: 'bad-input', message, advice: ADVICE });
}
