/**
 * Loads a server over several connections. Each sends the next request when the response to the last one is complete. It
 * parses only the length of a response, so that it takes little CPU from the server.
 */

import { connect, type Socket } from 'node:net';

export interface Target {
  readonly port: number;
  /** The bytes of the n-th request. */
  request(index: number): Buffer;
}

export interface Measured {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export async function load(target: Target, connections: number, seconds: number): Promise<Measured> {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const exchange = await openExchange(target.port);
      while (performance.now() < end) {
        const sentAt = performance.now();
        await exchange.send(target.request(next++));
        latenciesMs.push(performance.now() - sentAt);
      }
      exchange.close();
    }),
  );
  const elapsed = (performance.now() - startedAt) / 1000;
  latenciesMs.sort((left, right) => left - right);
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN;
  return { requests: latenciesMs.length, seconds: elapsed, p50Ms: at(0.5), p99Ms: at(0.99) };
}

interface Exchange {
  /** Resolves once the response is complete. Rejects unless it is a success. */
  send(request: Buffer): Promise<void>;
  close(): void;
}

export async function openExchange(port: number): Promise<Exchange> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  let settle: { resolve(): void; reject(error: Error): void } | undefined;
  readResponses(socket, (failure) => {
    const waiting = settle;
    settle = undefined;
    if (failure === undefined) waiting?.resolve();
    else waiting?.reject(failure);
  });
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

/** Calls back for each complete response, with an error unless it is a success. */
function readResponses(socket: Socket, onResponse: (failure?: Error) => void): void {
  let received: Buffer = Buffer.alloc(0);
  let whole = 0;
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    if (whole === 0) whole = lengthOf(received);
    if (whole === 0 || received.length < whole) return;
    const failure = received.toString('latin1', 9, 10) === '2' ? undefined : new Error(received.toString());
    [received, whole] = [Buffer.alloc(0), 0];
    onResponse(failure);
  });
  socket.on('error', onResponse);
  socket.on('close', () => onResponse(new Error('the server closed the connection')));
}

/** Length of head and body, or 0 while the head is incomplete. */
function lengthOf(received: Buffer): number {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return 0;
  const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1];
  if (length === undefined) throw new Error(`a response without length: ${received.toString('latin1', 0, end)}`);
  return end + 4 + Number(length);
}
