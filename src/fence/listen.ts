import type { Server } from 'node:net';

/** Resolves when a server accepts connections on a Unix socket. Rejects when it cannot (path too long, in use). */
export function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
