/** CPU and time to open a scope of a million facts from PostgreSQL: by a replay of its history, and from its saved state. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noDeadline } from '../../src-runtime/base/ports.js';
import type { EventStore, StoredEvent } from '../../src-runtime/storage/event-store.js';
import { openPostgresStore } from '../../src-runtime/storage/postgres/postgres-store.js';
import {
  NO_POSTGRES,
  programs,
  startCluster,
  stopCluster,
} from '../../src-runtime/storage/testing/postgres-cluster.js';
import { query } from '../../src-runtime/world/session/calls.js';
import { cpuOf, NOW, openWorldOn, quiet } from '../opened-world.js';
import { print } from './system.js';

const FACTS = 1_000_000;
const FACTS_EACH = 1_000;
const MODULE = `module bench
pub relation entry(no: Int, name: Text, amount: Decimal, day: Date)
pub query entries(no: Int) -> [Text] { select n where entry(no, n, _, _) }
pub query size() -> Int { value count(for no, n, a, d where entry(no, n, a, d)) }
`;

export async function run(): Promise<void> {
  if (programs === undefined) throw new Error(NO_POSTGRES);
  const folder = mkdtempSync(join(tmpdir(), 'entail-bench-opening-'));
  try {
    const port = await startCluster(folder, []);
    await measure(`postgres://entail@127.0.0.1:${port}/postgres`);
  } finally {
    await stopCluster(folder);
    rmSync(folder, { recursive: true });
  }
}

async function measure(url: string): Promise<void> {
  await writeHistory(url);
  print('opened | CPU | time');
  for (const how of ['by a replay of the history', 'from the saved state', 'from the saved state again']) {
    const { store, runtime } = await openWorld(url);
    await requireSaved(store, how.startsWith('from'));
    const [startedMs, cpuMs] = [
      performance.now(),
      await cpuOf(async () => {
        const session = await runtime.enter(NOW);
        const paging = { limit: undefined, page: undefined };
        const { result } = await query(session, 'bench::entries', { no: FACTS - 1 }, paging, noDeadline);
        if (JSON.stringify(result) !== `["Customer ${FACTS - 1}"]`)
          throw new Error(`It has ${JSON.stringify(result)}.`);
      }),
    ];
    const timeMs = performance.now() - startedMs;
    print(`${how} | ${cpuMs.toFixed(0)} ms | ${timeMs.toFixed(0)} ms`);
    await runtime.close();
  }
}

/** Throws unless the only scope has a saved state, or none. */
async function requireSaved(store: EventStore, isSaved: boolean): Promise<void> {
  const [scope] = await store.scopes();
  const parts = await store.savedState?.(scope?.scopeId ?? '');
  if ((parts !== undefined) !== isSaved) throw new Error(`The state is ${isSaved ? 'not ' : ''}saved.`);
}

async function openWorld(url: string) {
  return await openWorldOn(await openPostgresStore({ url, log: quiet }), MODULE);
}

async function writeHistory(url: string): Promise<void> {
  const { store, runtime } = await openWorld(url);
  const { scopeId } = (await runtime.enter(NOW)).scope;
  for (let txn = 1; txn <= FACTS / FACTS_EACH; txn += 1) {
    const events = Array.from({ length: FACTS_EACH }, (_, at): StoredEvent => {
      const row = (txn - 1) * FACTS_EACH + at;
      const tuple = [row, `Customer ${row}`, `${row}.5`, '2026-01-31'];
      return { seq: row + 1, kind: 'insertFact', relation: 'bench::entry', tuple };
    });
    const at = new Date(Date.UTC(2026, 0, 1) + txn * 1_000).toISOString();
    await store.append(scopeId, [{ fork: 'main', txn, at, cause: { kind: 'adhoc' }, principal: null, events }]);
  }
  await runtime.close();
}
