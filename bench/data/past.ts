/**
 * What it costs to read the past of a scope of 100,000 facts in 10,000 transactions, the first time and again, beside an opening of
 * the scope that replays its whole history.
 */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noDeadline } from '../../src-runtime/base/ports.js';
import type { StoredEvent } from '../../src-runtime/storage/event-store.js';
import { query } from '../../src-runtime/world/session/calls.js';
import { cpuOf, NOW, openWorld } from '../opened-world.js';

const TRANSACTIONS = 10_000;
const FACTS_EACH = 10;
const MODULE = `module bench
pub relation entry(no: Int, name: Text, amount: Decimal, day: Date)
pub query entries(no: Int) -> [Text] { select n where entry(no, n, _, _) }
`;

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'entail-bench-past-'));
  await writeHistory(folder);
  print('read | CPU | of a replay');
  let replayMs = 0;
  const measured = async (what: string, work: () => Promise<void>) => {
    const ms = await cpuOf(work);
    if (replayMs === 0) replayMs = ms;
    print(`${what} | ${ms.toFixed(0)} ms | ${Math.round((100 * ms) / replayMs)} %`);
  };
  let world: Awaited<ReturnType<typeof openWorld>> | undefined;
  const read = async (txn: number | undefined) => {
    world ??= await openWorld(folder, MODULE);
    const asOf = txn === undefined ? {} : { asOf: { kind: 'transaction' as const, txn } };
    const session = await world.runtime.enter({ ...NOW, ...asOf });
    await query(session, 'bench::entries', { no: 7 }, { limit: undefined, page: undefined }, noDeadline);
  };
  const close = async () => {
    await world?.runtime.close();
    world = undefined;
  };
  // Once to compile the code.
  await read(undefined);
  await close();
  for (const name of readdirSync(folder)) if (name.startsWith('state-')) rmSync(join(folder, name));
  await measured('the present, by a replay of the history', () => read(undefined));
  await close();
  await measured('the present, from the saved state', () => read(undefined));
  await measured('transaction 5,000, the first time', () => read(5_000));
  await measured('transaction 5,000 again', () => read(5_000));
  await measured('transaction 5,100, on top of 5,000', () => read(5_100));
  await measured('transaction 9,900', () => read(9_900));
  await measured('transaction 100', () => read(100));
  await close();
  rmSync(folder, { recursive: true });
}

async function writeHistory(folder: string): Promise<void> {
  const { store, runtime } = await openWorld(folder, MODULE);
  const { scopeId } = (await runtime.enter(NOW)).scope;
  for (let txn = 1; txn <= TRANSACTIONS; txn += 1) {
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

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
