/** Runs one server in a separate process. It sends its parent its address and, on request, its CPU time and syncs. */

import { openSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import pino from 'pino';
import { bufferLines } from '../../src-runtime/server/log/buffered-lines.js';
import { startRuntime } from '../../src-runtime/server/start.js';

export interface Ready {
  readonly port: number;
  readonly token: string;
}

/** Resources used since the process started. */
export interface Cost {
  readonly cpuMs: number;
  /** Number of fsync calls. */
  readonly syncs: number;
}

const [kind = '', folder = '', file = ''] = process.argv.slice(2);
const syncs = await countSyncs();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000, syncs: syncs() } satisfies Cost);
});
process.on('disconnect', () => process.exit());
process.send?.(kind === 'echo' ? await serveEcho() : await serveEntail());

/** A minimal Fastify server for JSON in and JSON out. */
async function serveEcho(): Promise<Ready> {
  const app = fastify();
  app.post('/echo', async (request) => request.body);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { port: (app.server.address() as AddressInfo).port, token: '' };
}

/** The same server as `entail serve`. Writes log lines, but discards them. */
async function serveEntail(): Promise<Ready> {
  const nowhere = openSync('/dev/null', 'w');
  const running = await startRuntime({
    host: '127.0.0.1',
    port: 0,
    data: { kind: 'directory', path: folder },
    files: [file],
    version: '0.0.0',
    log: pino(
      { level: 'info', base: null },
      bufferLines((lines) => writeSync(nowhere, lines)),
    ),
  });
  return { port: Number(new URL(running.url).port), token: running.token };
}

/** Counts fsync calls of all file handles. */
async function countSyncs(): Promise<() => number> {
  let count = 0;
  const handle = await open('/dev/null', 'r');
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const { sync } = prototype;
  prototype.sync = function (this: FileHandle) {
    count += 1;
    return sync.call(this);
  };
  return () => count;
}
