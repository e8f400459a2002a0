import type { EngineBuild } from '../model/build.js';
import { ok, type Result } from '../model/failure.js';
import type { EngineSandbox, OpenSandbox, SandboxSpec } from '../model/sandbox.js';

/** Returns the command line of an engine's program with these arguments: inside the sandbox, where there is one. */
export function engineCommand(
  build: Pick<EngineBuild, 'argv'>,
  args: string[],
  cwd: string,
  sandbox: EngineSandbox | undefined,
): [string, ...string[]] {
  const [program = '', ...rest] = [...build.argv, ...args];
  return sandbox?.enter([program, ...rest], cwd) ?? [program, ...rest];
}

/** Runs work inside a sandbox of its own, which is closed afterwards; without one where none can be opened here. */
export async function inSandbox<T>(
  open: OpenSandbox | undefined,
  spec: SandboxSpec,
  work: (sandbox: EngineSandbox | undefined) => Promise<Result<T>>,
): Promise<Result<T>> {
  const opened = open ? await open(spec) : ok(undefined);
  if (!opened.ok) return opened;
  try {
    return await work(opened.value);
  } finally {
    await opened.value?.close();
  }
}
