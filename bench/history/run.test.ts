/** Real servers under real faults: every response is explained, and planted faults are found. */

import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { programs } from '../../src-runtime/storage/testing/postgres-cluster.js';
import { bundleEntail, type PlantedFault } from './bundle.js';
import { type Postgres, startPostgres } from './postgres.js';
import { describeFindings, type RunOptions, runCheck } from './run.js';
import { type CheckedStore, folderStore } from './store.js';

const SEED = Date.now() % 1_000_000;
/** Also on a busy machine. A run of some seconds ends when each fault has come once. */
const TEST_MS = 240_000;
const SERVERS = 3;
/** Most runs to find a planted fault. */
const RUNS_MAX = 5;

let built: { readonly folder: string; readonly program: string };

beforeAll(async () => {
  built = await bundleEntail();
}, TEST_MS);
afterAll(() => rmSync(built.folder, { recursive: true, force: true }));

describe('one server on a folder', { timeout: TEST_MS }, () => {
  it('explains every response, although it is killed, paused and stopped', async () => {
    const { rules, report } = await found(folderStore(), { seconds: 10 });
    expect(rules, report).toEqual([]);
  });

  it('is found out if it acknowledges writes before they are on disk', async () => {
    const program = await faulty({
      file: 'storage/commit-queue.ts',
      replacements: {
        'this.#waiting.push({': 'resolve(); this.#waiting.push({',
        'const group: Ready[] = [];':
          'const group: Ready[] = []; await new Promise((resolve) => setTimeout(resolve, 500));',
      },
    });
    // A lost write is missing, or another response contradicts it.
    expect(await foundSoon(async () => folderStore(), { program, seconds: 5 })).not.toEqual([]);
  });
});

const needed = programs === undefined ? ' (left out: PostgreSQL is not installed)' : '';

describe.runIf(programs)(`several servers on PostgreSQL${needed}`, { timeout: TEST_MS }, () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, TEST_MS);
  afterAll(() => postgres.remove());

  it('explain every response, although servers, database and network fail', async () => {
    const { rules, report } = await found(await postgres.store(SERVERS), { servers: SERVERS, seconds: 30 });
    expect(rules, report).toEqual([]);
  });

  it('are found out if they append without comparing the version', async () => {
    const program = await faulty({
      file: 'storage/postgres/sql.ts',
      replacements: {
        'last_txn = $20 AND last_seq < $21': 'last_txn >= $20 AND last_seq >= $21 - 1',
        'version = $22 AND epoch = $23::bigint': 'version >= $22 AND epoch = $23::bigint',
      },
    });
    // Writes with a key take another path.
    const options = { program, servers: SERVERS, seconds: 5, retries: false, faults: false };
    expect(await foundSoon(() => postgres.store(SERVERS), options)).toContain('numbering');
  });

  it('are found out if they read without asking the database', async () => {
    const serveOptions = ['--read-consistency', 'bounded'];
    const options = { serveOptions, servers: SERVERS, seconds: 5, faults: false };
    // A stale read contradicts the order of the writes, or has a lower version than an earlier one.
    expect(await foundSoon(() => postgres.store(SERVERS), options)).not.toEqual([]);
  });
});

/** Repeats runs until one has findings, and returns the rules that it found broken. On a busy machine, few writes meet a fault. */
async function foundSoon(
  createStore: () => Promise<CheckedStore>,
  options: Partial<RunOptions> & { readonly seconds: number },
): Promise<readonly string[]> {
  for (let run = 0; run < RUNS_MAX; run += 1) {
    const { rules } = await found(await createStore(), { ...options, seed: SEED + run });
    if (rules.length > 0) return rules;
  }
  return [];
}

/** The rules that a run found broken; the report has its seed. */
async function found(
  store: CheckedStore,
  options: Partial<RunOptions> & { readonly seconds: number },
): Promise<{ readonly rules: readonly string[]; readonly report: string }> {
  onTestFinished(() => store.remove());
  const { program } = built;
  const result = await runCheck({
    ...{ program, store, servers: 1, seed: SEED, retries: true, versions: true, faults: true },
    ...options,
  });
  const rules = [...new Set(result.findings.map(({ rule }) => rule))];
  return { rules, report: `${describeFindings(result)}\n${result.summary}` };
}

async function faulty(fault: PlantedFault): Promise<string> {
  const { folder, program } = await bundleEntail(fault);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return program;
}
