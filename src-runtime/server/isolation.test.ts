/**
 * Concurrent clients over HTTP: their responses fit a serial order. While a write waits for the disk, reads and writes of other scopes do
 * not wait for it.
 */

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type EventStore, openMemoryStore } from '../storage/index.js';
import { createRuntime } from '../world/index.js';
import { createDeadline } from './http/deadline.js';
import { compileToBytes } from './modules/compile.js';
import { DEFAULT_LIMITS } from './options.js';
import { serveFake, type TestResponse, type TestServer } from './testing/http.js';
import { ACCOUNTS, BANK, OPENING_BALANCE, openBranch, runClient, steps } from './testing/isolation-clients.js';
import { type Call, checkHistory, type Operation } from './testing/isolation-model.js';
import { type RealServer, removeFolder, serveModule } from './testing/real.js';
import { signal } from './testing/signal.js';

const CLIENTS = 100;
const TENANTS = ['north', 'south', 'west'];
const STEPS = Number(process.env['ENTAIL_ISOLATION_STEPS'] ?? 8);
const SEED = Number(process.env['ENTAIL_ISOLATION_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

describe('a hundred clients', () => {
  let server: RealServer;
  afterEach(async () => {
    await server.stop();
    await removeFolder(server.folder);
  });

  it(`see a serial history (seed ${SEED})`, { timeout: 300_000 + STEPS * 5_000 }, async () => {
    // On a busy machine a hundred requests at once may take longer than the default.
    server = await serveModule(BANK, { onDisk: true, limits: { timeoutMs: 600_000 } });
    const branches = await Promise.all(TENANTS.map((tenant) => openBranch(server, tenant)));
    const scripts = fc.sample(fc.array(steps, { minLength: STEPS, maxLength: STEPS }), {
      numRuns: CLIENTS,
      seed: SEED,
    });
    await Promise.all(
      scripts.map((script, client) => {
        const branch = branches[client % branches.length];
        return branch && runClient(server, branch, client, script);
      }),
    );
    const initial = Array.from({ length: ACCOUNTS }, () => OPENING_BALANCE);
    const covered = branches.map(({ calls, openingSeq }) => checkHistory(calls, initial, openingSeq));
    const sum = (key: keyof (typeof covered)[0]) => covered.reduce((total, each) => total + each[key], 0);
    expect(sum('contested')).toBeGreaterThan(0);
    expect(sum('transactions')).toBeGreaterThan(CLIENTS);
    expect(sum('promotions')).toBeGreaterThan(0);
  });
});

describe('the serial model', () => {
  const moved = { from: 0, to: 1, amount: 20 };
  const changes = [
    { seq: 11, account: 0, balance: 30 },
    { seq: 12, account: 1, balance: 70 },
  ];
  const write: Operation = { kind: 'transfer', fork: 'main', transfers: [moved], txn: 1, changes };
  const second: Operation = {
    ...write,
    txn: 2,
    changes: changes.map((change) => ({ ...change, seq: change.seq + 2 })),
  };
  const read = (...balances: number[]): Operation => ({ kind: 'read', fork: 'main', balances });
  /** Client, request and response of each operation. */
  const check = (...calls: readonly (readonly [number, number, number, Operation])[]) =>
    checkHistory(
      calls.map(
        ([client, sentAt, answeredAt, deed]): Call => ({ client, sentAt, respondedAt: answeredAt, operation: deed }),
      ),
      [50, 50],
      10,
    );

  it('accepts either state for a read beside a write', () => {
    expect(check([1, 0, 9, write], [2, 1, 2, read(50, 50)], [3, 3, 4, read(30, 70)])).toMatchObject({ contested: 2 });
  });

  it.each([
    [
      'half a transaction',
      [
        [1, 0, 9, write],
        [2, 1, 2, read(30, 50)],
      ],
    ],
    [
      'a state that was over before the read',
      [
        [1, 0, 1, write],
        [2, 2, 3, read(50, 50)],
      ],
    ],
    [
      'a state that was yet to come',
      [
        [2, 0, 1, read(30, 70)],
        [1, 2, 3, write],
      ],
    ],
    [
      'a client that goes back',
      [
        [1, 0, 9, write],
        [2, 1, 2, read(30, 70)],
        [2, 3, 4, read(50, 50)],
      ],
    ],
    [
      'an update that got lost',
      [
        [1, 0, 2, write],
        [2, 1, 3, second],
      ],
    ],
    [
      'transactions in another order than that of the clock',
      [
        [2, 0, 1, { ...second, txn: 3 }],
        [1, 2, 3, write],
      ],
    ],
    ['a refusal without reason', [[1, 0, 1, { kind: 'refused', fork: 'main', transfers: [moved] }]]],
    ['a fork that nobody closed', [[1, 0, 1, { kind: 'closed', fork: 'main' }]]],
  ] satisfies [string, [number, number, number, Operation][]][])('finds %s', (_name, calls) => {
    expect(() => check(...calls)).toThrow();
  });
});

describe('while a write waits for the disk', () => {
  let server: TestServer;
  let disk: SlowDisk;
  afterEach(() => server.close());

  async function serveBank(): Promise<void> {
    disk = slowDisk(await openMemoryStore());
    const runtime = createRuntime({
      ...{
        store: disk.store,
        clock: { now: () => Date.now() },
        stopwatch: { now: () => performance.now() },
        createDeadline: () => createDeadline(Number.POSITIVE_INFINITY),
      },
      ...{ log: { warn: () => {} }, limits: DEFAULT_LIMITS, scopeIdBits: 128, acceptSchemaChange: false, adhoc: true },
      cursorKey: randomBytes(32),
    });
    server = await serveFake(runtime);
    const type = { 'content-type': 'application/vnd.entail.artifact+json' };
    const { bytes } = compileToBytes([{ file: 'bank.entail', text: BANK }]);
    expect((await server.call('PUT', '/v1/module', bytes, type)).status).toBe(200);
  }

  const open = (no: number, tenant: string) =>
    server.call('POST', '/v1/dispatch/mutation', { path: 'bank::open', args: { no } }, { 'x-tenant-id': tenant });
  const accounts = async (tenant: string) => {
    const path = { path: 'bank::accounts' };
    const { body } = await server.call('POST', '/v1/dispatch/query', path, { 'x-tenant-id': tenant });
    return body.result.map(({ no }: { no: number }) => no);
  };

  it('reads see the state before it without waiting, and the next write of the scope waits', async () => {
    await serveBank();
    await open(0, 'north');
    disk.holdNext();
    const answered: number[] = [];
    const note = (no: number) => (answer: TestResponse) => {
      expect(answer.status).toBe(200);
      answered.push(no);
    };
    const first = open(1, 'north').then(note(1));
    await disk.reached();
    const second = open(2, 'north').then(note(2));
    for (let read = 0; read < 50; read++) expect(await accounts('north')).toEqual([0]);
    expect(answered).toEqual([]);
    disk.release();
    await Promise.all([first, second]);
    expect(answered).toEqual([1, 2]);
    expect(await accounts('north')).toEqual([0, 1, 2]);
  });

  it('another scope can write and read', async () => {
    await serveBank();
    await open(0, 'north');
    await open(0, 'south');
    disk.holdNext();
    const held = open(1, 'north');
    await disk.reached();
    for (let no = 1; no <= 20; no++) expect((await open(no, 'south')).status).toBe(200);
    expect(await accounts('south')).toHaveLength(21);
    expect(await accounts('north')).toEqual([0]);
    disk.release();
    expect((await held).status).toBe(200);
    expect(await accounts('north')).toEqual([0, 1]);
  });
});

interface SlowDisk {
  readonly store: EventStore;
  /** Holds the next append, and those of its scope after it, until `release`. */
  holdNext(): void;
  /** Resolves once an append is held. */
  reached(): Promise<void>;
  release(): void;
}

function slowDisk(store: EventStore): SlowDisk {
  let [held, arrived] = [signal(), signal()];
  let holds = false;
  let heldScope: string | undefined;
  const append: EventStore['append'] = async (scopeId, ...rest) => {
    if (holds) {
      holds = false;
      heldScope = scopeId;
      arrived.give();
    }
    if (scopeId === heldScope) await held.given;
    await store.append(scopeId, ...rest);
  };
  const slow = new Proxy(store, {
    get(target, name) {
      if (name === 'append') return append;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  return {
    store: slow,
    holdNext() {
      [held, arrived] = [signal(), signal()];
      holds = true;
      heldScope = undefined;
    },
    reached: () => arrived.given,
    release: () => held.give(),
  };
}
