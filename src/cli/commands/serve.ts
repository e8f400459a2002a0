import { existsSync } from 'node:fs';
import { messageOf } from '../../store/index.js';
import { EXIT } from '../exit-codes.js';
import type { Surroundings } from '../invocation.js';
import { type CommonFlags, resolveReadOptions } from '../options.js';
import { printFailure } from '../print-failure.js';
import { startServer } from '../serve/server.js';

export interface ServeFlags extends CommonFlags {
  port?: string;
}

/** `serve [dir]`: the campaigns of a folder as pages on loopback, until it is interrupted. It writes nothing. */
export async function serve(dir: string | undefined, flags: ServeFlags, surroundings: Surroundings): Promise<number> {
  const { environment, signal } = surroundings;
  const options = resolveReadOptions(flags, environment);
  if (!options.ok) return printFailure(options.failure);
  const out = dir ?? options.value.out;
  if (!existsSync(out)) {
    return printFailure({
      ...{ reason: 'bad-input', message: `there is no such folder: ${out}` },
      advice: 'name the folder of your campaigns: agent-eval serve <dir>',
    });
  }
  const port = Number(flags.port ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    return printFailure({
      reason: 'bad-input',
      message: `--port: expected a number from 0 to 65535, got "${flags.port}"`,
    });
  }
  const started = await startServer({ out, port, options: options.value, environment }).catch(
    (error: unknown) => error,
  );
  if (!isStarted(started)) {
    return printFailure({
      ...{ reason: 'io', message: `could not listen on 127.0.0.1:${port}: ${messageOf(started)}` },
      advice: 'leave --port out for any free port',
    });
  }
  process.stdout.write(`${started.url}\n`);
  process.stderr.write(`serving the campaigns in ${out}, on this machine only; Ctrl-C ends it\n`);
  if (!signal.aborted)
    await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
  started.server.closeAllConnections();
  started.server.close();
  return EXIT.done;
}

function isStarted(value: unknown): value is Awaited<ReturnType<typeof startServer>> {
  return typeof value === 'object' && value !== null && 'server' in value;
}
