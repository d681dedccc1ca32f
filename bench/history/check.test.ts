/** The checker accepts a correct history with concurrent operations, and finds each kind of fault in a small one. */

import { describe, expect, it } from 'vitest';
import type { ForkRecord, StoredEvent, StoredTransaction } from '../../src-runtime/storage/event-store.js';
import { checkScope } from './check.js';
import type { Operation } from './ledger.js';
import type { Answer, Recorded } from './record.js';

/** A history in the making, and the operations that wrote it. Operations take the times that they are given, in ms. */
function ledger() {
  const transactions: StoredTransaction[] = [];
  const forks: ForkRecord[] = [];
  const records: Recorded[] = [];
  let seq = 0;
  const next = () => forks.length + transactions.length + 1;
  const store = (id: string, fork: string, events: readonly object[]) => {
    const txn = next();
    const stored = events.map((event) => ({ ...event, seq: ++seq }) as StoredEvent);
    transactions.push({ fork, txn, at: '', cause: { kind: 'batch' }, principal: id, events: stored });
    return txn;
  };
  const record = (id: string, operation: Operation, [invokedMs, completedMs]: Times, answer: Answer) => {
    records.push({ id, operation, server: 0, invokedMs, completedMs, answer });
  };
  const acknowledged = (
    id: string,
    operation: Operation,
    times: Times,
    events: readonly object[],
    result: Result = null,
  ) => {
    const txn = store(id, 'fork' in operation && operation.kind !== 'promote' ? operation.fork : 'main', events);
    record(id, operation, times, { kind: 'ok', result, txn });
  };
  const balance = (id: string, value: number) => ({ kind: 'setField', id, field: 'ledger::Account.balance', value });
  const open = (owner: string, id: string) => {
    const at = -1_000 + transactions.length;
    acknowledged(
      `open-${owner}`,
      { kind: 'open', owner, balance: 100 },
      [at, at + 0.5],
      [
        { kind: 'insertIndividual', id, concept: 'ledger::Account' },
        { kind: 'setField', id, field: 'ledger::Account.owner', value: owner },
        balance(id, 100),
      ],
    );
  };
  open('a', '#i1');
  open('b', '#i2');
  const pay = { kind: 'insertFact', relation: 'ledger::paid', tuple: ['#i1', '#i2'] };
  return {
    transactions,
    forks,
    records,
    store,
    record,
    acknowledged,
    balance,
    pay,
    transfer(id: string, times: Times, amount: number, from: number, events?: readonly object[]) {
      const to = 200 - from;
      acknowledged(
        id,
        { kind: 'transfer', from: '#i1', to: '#i2', amount },
        times,
        events ?? [balance('#i1', from - amount), balance('#i2', to + amount), ...(from === 100 ? [pay] : [])],
        { from: from - amount, to: to + amount },
      );
    },
    balances(id: string, times: Times, from: number) {
      const rows = [
        { owner: 'a', balance: from },
        { owner: 'b', balance: 200 - from },
      ];
      record(id, { kind: 'balances' }, times, { kind: 'ok', result: rows });
    },
    createFork(fork: string, times: Times) {
      forks.push({ fork, txn: next(), parent: 'main', baseSeq: seq, status: 'open', createdAt: '' });
      record(`create-${fork}`, { kind: 'createFork', fork }, times, {
        kind: 'ok',
        result: null,
        fork: { status: 'open', label: null },
      });
    },
    label(fork: string, times: Times, label: string) {
      record(label, { kind: 'label', fork, label }, times, {
        kind: 'ok',
        result: null,
        fork: { status: 'open', label },
      });
    },
    readFork(fork: string, times: Times, label: string | null, status: 'open' | 'aborted' = 'open') {
      record(`read-${times[0]}`, { kind: 'fork', fork }, times, { kind: 'ok', result: null, fork: { status, label } });
    },
    found: () => checkScope({ tenant: 't', forks, transactions }, records),
  };
}

type Times = readonly [invokedMs: number, completedMs: number];
type Result = Extract<Answer, { kind: 'ok' }>['result'];

const NEVER = Number.POSITIVE_INFINITY;

describe('a correct history', () => {
  it('has no finding, although reads and writes overlap and outcomes are unknown', () => {
    const of = ledger();
    of.transfer('t1', [10, 40], 10, 100);
    of.balances('before', [11, 39], 100);
    of.balances('after', [12, 39], 90);
    of.record('poor', { kind: 'transfer', from: '#i1', to: '#i2', amount: 95 }, [13, 20], VIOLATION);
    of.store('kept', 'main', [of.balance('#i1', 85), of.balance('#i2', 115)]);
    of.record('kept', { kind: 'transfer', from: '#i1', to: '#i2', amount: 5 }, [14, NEVER], UNKNOWN);
    of.record('dropped', { kind: 'transfer', from: '#i1', to: '#i2', amount: 5 }, [15, NEVER], UNKNOWN);
    of.record('full', { kind: 'transfer', from: '#i1', to: '#i2', amount: 5 }, [15, 16], FAILED);
    of.balances('later', [50, 51], 85);
    of.record('past', { kind: 'derived', relation: 'idle', asOf: 2 }, [60, 61], ok(['["#i1"]', '["#i2"]']));
    of.record('reaches', { kind: 'derived', relation: 'reaches' }, [60, 61], ok(['["#i1","#i2"]']));
    of.createFork('f', [70, 71]);
    of.label('f', [72, 80], 'one');
    of.readFork('f', [73, 74], null);
    of.readFork('f', [75, 76], 'one');
    expect(of.found()).toEqual([]);
  });

  it('may have transactions in another order than their responses, if they overlap', () => {
    const of = ledger();
    of.transfer('t1', [10, 40], 10, 100);
    of.transfer('t2', [20, 30], 10, 90);
    expect(of.found()).toEqual([]);
  });
});

describe('it finds', () => {
  it.each<[string, rule: string, (of: ReturnType<typeof ledger>) => void]>([
    [
      'an acknowledged write that is lost',
      'lost',
      (of) => {
        of.transfer('t1', [10, 11], 10, 100);
        of.transactions.pop();
      },
    ],
    [
      'a write that is kept twice',
      'doubled',
      (of) => {
        of.transfer('t1', [10, 11], 10, 100);
        of.store('t1', 'main', [of.balance('#i1', 80), of.balance('#i2', 120)]);
      },
    ],
    [
      'a retried write that is kept twice, whose outcome is unknown',
      'doubled',
      (of) => {
        for (const from of [100, 90])
          of.store('t1', 'main', [of.balance('#i1', from - 10), of.balance('#i2', 210 - from), of.pay]);
        of.record('t1', { kind: 'transfer', from: '#i1', to: '#i2', amount: 10 }, [10, NEVER], UNKNOWN);
      },
    ],
    [
      'half a write',
      'unexplained transaction',
      (of) => of.transfer('t1', [10, 11], 10, 100, [of.balance('#i1', 90), of.pay]),
    ],
    [
      'half a write of unknown outcome',
      'unexplained transaction',
      (of) => {
        of.store('t1', 'main', [of.balance('#i1', 90), of.pay]);
        of.record('t1', { kind: 'transfer', from: '#i1', to: '#i2', amount: 10 }, [10, NEVER], UNKNOWN);
      },
    ],
    [
      'a write that builds on an old state',
      'unexplained transaction',
      (of) => {
        of.transfer('t1', [10, 20], 10, 100);
        of.transfer('t2', [10, 20], 20, 100, [of.balance('#i1', 80), of.balance('#i2', 120)]);
      },
    ],
    [
      'a refused write that is kept',
      'kept although refused',
      (of) => {
        of.store('t1', 'main', [of.balance('#i1', 90), of.balance('#i2', 110), of.pay]);
        of.record('t1', { kind: 'transfer', from: '#i1', to: '#i2', amount: 10 }, [10, 11], FAILED);
      },
    ],
    [
      'an accepted write that overdraws an account',
      'unexplained transaction',
      (of) => of.transfer('t1', [10, 11], 110, 100),
    ],
    [
      'a refusal without a reason',
      'unexplained response',
      (of) => of.record('t1', { kind: 'transfer', from: '#i1', to: '#i2', amount: 10 }, [10, 11], VIOLATION),
    ],
    [
      'two acknowledged holders of one name',
      'unexplained transaction',
      (of) => {
        for (const [id, holder] of [
          ['#i3', 'x'],
          ['#i4', 'y'],
        ] as const) {
          of.acknowledged(
            holder,
            { kind: 'claim', text: 'n', holder, fork: 'main' },
            [10, 20],
            [
              { kind: 'insertIndividual', id, concept: 'ledger::Name' },
              { kind: 'setField', id, field: 'ledger::Name.text', value: 'n' },
              { kind: 'setField', id, field: 'ledger::Name.holder', value: holder },
            ],
          );
        }
      },
    ],
    [
      'writes in another order than real time',
      'real-time order',
      (of) => {
        of.transfer('t1', [30, 40], 10, 100);
        of.transfer('t2', [10, 20], 10, 90);
      },
    ],
    [
      'a stale read',
      'unexplained response',
      (of) => {
        of.transfer('t1', [10, 20], 10, 100);
        of.balances('r', [21, 22], 100);
      },
    ],
    [
      'a read behind what another client has seen while the write was running',
      'unexplained response',
      (of) => {
        of.transfer('t1', [10, 40], 10, 100);
        of.balances('new', [11, 12], 90);
        of.balances('old', [13, 14], 100);
      },
    ],
    [
      'a read of a write that was not sent yet',
      'unexplained response',
      (of) => {
        of.balances('r', [5, 9], 90);
        of.transfer('t1', [10, 20], 10, 100);
      },
    ],
    [
      'a torn read',
      'unexplained response',
      (of) => {
        of.transfer('t1', [10, 40], 10, 100);
        const rows = [
          { owner: 'a', balance: 90 },
          { owner: 'b', balance: 100 },
        ];
        of.record('r', { kind: 'audit' }, [11, 39], ok([rows, 190]));
      },
    ],
    [
      'a derived answer that was not maintained',
      'unexplained response',
      (of) => {
        of.transfer('t1', [10, 20], 10, 100);
        of.record('r', { kind: 'derived', relation: 'idle' }, [30, 31], ok(['["#i1"]', '["#i2"]']));
      },
    ],
    [
      'a derived answer about the past that differs',
      'unexplained response',
      (of) => of.record('r', { kind: 'derived', relation: 'idle', asOf: 2 }, [30, 31], ok(['["#i2"]'])),
    ],
    [
      'a number that is missing',
      'numbering',
      (of) => {
        of.transfer('t1', [10, 20], 10, 100);
        of.transfer('t2', [20, 30], 10, 90);
        of.transactions.splice(2, 1);
      },
    ],
    [
      'a fork that saw less than what was there',
      'numbering',
      (of) => of.forks.push({ fork: 'f', txn: 3, parent: 'main', baseSeq: 3, status: 'open', createdAt: '' }),
    ],
    [
      'an open fork that was closed before',
      'fork status',
      (of) => {
        of.createFork('f', [10, 11]);
        of.readFork('f', [12, 13], null, 'aborted');
        of.readFork('f', [14, 15], null);
      },
    ],
    [
      'a discarded fork that is open at the end',
      'fork status',
      (of) => {
        of.createFork('f', [10, 11]);
        const fork = { status: 'aborted', label: null } as const;
        of.record('d', { kind: 'discard', fork: 'f' }, [12, 13], { kind: 'ok', result: null, fork });
      },
    ],
    [
      'a stale label',
      'label',
      (of) => {
        of.createFork('f', [10, 11]);
        of.label('f', [12, 13], 'one');
        of.label('f', [14, 15], 'two');
        of.readFork('f', [16, 17], 'one');
      },
    ],
    [
      'labels that two clients saw in different orders',
      'label',
      (of) => {
        of.createFork('f', [10, 11]);
        of.label('f', [12, 30], 'one');
        of.label('f', [12, 30], 'two');
        for (const [at, label] of [
          [13, 'one'],
          [15, 'two'],
          [17, 'one'],
        ] as const)
          of.readFork('f', [at, at + 1], label);
      },
    ],
    [
      'a version that falls',
      'version',
      (of) => {
        of.record('r1', { kind: 'balances' }, [10, 11], { ...ok(OPENED), version: 7 });
        of.record('r2', { kind: 'balances' }, [12, 13], { ...ok(OPENED), version: 6 });
      },
    ],
    [
      'an error that no client can cause',
      'unexpected failure',
      (of) => of.record('r', { kind: 'balances' }, [10, 11], { kind: 'refused', code: 'SVC_RUNTIME_INTERNAL_ERROR' }),
    ],
  ])('%s', (_, rule, plant) => {
    const of = ledger();
    plant(of);
    expect(of.found().map((finding) => finding.rule)).toContain(rule);
  });

  it('names the write that a stale read misses', () => {
    const of = ledger();
    of.transfer('t1', [10, 20], 10, 100);
    of.balances('r', [21, 22], 100);
    const [finding] = of.found();
    expect(finding?.message).toBe('It shows the state after transaction 2 of 3, but had to see transaction 3.');
    expect(finding?.operations.map(({ id }) => id)).toEqual(['t1', 'r']);
  });
});

const OPENED = [
  { owner: 'a', balance: 100 },
  { owner: 'b', balance: 100 },
];
const VIOLATION: Answer = { kind: 'refused', code: 'SVC_RUNTIME_CHECK_VIOLATION' };
const FAILED: Answer = { kind: 'failed', code: 'SVC_RUNTIME_STORAGE_ERROR' };
const UNKNOWN: Answer = { kind: 'unknown', reason: 'no response' };

function ok(result: Result) {
  return { kind: 'ok', result } as const;
}
