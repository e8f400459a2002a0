import { createServer } from 'node:net';
import { runCommand } from '../process/index.js';
import { listen } from './listen.js';

/** Answers each connection with an API key: the caller's own, or the one that the caller's command prints then. */
export interface KeyServer {
  close(): void;
}

const DEADLINE_MS = 60_000;

/**
 * Serves an API key to the session inside, so that it stands in no environment and no file there. The caller's `apiKeyHelper` runs
 * outside, where its files and its network are. A helper that fails gives an empty answer, which the host tells as a failed helper.
 */
export async function startKeyServer(
  spec: { socket: string } & ({ key: string } | { command: string; environment: Record<string, string> }),
): Promise<KeyServer> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.resume();
    if ('key' in spec) {
      socket.end(spec.key);
      return;
    }
    void runCommand({
      argv: ['/bin/sh', '-c', spec.command],
      env: spec.environment,
      deadlineMs: DEADLINE_MS,
    }).then(({ stdout }) => socket.end(stdout));
  });
  await listen(server, spec.socket);
  return { close: () => server.close() };
}
