/**
 * Opens a data directory that an older version wrote. `data-format-4.json.gz` says which commit wrote it and how, and holds what
 * that commit read from it and answered to dry runs.
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { newFolder, type RealServer, serversOfTests } from './testing/real.js';

interface OldData {
  readonly module: string;
  /** Files of the data directory by name, in base64. */
  readonly files: Readonly<Record<string, string>>;
  /** The id of the scope that was archived. */
  readonly aside: readonly [string];
  readonly forks: readonly { readonly id: string; readonly status: string }[];
  /** Fork, number, time, cause, principal and number of events, of each fork the newest first. */
  readonly transactions: readonly (readonly [string, number, string, string, string | null, number])[];
  readonly facts: Readonly<Record<string, readonly string[]>>;
  readonly tried: Readonly<Record<string, object>>;
}

const HEADERS = { 'x-tenant-id': 'acme', 'x-principal-id': 'ada' };

const started = serversOfTests();

async function openOld(): Promise<{ server: RealServer; old: OldData }> {
  const bytes = await readFile(join(import.meta.dirname, 'testing', 'data-format-4.json.gz'));
  const old = JSON.parse(gunzipSync(bytes).toString()) as OldData;
  const folder = await newFolder();
  await mkdir(join(folder, 'data'));
  for (const [name, content] of Object.entries(old.files))
    await writeFile(join(folder, 'data', name), Buffer.from(content, 'base64'));
  return { server: await started(old.module, { onDisk: true, folder }), old };
}

async function read(server: RealServer, path: string, fork = 'main') {
  const { body } = await server.call('GET', path, undefined, { ...HEADERS, 'x-fork-id': fork });
  expect(body.error).toBeUndefined();
  return body.result;
}

async function dryRun(server: RealServer, path: string, sent: object = {}) {
  const { body } = await server.call('POST', `${path}?dryRun=true`, sent, HEADERS);
  if (body.error !== undefined) return { error: body.error };
  const { warnings, conflicts } = body;
  return { events: body.events.map(({ at: _, ...event }: { at: string }) => event), warnings, conflicts };
}

async function readAll(server: RealServer, { forks }: OldData) {
  const transactions: unknown[] = [];
  const facts: Record<string, string[]> = {};
  for (const { id } of forks) {
    const listed = await read(server, '/v1/transactions', id);
    for (const { fork, txn, at, cause, principal, events } of listed)
      if (fork === id) transactions.push([fork, txn, at, cause, principal, events]);
    const { facts: stored } = await read(server, '/v1/snapshot', id);
    facts[id] = stored
      .map(({ relation, tuple }: { relation: string; tuple: string[] }) => `${relation}(${tuple.join(', ')})`)
      .sort();
  }
  return { forks: await read(server, '/v1/forks'), transactions, facts };
}

it('reads the forks, transactions and facts of a directory of format 4', async () => {
  const { server, old } = await openOld();
  const { forks, transactions, facts } = old;
  expect(await readAll(server, old)).toEqual({ forks, transactions, facts });
});

it('undoes, cherry-picks, promotes and rebases what format 4 stored', async () => {
  const { server, old } = await openOld();
  const tried: Record<string, object> = {};
  for (const [fork, txn] of old.transactions) {
    if (fork === 'main') tried[`undo ${txn}`] = await dryRun(server, `/v1/transactions/${txn}/undo`);
    else tried[`pick ${txn}`] = await dryRun(server, '/v1/forks/main/pick', { from: fork, txn });
  }
  for (const { id, status } of old.forks) {
    if (status === 'promoted') tried[`undo ${id}`] = await dryRun(server, `/v1/forks/${id}/promote/undo`);
    if (status !== 'open' || id === 'main') continue;
    tried[`promote ${id}`] = await dryRun(server, `/v1/forks/${id}/promote`);
    tried[`update ${id}`] = await dryRun(server, `/v1/forks/${id}/update`);
  }
  expect(tried).toEqual(old.tried);
});

it('reads the same once it has written, after a restart', async () => {
  const { server, old } = await openOld();
  const { body } = await server.call('POST', '/v1/forks/kept-2/promote/undo', {}, HEADERS);
  expect(body.error).toBeUndefined();
  const before = await readAll(server, old);
  await server.stop();
  const again = await started(old.module, { onDisk: true, folder: server.folder });
  expect(await readAll(again, old)).toEqual(before);
});

it('reads the history of a scope that was archived', async () => {
  const { server, old } = await openOld();
  await server.stop();
  const { folder } = server;
  const [scopeId] = old.aside;
  const archived = await started(old.module, { onDisk: true, folder, scopeId, acceptSchemaChange: true });
  const { body } = await archived.call('GET', '/v1/transactions', undefined, { 'x-tenant-id': 'zoo' });
  expect(body.result.map(({ cause, events }: { cause: unknown; events: number }) => [cause, events])).toEqual([
    ['lease::addPerson', 2],
    ['lease::adopt', 2],
  ]);
});
