/** Batches: several calls in one transaction. Each is guarded, and sees results and changes of earlier ones. */

import { describe, expect, it } from 'vitest';
import type { BatchStep } from '../../api/schemas/batch-schemas.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { type Deadline, noDeadline } from '../../base/ports.js';
import { FRAME, failureOf, startWorld, type TestWorld } from '../testing/start-world.js';

const BANK = `module bank
pub concept Owner { name: Text }
pub concept Account { code: Text unique, balance: Int = 0, owner: Owner }
pub relation linked(a: Account, b: Account)
pub derive reach(a: Account, b: Account) when linked(a, b)
pub derive reach(a: Account, c: Account) when reach(a, b), linked(b, c)
pub check overdrawn(a: Account) when a.balance < 0 severity blocking message "{a.code} is overdrawn"
pub check circular(a: Account) when reach(a, a) severity blocking message "{a.code} leads to itself"
pub check idle(a: Account) when a.balance == 0 severity warning message "{a.code} is empty"
pub query accounts() -> [Text] { select a.code where Account(a) order by a.code }
pub query reached(a: Account) -> [Account] { select b where reach(a, b) order by b.code }
pub query count() -> Int { value count(for a where Account(a)) }
pub mutation enrol(name: Text) -> Owner { return insert Owner { name: name } }
pub mutation open(owner: Owner, code: Text, balance: Int = 0) -> Account {
  return insert Account { owner: owner, code: code, balance: balance }
}
pub mutation pay(a: Account, amount: Int) { set a.balance = a.balance + amount }
pub mutation link(accounts: [Account]) -> Int {
  for a in accounts { for b in (select b where b in accounts, a != b, a.code < b.code) { insert linked(a, b) } }
  return 1
}
pub mutation unlink(pair: { a: Account, b: Account }) { delete linked(pair.a, pair.b) }
pub mutation join(pair: { a: Account, b: Account }) { insert linked(pair.a, pair.b) }
pub mutation erase(o: Owner) { forget o }
pub fn twice(x: Int) -> Int = x * 2
`;

type Step = Partial<BatchStep>;

async function run(world: TestWorld, steps: readonly Step[], deadline: Deadline = noDeadline) {
  const session = await world.runtime.enter(FRAME);
  return session.batch(
    steps.map((step) => ({ query: undefined, mutation: undefined, compute: undefined, args: {}, ...step })),
    { granted: [], dryRun: false },
    deadline,
  );
}

const enrol: Step = { mutation: 'bank::enrol', args: { name: 'Ada' } };
const open = (code: string, balance = 1, owner: JsonValue = { $step: 0 }): Step => ({
  mutation: 'bank::open',
  args: { owner, code, balance },
});
const accounts: Step = { query: 'bank::accounts' };
const pair = (a: number, b: number): Step['args'] => ({ pair: { a: { $step: a }, b: { $step: b } } });

async function transactionsOf(world: TestWorld) {
  const { scopeId } = await world.runtime.enter(FRAME);
  const found = [];
  for await (const transaction of world.store.read(scopeId, 'main', 0)) found.push(transaction);
  return found;
}

describe('a batch', () => {
  it('is one transaction whose steps see earlier changes and use earlier results', async () => {
    const world = await startWorld(BANK);
    const answers = await run(world, [
      enrol,
      open('A', 5),
      accounts,
      open('B', 0),
      { mutation: 'bank::link', args: { accounts: [{ $step: 1 }, { $step: 3 }] } },
      { query: 'bank::reached', args: { a: { $step: 1 } } },
      { compute: 'bank::twice', args: { x: { $step: 4 } } },
    ]);
    expect(answers.map(({ result }) => result)).toMatchObject([
      { name: 'Ada' },
      { code: 'A', owner: '#i1' },
      ['A'],
      { code: 'B' },
      1,
      [{ code: 'B' }],
      2,
    ]);
    expect(answers.map(({ txn, events }) => [txn, events?.map(({ kind }) => kind)])).toEqual([
      [1, ['insertIndividual', 'setField']],
      [1, ['insertIndividual', 'setField', 'setField', 'setField']],
      [undefined, undefined],
      [1, ['insertIndividual', 'setField', 'setField', 'setField']],
      [1, ['insertFact']],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(answers[3]?.warnings).toMatchObject([{ check: 'bank::idle', message: 'B is empty' }]);
    expect(answers[4]?.warnings).toEqual([]);
    const stored = await transactionsOf(world);
    expect(stored.map(({ cause, events }) => [cause, events.length])).toEqual([[{ kind: 'batch' }, 11]]);
    expect(await world.query('bank::accounts')).toEqual(['A', 'B']);
  });

  it('rolls back if a step fails, and names it', async () => {
    const world = await startWorld(BANK);
    const failure = await failureOf(run(world, [enrol, open('A'), open('A'), accounts]));
    expect(failure).toMatchObject({
      code: 'SVC_RUNTIME_CHECK_VIOLATION',
      details: { batchStep: 2, diagnostics: [{ check: 'bank::Account.code.unique' }, {}] },
    });
    expect([await world.query('bank::count'), (await transactionsOf(world)).length]).toEqual([0, 0]);
    expect((await run(world, [enrol, open('A')]))[0]?.result).toMatchObject({ $id: '#i1' });
  });

  it('guards each step at its end, even if a later one would fix it', async () => {
    const world = await startWorld(BANK);
    const steps = [enrol, open('A', 1), { mutation: 'bank::pay', args: { a: { $step: 1 }, amount: -2 } }];
    const mended = [...steps, { mutation: 'bank::pay', args: { a: { $step: 1 }, amount: 9 } }];
    expect(await failureOf(run(world, mended))).toMatchObject({
      code: 'SVC_RUNTIME_CHECK_VIOLATION',
      details: { batchStep: 2 },
    });
  });

  it('compares each step with the state before it, derived relations included', async () => {
    const world = await startWorld(BANK);
    const ring = [enrol, open('A'), open('B'), open('C')];
    const join = (a: number, b: number): Step => ({ mutation: 'bank::join', args: pair(a, b) as BatchStep['args'] });
    const unlink = (a: number, b: number): Step => ({
      mutation: 'bank::unlink',
      args: pair(a, b) as BatchStep['args'],
    });
    const closing = await failureOf(run(world, [...ring, join(1, 2), join(2, 3), join(3, 1)]));
    expect(closing).toMatchObject({ code: 'SVC_RUNTIME_CHECK_VIOLATION', details: { batchStep: 6 } });
    const opened = [
      ...ring,
      join(1, 2),
      join(2, 3),
      unlink(1, 2),
      join(3, 1),
      { query: 'bank::reached', args: { a: { $step: 2 } } },
    ];
    expect((await run(world, opened)).at(-1)?.result).toMatchObject([{ code: 'A' }, { code: 'C' }]);
  });

  it('refuses a step that restores a violation that another step removed', async () => {
    const world = await startWorld(BANK);
    await run(world, [enrol, open('A', 3)]);
    // The facts already violate the check when it is loaded.
    await world.load(BANK.replace('a.balance < 0', 'a.balance < 4'));
    const pay = (amount: number): Step => ({ mutation: 'bank::pay', args: { a: '#i2', amount } });
    expect((await run(world, [pay(-1)]))[0]?.txn).toBe(2);
    const failure = await failureOf(run(world, [pay(5), pay(-5)]));
    expect(failure).toMatchObject({ code: 'SVC_RUNTIME_CHECK_VIOLATION', details: { batchStep: 1 } });
  });

  it.each<[string, Step[], number, RegExp]>([
    [
      'its own step',
      [open('A', 1, { $step: 0 })],
      0,
      /^In step 0: The reference at \$\.steps\[0\]\.args\.owner names its own step/,
    ],
    [
      'a later step',
      [open('A', 1, { $step: 1 }), enrol],
      0,
      /\$\.steps\[0\]\.args\.owner names step 1, which is not before/,
    ],
    ['no step', [enrol, open('A', 1, { $step: -1 })], 1, /\$\.steps\[1\]\.args\.owner names no step/],
    ['a step by its text', [enrol, open('A', 1, { $step: '0' })], 1, /names no step/],
    ['something beside a step', [enrol, open('A', 1, { $step: 0, name: 'x' })], 1, /more members/],
    [
      'a later step, deep in a list',
      [enrol, open('A'), { mutation: 'bank::link', args: { accounts: [{ $step: 1 }, { $step: 3 }] } }],
      2,
      /\$\.steps\[2\]\.args\.accounts\[1\] names step 3/,
    ],
    [
      'its own step, deep in a record',
      [enrol, open('A'), { mutation: 'bank::join', args: pair(1, 2) as BatchStep['args'] }],
      2,
      /\$\.steps\[2\]\.args\.pair\.b names its own step/,
    ],
    [
      'a step that returns nothing',
      [
        enrol,
        open('A'),
        { mutation: 'bank::pay', args: { a: { $step: 1 }, amount: 1 } },
        { compute: 'bank::twice', args: { x: { $step: 2 } } },
      ],
      3,
      /"bank::pay" returns nothing/,
    ],
    [
      'a step of another type',
      [enrol, { compute: 'bank::twice', args: { x: { $step: 0 } } }],
      1,
      /must be Int|must be an? Int|Expected a whole/,
    ],
  ])('refuses a reference to %s', async (_, steps, batchStep, message) => {
    const world = await startWorld(BANK);
    const failure = await failureOf(run(world, steps));
    expect(failure).toMatchObject({ code: 'SVC_RUNTIME_VALIDATION_FAILED', details: { batchStep } });
    expect(failure.message).toMatch(message);
    expect(failure.details['path']).toMatch(new RegExp(`^\\$\\.steps\\[${batchStep}\\]\\.args\\.`));
  });

  it('checks callables, signatures and capabilities before anything runs', async () => {
    const world = await startWorld(BANK);
    const steps = (last: Step): Step[] => [enrol, open('A', -1), last];
    for (const [last, code] of [
      [{ query: 'bank::acounts' }, 'SVC_RUNTIME_UNKNOWN_QUERY'],
      [{ mutation: 'bank::accounts' }, 'SVC_RUNTIME_UNKNOWN_MUTATION'],
      [{ compute: 'bank::thrice' }, 'SVC_RUNTIME_UNKNOWN_COMPUTE'],
      [{ compute: 'bank::twice', args: { y: 1 } }, 'SVC_RUNTIME_SIGNATURE_MISMATCH'],
      [{ mutation: 'bank::erase', args: { o: { $step: 0 } } }, 'SVC_RUNTIME_CAPABILITY_DENIED'],
    ] as const) {
      expect(await failureOf(run(world, steps(last)))).toMatchObject({ code, details: { batchStep: 2 } });
    }
  });

  it('writes no transaction if it only reads, and waits for none', async () => {
    const world = await startWorld(BANK);
    await run(world, [enrol, open('A')]);
    let waiting: (() => void) | undefined;
    const held: Deadline = { checkpoint: () => new Promise<void>((resolve) => (waiting = resolve)) };
    const writing = run(world, [enrol], held);
    const read = await run(world, [accounts, { compute: 'bank::twice', args: { x: 4 } }]);
    expect(read).toEqual([{ result: ['A'] }, { result: 8 }]);
    let done = false;
    void writing.finally(() => {
      done = true;
    });
    while (!done) {
      waiting?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await transactionsOf(world)).length).toBe(2);
  });

  it('returns nothing without steps', async () => {
    expect(await run(await startWorld(BANK), [])).toEqual([]);
  });
});
