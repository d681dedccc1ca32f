/** The checker accepts a correct history with concurrent operations, and finds each kind of fault in a small one. */

import { describe, expect, it } from 'vitest';
import type { Cause, ForkRecord, StoredEvent, StoredTransaction } from '../../src-runtime/storage/event-store.js';
import { checkDeployments, checkScope } from './check.js';
import type { Operation } from './ledger.js';
import type { Answer, Deployed, Recorded } from './record.js';

/** A history in the making, and the operations that wrote it. Operations take the times that they are given, in ms. */
function ledger() {
  const transactions: StoredTransaction[] = [];
  const forks: ForkRecord[] = [];
  const records: Recorded[] = [];
  let seq = 0;
  const next = () => forks.length + transactions.length + 1;
  const store = (id: string, fork: string, events: readonly object[], cause: Cause = { kind: 'batch' }) => {
    const txn = next();
    const stored = events.map((event) => ({ ...event, seq: ++seq }) as StoredEvent);
    transactions.push({ fork, txn, at: '', cause, principal: id, events: stored });
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
    const txn = store(
      id,
      'fork' in operation && !['promote', 'undoPromotion'].includes(operation.kind) ? operation.fork : 'main',
      events,
    );
    record(id, operation, times, { kind: 'ok', result, txn });
  };
  const balance = (id: string, value: number) => ({ kind: 'setField', id, field: 'ledger::Account.balance', value });
  const count = (value: number) => ({ kind: 'setField', id: '#i3', field: 'ledger::Counter.value', value });
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
    /** A counter in `main` that a fork increments. */
    countIn(fork: string, at: number) {
      acknowledged(
        'start',
        { kind: 'start', name: 'c' },
        [at, at + 1],
        [
          { kind: 'insertIndividual', id: '#i3', concept: 'ledger::Counter' },
          { kind: 'setField', id: '#i3', field: 'ledger::Counter.name', value: 'c' },
          count(0),
        ],
      );
      this.createFork(fork, [at + 2, at + 3]);
      acknowledged('increment', { kind: 'increment', counter: '#i3', fork }, [at + 4, at + 5], [count(1)], 1);
      return transactions.at(-1)?.txn ?? 0;
    },
    count,
    /** Appends to a list, whose relation has the name of an edition. */
    append(namedBy: number) {
      const entry = { kind: 'insertFact', relation: `ledger::entry${namedBy}`, tuple: ['l', 0, 'x'] };
      acknowledged('append', { kind: 'append', list: 'l', item: 'x' }, [10, 11], [entry], 0);
    },
    /** Writes the events to the new fork, or nothing. */
    rebase(fork: string, from: string, times: Times, events: readonly object[]) {
      forks.push({ fork, txn: next(), parent: 'main', baseSeq: seq, status: 'open', createdAt: '' });
      const txn = events.length === 0 ? null : store('rebase', fork, events);
      const told = { status: 'open', label: null } as const;
      record('rebase', { kind: 'rebase', fork, from }, times, { kind: 'ok', result: null, txn, fork: told });
    },
    readFork(fork: string, times: Times, label: string | null, status: 'open' | 'aborted' = 'open') {
      record(`read-${times[0]}`, { kind: 'fork', fork }, times, { kind: 'ok', result: null, fork: { status, label } });
    },
    found: (deployed: readonly Deployed[] = [], namedBy = 0) =>
      checkScope({ tenant: 't', forks, transactions }, records, deployed, namedBy),
  };
}

type Times = readonly [invokedMs: number, completedMs: number];
type Result = Answered['result'];

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

  it('has what rebases, cherry-picks, undone promotions and erasures write', () => {
    const of = ledger();
    const txn = of.countIn('f', 10);
    of.rebase('g', 'f', [20, 21], [of.count(1)]);
    of.acknowledged('pick', { kind: 'pick', fork: 'main', from: 'f', txn }, [22, 23], [of.count(1)]);
    of.rebase('h', 'f', [24, 25], []);
    of.acknowledged('more', { kind: 'increment', counter: '#i3', fork: 'g' }, [26, 27], [of.count(2)], 2);
    of.store('promote', 'main', [of.count(2)], { kind: 'promote', fork: 'g' });
    of.record('promote', { kind: 'promote', fork: 'g' }, [28, NEVER], UNKNOWN);
    of.acknowledged('undo', { kind: 'undoPromotion', fork: 'g' }, [30, 31], [of.count(1)]);
    expect(of.found()).toEqual([]);
  });

  it('may lack what was erased, and has the rest', () => {
    const of = ledger();
    const [welcome, dismiss] = [
      { kind: 'welcome', note: 'hello' },
      { kind: 'dismiss', guest: '#i3' },
    ] as const;
    const erased = { kind: 'redacted', id: '#i3' };
    of.acknowledged('welcome', welcome, [10, 11], [erased, erased], '#i3');
    of.record('before', { kind: 'guests' }, [12, 13], ok(['hello']));
    of.acknowledged('dismiss', dismiss, [14, 15], [{ kind: 'forgetIndividual', id: '#i3', concept: 'ledger::Guest' }]);
    of.record('after', { kind: 'guests' }, [16, 17], ok([]));
    expect(of.found()).toEqual([]);
  });

  it('may change its module while requests run', () => {
    const of = ledger();
    of.record('r1', { kind: 'balances' }, [10, 20], { ...ok(OPENED), edition: 1 });
    of.record('r2', { kind: 'balances' }, [10, 12], { ...ok(OPENED), edition: 0 });
    const failed = { edition: 2, invokedMs: 25, completedMs: NEVER };
    expect(of.found([{ edition: 1, invokedMs: 11, completedMs: 15 }, failed])).toEqual([]);
  });

  it('has the names of the last rename', () => {
    const of = ledger();
    of.append(3);
    of.record('items', { kind: 'items', list: 'l' }, [20, 21], ok(['x']));
    expect(of.found([], 3)).toEqual([]);
  });

  it('may repeat a request under a later module', () => {
    const of = ledger();
    transfersUnderModules(of, { isRepeated: true });
    expect(of.found([{ edition: 1, invokedMs: 5, completedMs: 50 }])).toEqual([]);
  });

  it('may repeat a response without its facts', () => {
    const of = ledger();
    of.transfer('t1', [10, 20], 10, 100);
    const { answer, ...asked } = of.records.pop() as Recorded;
    of.records.push({ ...asked, answer: { ...(answer as Answered), result: null, isRepeated: true, isEmptied: true } });
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
      'a rebase that lost a change',
      'unexplained response',
      (of) => {
        of.countIn('f', 10);
        of.rebase('g', 'f', [20, 21], []);
      },
    ],
    [
      'a cherry-pick of another value',
      'unexplained transaction',
      (of) => {
        const txn = of.countIn('f', 10);
        of.acknowledged('pick', { kind: 'pick', fork: 'main', from: 'f', txn }, [20, 21], [of.count(5)]);
      },
    ],
    [
      'a guest that somebody sees after it was forgotten',
      'unexplained response',
      (of) => {
        const guest = '#i3';
        of.acknowledged('w', { kind: 'welcome', note: 'hello' }, [10, 11], [{ kind: 'redacted', id: guest }], guest);
        const forgotten = { kind: 'forgetIndividual', id: guest, concept: 'ledger::Guest' };
        of.acknowledged('d', { kind: 'dismiss', guest }, [12, 13], [forgotten]);
        of.record('r', { kind: 'guests' }, [14, 15], ok(['hello']));
      },
    ],
    [
      'a conclusion of another edition than the response names',
      'unexplained response',
      (of) => {
        of.transfer('t', [10, 11], 50, 100);
        const tuples = ok(['["#i1",0]', '["#i2",0]']);
        // Under edition 101, #i2 with 150 is poor.
        of.record('r', { kind: 'derived', relation: 'poorReach' }, [12, 13], { ...tuples, edition: 101 });
      },
    ],
    [
      'an edition that answers after another was deployed',
      'module',
      (of) => {
        of.record('r', { kind: 'balances' }, [16, 17], { ...ok(OPENED), edition: 0 });
      },
    ],
    ['a transaction under a module after another has replaced it', 'module', transfersUnderModules],
    ['a fact that a rename left behind', 'name', (of) => of.append(2)],
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
      (of) =>
        of.record('r', { kind: 'balances' }, [10, 11], {
          kind: 'refused',
          code: 'SVC_RUNTIME_INTERNAL_ERROR',
          reason: 'a fault',
        }),
    ],
  ])('%s', (_, rule, plant) => {
    const of = ledger();
    plant(of);
    const deployed = { edition: 1, invokedMs: 14, completedMs: 15 };
    expect(of.found([deployed]).map((finding) => finding.rule)).toContain(rule);
  });

  it('a deployment that was refused, unless the one before it failed', () => {
    const times = { invokedMs: 1, completedMs: NEVER };
    const refused = { edition: 2, ...times, failure: 'does not fit', code: 'SVC_RUNTIME_MODULE_INCOMPATIBLE' };
    const failed = { edition: 1, ...times, failure: 'the disk is full', code: 'SVC_RUNTIME_STORAGE_ERROR' };
    expect(checkDeployments([refused]).map(({ rule }) => rule)).toEqual(['unexpected failure']);
    expect(checkDeployments([failed, refused])).toEqual([]);
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

/** Three transactions at the same time, the second under edition 1. */
function transfersUnderModules(of: ReturnType<typeof ledger>, second: Pick<Answered, 'isRepeated'> = {}): void {
  for (const [at, edition] of [0, 1, 0].entries()) {
    of.transfer(`t${at}`, [10, 40], 10, 100 - 10 * at);
    const last = of.records.pop();
    if (last === undefined) throw new Error('no transfer');
    of.records.push({ ...last, answer: { ...(last.answer as Answered), edition, ...(at === 1 && second) } });
  }
}

type Answered = Extract<Answer, { kind: 'ok' }>;

const OPENED = [
  { owner: 'a', balance: 100 },
  { owner: 'b', balance: 100 },
];
const VIOLATION: Answer = { kind: 'refused', code: 'SVC_RUNTIME_CHECK_VIOLATION', reason: 'overdrawn' };
const FAILED: Answer = { kind: 'failed', code: 'SVC_RUNTIME_STORAGE_ERROR', reason: 'the disk is full' };
const UNKNOWN: Answer = { kind: 'unknown', reason: 'no response' };

function ok(result: Result) {
  return { kind: 'ok', result } as const;
}
