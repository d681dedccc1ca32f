/** Compares a durable transaction with the minimum for durability: one append of the same size and one fsync. */

import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, bench, describe } from 'vitest';
import { openSqlJsStore } from '../../src-runtime/storage/index.js';

const folder = mkdtempSync(join(tmpdir(), 'entail-bench-'));
const quiet = { info: () => {}, warn: () => {} };
const store = await openSqlJsStore({ directory: join(folder, 'data'), log: quiet });
await store.createScope({ scopeId: 's', tenant: 'default', schemaHash: '' });
const plain = await open(join(folder, 'plain'), 'a');
const bytes = Buffer.alloc(256, 'x');
let txn = 0;

afterAll(async () => {
  await plain.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

describe('one durable transaction', () => {
  bench('store', async () => {
    txn += 1;
    await store.append('s', [
      {
        fork: 'main',
        txn,
        at: '2026-01-31T10:00:00.000Z',
        cause: { kind: 'mutation', path: 'lease::sign' },
        principal: null,
        events: [{ seq: txn, kind: 'insertFact', relation: 'lease::tenantOf', tuple: [`#i${txn}`, '@lease::ada'] }],
      },
    ]);
  });
  bench('append and fsync', async () => {
    await plain.appendFile(bytes);
    await plain.sync();
  });
});
