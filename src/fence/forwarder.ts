import { connect, createServer, type Socket } from 'node:net';
import { type ApiTarget, isAllowed } from './api-target.js';
import { listen } from './listen.js';

/** The way out to the API. */
export interface Forwarder {
  counts: { connections: number; refused: string[] };
  close(): void;
}

const HEAD_LIMIT = 16_384;

/** Serves the API's socket: straight to one port, or as a proxy that knows CONNECT to the allowed places and nothing else. */
export async function startForwarder(socketFile: string, target: ApiTarget): Promise<Forwarder> {
  const counts: Forwarder['counts'] = { connections: 0, refused: [] };
  const open = new Set<Socket>();
  const server = createServer((inner) => {
    counts.connections += 1;
    track(open, inner);
    if (target.kind === 'straight') join(open, inner, connect(target.port, target.host));
    else readHead(inner, (head, rest) => answerConnect({ inner, head, rest, target, open, refused: counts.refused }));
  });
  await listen(server, socketFile);
  return {
    counts,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

interface ConnectRequest {
  inner: Socket;
  head: string;
  rest: Buffer;
  target: ApiTarget;
  open: Set<Socket>;
  refused: string[];
}

function answerConnect({ inner, head, rest, target, open, refused }: ConnectRequest): void {
  const place = /^CONNECT (\S+) HTTP\/1\.[01]\r\n/.exec(head)?.[1];
  if (place === undefined || !isAllowed(target, place)) {
    refused.push(place ?? (head.split('\r\n')[0] ?? '').slice(0, 100));
    inner.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    return;
  }
  const colon = place.lastIndexOf(':');
  const { upstream } = target;
  const outer = upstream
    ? connect(Number(upstream.port || 80), upstream.hostname)
    : connect(Number(place.slice(colon + 1)), place.slice(0, colon));
  outer.once('connect', () => {
    if (upstream) outer.write(`CONNECT ${place} HTTP/1.1\r\nhost: ${place}\r\n${authorization(upstream)}\r\n`);
    else inner.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (rest.length > 0) outer.write(rest);
  });
  join(open, inner, outer);
}

function authorization({ username, password }: URL): string {
  if (username === '') return '';
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `proxy-authorization: Basic ${Buffer.from(login).toString('base64')}\r\n`;
}

/** Reads up to the empty line that ends an HTTP head. */
function readHead(socket: Socket, done: (head: string, rest: Buffer) => void): void {
  let seen = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk]);
    const end = seen.indexOf('\r\n\r\n');
    if (end < 0 && seen.length < HEAD_LIMIT) return;
    socket.off('data', onData);
    socket.pause();
    const length = end < 0 ? seen.length : end + 4;
    done(seen.subarray(0, length).toString('latin1'), seen.subarray(length));
  };
  socket.on('data', onData);
}

function join(open: Set<Socket>, inner: Socket, outer: Socket): void {
  track(open, outer);
  inner.on('close', () => outer.destroy());
  outer.on('close', () => inner.destroy());
  inner.pipe(outer).pipe(inner);
}

function track(open: Set<Socket>, socket: Socket): void {
  open.add(socket);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => open.delete(socket));
}
