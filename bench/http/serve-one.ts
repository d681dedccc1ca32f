/** Runs one server in a separate process. It sends its parent its address and, on request, its CPU time and syncs. */

import fs, { openSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import fastify from 'fastify';
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import pino from 'pino';
import { z } from 'zod';
import { bufferLines } from '../../src-runtime/server/log/buffered-lines.js';
import { startRuntime } from '../../src-runtime/server/start.js';

export interface Ready {
  readonly port: number;
  readonly token: string;
}

/** Resources used since the process started. */
export interface Cost {
  readonly cpuMs: number;
  /** Number of syncs of files. */
  readonly syncs: number;
}

const [kind = '', folder = '', file = ''] = process.argv.slice(2);
const syncs = await countSyncs();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000, syncs: syncs() } satisfies Cost);
});
process.on('disconnect', () => process.exit());
const SERVERS: Readonly<Record<string, () => Promise<Ready>>> = {
  echo: serveEcho,
  sqlite: serveSqlite,
  entail: serveEntail,
};
process.send?.(await SERVERS[kind]?.());

/** A minimal Fastify server for JSON in and JSON out. */
async function serveEcho(): Promise<Ready> {
  const app = fastify();
  app.post('/echo', async (request) => request.body);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { port: (app.server.address() as AddressInfo).port, token: '' };
}

/** A durable insert as one would write it by hand: the arguments are validated, and the response has what Entail's has. */
async function serveSqlite(): Promise<Ready> {
  const require = createRequire(join(process.cwd(), 'bench/package.json'));
  const Database = require('better-sqlite3') as new (file: string) => Sqlite;
  const database = new Database(folder);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(
    'CREATE TABLE lease (id INTEGER PRIMARY KEY, code TEXT UNIQUE NOT NULL, batch INT NOT NULL, rent TEXT NOT NULL)',
  );
  const insert = database.prepare('INSERT INTO lease (code, batch, rent) VALUES (?, ?, ?)');
  const app = fastify().setValidatorCompiler(validatorCompiler).withTypeProvider<ZodTypeProvider>();
  const [token, moduleHash] = ['bench', '0'.repeat(64)];
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.headers.authorization === `Bearer ${token}` ? undefined : new Error('The token is wrong.'));
  });
  const rent = z.string().regex(/^-?\d+(\.\d+)?$/);
  const body = z.object({ path: z.literal('bench::add'), args: z.object({ code: z.string(), batch: z.int(), rent }) });
  app.post('/v1/dispatch/mutation', { schema: { body } }, (request, reply) => {
    const { args } = request.body;
    const { lastInsertRowid: txn } = insert.run(args.code, args.batch, args.rent);
    const $id = `#i${txn}`;
    const fields = Object.entries(args).map(([name, value]) => ({
      kind: 'setField',
      id: $id,
      field: `bench::Lease.${name}`,
      value,
    }));
    const events = [{ kind: 'insertIndividual', id: $id, concept: 'bench::Lease' }, ...fields].map((event, at) => ({
      ...event,
      seq: 4 * txn + at,
      txn,
      at: new Date().toISOString(),
    }));
    return reply.send({ result: { $id, ...args }, txn, events, warnings: [], requestId: request.id, moduleHash });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { port: (app.server.address() as AddressInfo).port, token };
}

interface Sqlite {
  pragma(text: string): void;
  exec(sql: string): void;
  prepare(sql: string): { run(...values: unknown[]): { readonly lastInsertRowid: number } };
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

/** Counts the syncs of all files. */
async function countSyncs(): Promise<() => number> {
  let count = 0;
  const handle = await open('/dev/null', 'r');
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const { datasync } = prototype;
  prototype.datasync = function (this: FileHandle) {
    count += 1;
    return datasync.call(this);
  };
  const { fdatasyncSync } = fs;
  fs.fdatasyncSync = (descriptor) => {
    count += 1;
    fdatasyncSync(descriptor);
  };
  syncBuiltinESMExports();
  return () => count;
}
