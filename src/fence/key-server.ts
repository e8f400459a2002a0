import { createServer } from 'node:net';
import { runCommand } from '../process/index.js';
import { listen } from './listen.js';

/** Answers with an API key, printed anew by the caller's own command for each connection. */
export interface KeyServer {
  close(): void;
}

const DEADLINE_MS = 60_000;

/**
 * Runs the caller's `apiKeyHelper` outside, where its files and its network are, for the session inside. The key goes through
 * the socket alone. A helper that fails gives an empty answer, which the host tells as a failed helper.
 */
export async function startKeyServer(spec: {
  socket: string;
  command: string;
  environment: Record<string, string>;
}): Promise<KeyServer> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.resume();
    void runCommand({
      argv: ['/bin/sh', '-c', spec.command],
      env: spec.environment,
      deadlineMs: DEADLINE_MS,
    }).then(({ stdout }) => socket.end(stdout));
  });
  await listen(server, spec.socket);
  return { close: () => server.close() };
}
