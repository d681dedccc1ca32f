/**
 * Opens a data directory that an older version wrote. `data-format-4.json.gz` names the commit that wrote it and how, with what that commit
 * read from it and its responses to dry runs.
 */

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { Cause } from '../api/schemas/schemas.js';
import { newFolder, type RealServer, serversOfTests } from './testing/real.js';

interface OldData {
  readonly module: string;
  /** Files of the data directory by name, in base64. */
  readonly files: Readonly<Record<string, string>>;
  /** The id of the scope that was archived. */
  readonly aside: readonly [string];
  readonly forks: readonly { readonly id: string; readonly status: string }[];
  /** Fork, number, time, cause as a sentence, principal and number of events; newest first for each fork. */
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
  // Messages may be reworded.
  if (body.error !== undefined) return { error: { code: body.error.code, details: body.error.details } };
  const { warnings, conflicts } = body;
  return { events: body.events.map(({ at: _, ...event }: { at: string }) => event), warnings, conflicts };
}

/** Causes by their sentences, for all but calls of mutations. Numbers below 33 are in the checkpoint, others in the journal. */
const OTHER_CAUSES: Readonly<Record<string, Cause>> = {
  adhoc: { kind: 'adhoc' },
  batch: { kind: 'batch' },
  'promote plan-1': { kind: 'promote', fork: 'plan-1' },
  'promote kept-1': { kind: 'promote', fork: 'kept-1' },
  'promote plan-2': { kind: 'promote', fork: 'plan-2' },
  'promote kept-2': { kind: 'promote', fork: 'kept-2' },
  'undo plan-1': { kind: 'undoPromotion', fork: 'plan-1' },
  'undo plan-2': { kind: 'undoPromotion', fork: 'plan-2' },
  'undo #5': { kind: 'undo', txn: 5 },
  'undo #25': { kind: 'undo', txn: 25 },
  'undo #37': { kind: 'undo', txn: 37 },
  'undo #57': { kind: 'undo', txn: 57 },
  'pick #19 of open-1': { kind: 'pick', txn: 19, fork: 'open-1' },
  'pick #51 of open-2': { kind: 'pick', txn: 51, fork: 'open-2' },
  'as of #5': { kind: 'asOf', txn: 5 },
  'as of #37': { kind: 'asOf', txn: 37 },
  'changes of open-1': { kind: 'update', fork: 'open-1' },
  'changes of open-2': { kind: 'update', fork: 'open-2' },
};

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
  const { forks, facts } = old;
  const transactions = old.transactions.map(([fork, txn, at, sentence, principal, events]) => {
    return [fork, txn, at, OTHER_CAUSES[sentence] ?? { kind: 'mutation', path: sentence }, principal, events];
  });
  expect(await readAll(server, old)).toEqual({ forks, transactions, facts });
});

it('reverts, cherry-picks, promotes and rebases the transactions and forks of format 4', async () => {
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
  expect(old.tried).toMatchObject(tried);
});

it('reads the same data after a write and a restart', async () => {
  const { server, old } = await openOld();
  const { body } = await server.call('POST', '/v1/forks/kept-2/promote/undo', {}, HEADERS);
  expect(body.error).toBeUndefined();
  const before = await readAll(server, old);
  await server.stop();
  // Records with objects as causes go to a new journal, which an older version refuses to open.
  expect(await readdir(join(server.folder, 'data'))).toContain('events-000004.journal');
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
    [{ kind: 'mutation', path: 'lease::addPerson' }, 2],
    [{ kind: 'mutation', path: 'lease::adopt' }, 2],
  ]);
});
