import { resolve } from 'node:path';
import { readManifest } from '../../store/index.js';
import { tellFailure } from '../tell.js';

/**
 * `resume <dir>`: the command that began the campaign, once more with `--campaign <dir>`. It fails when the plan it makes now
 * is another one. Returns what to run and where, or the exit code of a failure.
 */
export function resumeArguments(dir: string): { argv: string[]; cwd: string } | number {
  const manifest = readManifest(dir);
  if (!manifest.ok) return tellFailure(manifest.failure);
  if (!manifest.value) {
    return tellFailure({
      reason: 'bad-input',
      message: `${dir} is no campaign that can be resumed: it has no manifest`,
      advice: 'start the campaign again; nothing of it was run',
    });
  }
  const argv = manifest.value.argv.filter(
    (word, index, all) => word !== '--campaign' && all[index - 1] !== '--campaign',
  );
  return { argv: [...argv, '--campaign', resolve(dir)], cwd: manifest.value.cwd };
}
