/** Explanations of a state that calls would lead to. Nothing of it is kept. */

import { describe, expect, it } from 'vitest';
import { CAPABILITIES } from '../../api/capabilities.js';
import type { BatchStep } from '../../api/schemas/batch-schemas.js';
import { noDeadline } from '../../base/ports.js';
import type { DryRunCall } from '../contract/requests.js';
import { FRAME, failureOf, startWorld } from '../testing/start-world.js';

const OFFICE = `module office
pub concept Person { name: Text }
pub relation boss(of: Person, is: Person)
pub individual ada: Person { name: "Ada" }
pub derive over(a: Person, b: Person) when boss(b, a)
pub derive over(a: Person, c: Person) when over(a, b), over(b, c)
pub check self(p: Person) when boss(p, p) severity blocking message "{p.name} is their own"
pub mutation hire(name: Text, boss: Person) -> Person {
  let p = insert Person { name: name }
  insert boss(p, boss)
  return p
}
pub mutation place(of: Person, boss: Person) { insert boss(of, boss) }
`;

async function office() {
  const world = await startWorld(OFFICE);
  const explain = async (tuple: readonly string[], call?: DryRunCall['call']) =>
    (await world.runtime.enter(FRAME)).explain('office::over', tuple, noDeadline, {
      after: call && { call, granted: CAPABILITIES },
    });
  return { world, explain };
}

const HIRES = {
  steps: [
    { mutation: 'office::hire', args: { name: 'Bel', boss: '@ada' } },
    { mutation: 'office::hire', args: { name: 'Cor', boss: { $step: 0 } } },
  ],
};

it('proves a fact that several calls would lead to, names new individuals, and keeps nothing', async () => {
  const { world, explain } = await office();
  expect(await explain(['@ada', '#i2'], HIRES)).toMatchObject({
    holds: true,
    proof: { rule: { clause: 1 }, premises: [{ relation: 'office::over' }, { relation: 'office::over' }] },
    names: { '#i1': 'Bel', '#i2': 'Cor' },
  });
  expect(await explain(['@ada', '#i2'])).toMatchObject({ holds: false });
  expect((await world.mutate('office::hire', { name: 'Dan', boss: '@ada' })).result).toMatchObject({ $id: '#i1' });
});

it('proves a fact that an ad-hoc mutation would lead to', async () => {
  const { explain } = await office();
  const source = 'mutation again(n: Text) {\n  let p = insert Person { name: n }\n  insert boss(p, @ada)\n}';
  expect(await explain(['@ada', '#i1'], { source, module: undefined, args: { n: 'Eve' } })).toMatchObject({
    holds: true,
  });
});

it('fails with the error of a refused call', async () => {
  const { explain } = await office();
  const call = { steps: [{ mutation: 'office::place', args: { of: '@ada', boss: '@ada' } }] };
  expect(await failureOf(explain(['@ada', '@ada'], call))).toMatchObject({ code: 'SVC_RUNTIME_CHECK_VIOLATION' });
});

const SHIFTS = `module shifts
pub concept Person { name: Text }
pub relation covers(p: Person, day: Int)
pub derive busy(p: Person) when covers(p, d), d > 0
pub check two(p: Person) when covers(p, a), covers(p, b), a < b severity blocking message "{p.name} covers two days"
pub mutation hire(name: Text, day: Int) -> Person {
  let p = insert Person { name: name }
  insert covers(p, day)
  return p
}
pub mutation cover(p: Person, day: Int) { insert covers(p, day) }
pub mutation twice(name: Text) {
  let p = insert Person { name: name }
  insert covers(p, 1)
  insert covers(p, 2)
}
`;

describe('ending a violation of a refused call', () => {
  const started = async () => {
    const world = await startWorld(SHIFTS);
    const { result } = await world.mutate('shifts::hire', { name: 'Ada', day: 1 });
    const ada = (result as { $id: string }).$id;
    const suggested = async (call: DryRunCall['call'], person = ada) => {
      const options = { ending: true, after: { call, granted: CAPABILITIES } };
      const session = await world.runtime.enter(FRAME);
      return session.explain('shifts::two', [person], noDeadline, options);
    };
    return { world, ada, suggested };
  };
  const possible = (ada: string) => ({
    holds: true,
    suggestions: { sets: [{ changes: [{ op: 'delete', relation: 'shifts::covers', tuple: [ada, 1] }], firings: [] }] },
  });

  it('suggests only changes before the call, and keeps nothing', async () => {
    const { world, ada, suggested } = await started();
    const args = { p: ada, day: 2 };
    const found = await suggested({ steps: [{ mutation: 'shifts::cover', args }] });
    expect(found).toMatchObject(possible(ada));
    expect(found.suggestions?.sets).toHaveLength(1);
    expect(await failureOf(world.mutate('shifts::cover', args))).toMatchObject({ code: 'SVC_RUNTIME_CHECK_VIOLATION' });
  });

  it('suggests changes before an ad-hoc mutation or an import', async () => {
    const { ada, suggested } = await started();
    const source = 'mutation more(p: Person) { insert covers(p, 2) }';
    expect(await suggested({ source, module: undefined, args: { p: ada } })).toMatchObject(possible(ada));
    const rows = [{ p: ada, day: 2 }];
    expect(await suggested({ import: { mutation: 'shifts::cover', rows, keys: {} } })).toMatchObject(possible(ada));
  });

  it('suggests nothing about individuals that the call creates', async () => {
    const { suggested } = await started();
    const call = { steps: [{ mutation: 'shifts::twice', args: { name: 'Bel' } }] };
    expect(await suggested(call, '#i2')).toMatchObject({ holds: true, suggestions: { sets: [] } });
  });
});

const ROOMS = `module rooms
pub enum State { draft, open }
pub concept Room { name: Text, state: State = draft, seats: Int }
pub relation keyOf(r: Room, holder: Text)
pub derive ready(r: Room) when keyOf(r, _)
pub mutation add(name: Text, seats: Int) -> Room { return insert Room { name: name, seats: seats } }
pub mutation give(r: Room, holder: Text) { insert keyOf(r, holder) }
pub mutation enter(r: Room) { require ready(r) message "{r.name} has no key" }
pub mutation close(r: Room) { require not keyOf(r, "Bel") message "Bel holds a key" }
pub mutation open(r: Room) {
  require r.state == open, r.seats > 3 message "{r.name} is too small or closed"
}
pub mutation fresh(name: Text) {
  let r = insert Room { name: name, seats: 1 }
  require ready(r) message "no key"
}
pub mutation count(n: Int) { require n > 3 message "{n} is too few" }
pub mutation visit(r: Room) { enter(r) }
`;

describe('meeting a requirement of a refused call', () => {
  const started = async () => {
    const world = await startWorld(ROOMS);
    const { result } = await world.mutate('rooms::add', { name: 'Hall', seats: 2 });
    const hall = (result as { $id: string }).$id;
    const suggested = async (call: DryRunCall['call'], relation: string) => {
      const options = { ending: true, after: { call, granted: CAPABILITIES } };
      return (await world.runtime.enter(FRAME)).explain(relation, [], noDeadline, options);
    };
    const ofCall = (mutation: string, args: BatchStep['args'], relation = mutation) =>
      suggested({ steps: [{ mutation: `rooms::${mutation}`, args }] }, `rooms::${relation}`);
    return { world, hall, suggested, ofCall };
  };

  it('names the condition in the refusal', async () => {
    const { world, hall } = await started();
    expect(await failureOf(world.mutate('rooms::enter', { r: hall }))).toMatchObject({
      code: 'SVC_RUNTIME_CHECK_VIOLATION',
      details: { requirement: 'ready(r)', diagnostics: [{ check: 'rooms::enter', tuple: {} }] },
    });
  });

  it('suggests a missing fact behind a derived one, also for a mutation that the call calls', async () => {
    const { hall, ofCall } = await started();
    const missing = {
      holds: false,
      suggestions: { sets: [{ changes: [{ op: 'insert', relation: 'rooms::keyOf' }] }] },
    };
    expect(await ofCall('enter', { r: hall })).toMatchObject(missing);
    expect(await ofCall('visit', { r: hall }, 'enter')).toMatchObject(missing);
  });

  it('suggests removing a fact that must be absent', async () => {
    const { world, hall, ofCall } = await started();
    await world.mutate('rooms::give', { r: hall, holder: 'Bel' });
    expect(await ofCall('close', { r: hall })).toMatchObject({
      suggestions: { sets: [{ changes: [{ op: 'delete', relation: 'rooms::keyOf', tuple: [hall, 'Bel'] }] }] },
    });
  });

  it('suggests values for the fields that a conjunction compares', async () => {
    const { hall, ofCall } = await started();
    const { suggestions } = await ofCall('open', { r: hall });
    const [set] = suggestions?.sets ?? [];
    expect(set?.changes).toMatchObject([
      { op: 'set', relation: 'rooms::Room.state', tuple: [hall, 'open'] },
      { op: 'set', relation: 'rooms::Room.seats', tuple: [hall, 4] },
    ]);
  });

  it('suggests nothing about an individual that the call creates, or for arguments alone', async () => {
    const { ofCall } = await started();
    expect(await ofCall('fresh', { name: 'New' })).toMatchObject({ holds: false, suggestions: { sets: [] } });
    expect(await ofCall('count', { n: 1 })).toMatchObject({ holds: false, suggestions: { sets: [] } });
  });

  it('suggests what an ad-hoc mutation or the first refused row of an import needs', async () => {
    const { hall, suggested } = await started();
    const source = 'mutation go(r: Room) { require ready(r) message "no" }';
    const missing = { suggestions: { sets: [{ changes: [{ relation: 'rooms::keyOf' }] }] } };
    expect(await suggested({ source, module: undefined, args: { r: hall } }, 'rooms::go')).toMatchObject(missing);
    const rows = [{ r: hall }];
    expect(await suggested({ import: { mutation: 'rooms::enter', rows, keys: {} } }, 'rooms::enter')).toMatchObject(
      missing,
    );
  });
});

const at = (fork: string) => ({ ...FRAME, forks: [{ from: 'path', fork }] }) as const;

/** Ada is over everyone. After the fork, `what-if` puts Bel over Cor, and `main` puts Dan over Bel. */
async function apart() {
  const { world } = await office();
  const place = async (fork: string, of: string, boss: string) =>
    (await world.runtime.enter(at(fork))).mutate(
      'office::place',
      { of, boss },
      { dryRun: false, granted: [] },
      noDeadline,
    );
  for (const name of ['Bel', 'Cor', 'Dan']) await world.mutate('office::hire', { name, boss: '@ada' });
  const [bel, cor, dan] = ['#i1', '#i2', '#i3'] as const;
  await (await world.runtime.enter(FRAME)).createFork({ id: 'what-if' });
  const { txn } = await place('what-if', cor, bel);
  await place('main', bel, dan);
  const explain = async (
    tuple: readonly string[],
    call: DryRunCall['call'],
    { fork = 'main', granted = CAPABILITIES }: { fork?: string; granted?: DryRunCall['granted'] } = {},
  ) => (await world.runtime.enter(at(fork))).explain('office::over', tuple, noDeadline, { after: { call, granted } });
  return { world, place, explain, txn: txn ?? 0, bel, cor, dan };
}

it('proves a fact that needs both sides of a promotion, rebase or cherry-pick', async () => {
  const { explain, txn, bel, cor, dan } = await apart();
  const both = { holds: true, proof: { premises: [{ tuple: [dan, bel] }, { tuple: [bel, cor] }] } };
  const keep = [] as const;
  expect(await explain([dan, cor], { promote: 'what-if', keep })).toMatchObject(both);
  expect(await explain([dan, cor], { pick: { from: 'what-if', txn }, keep })).toMatchObject(both);
  expect(await explain([dan, cor], { update: true, keep }, { fork: 'what-if' })).toMatchObject(both);
  for (const fork of ['main', 'what-if']) {
    expect(await explain([dan, cor], { steps: [] }, { fork }), `nothing is kept on ${fork}`).toMatchObject({
      holds: false,
    });
  }
});

it('proves violations of a refused promotion, with the names of new individuals of the fork', async () => {
  const { world, place, explain, bel } = await apart();
  await place('what-if', '@ada', bel);
  const hired = await world.runtime.enter(at('what-if'));
  await hired.mutate('office::hire', { name: 'Eve', boss: bel }, { dryRun: false, granted: [] }, noDeadline);
  const promotion = { promote: 'what-if', keep: [] } as const;
  expect(await explain(['@ada', '@ada'], promotion)).toMatchObject({ holds: true });
  expect(await explain(['@ada', '#i4'], promotion)).toMatchObject({ holds: true, names: { '#i4': 'Eve' } });
});

it('explains the state after a revert of a promotion or transaction', async () => {
  const { world, explain, cor, bel, dan } = await apart();
  const whatIf = await world.runtime.enter(at('what-if'));
  const { txn } = await whatIf.promote({ dryRun: false }, noDeadline);
  const why = { holds: false };
  expect(await explain([bel, cor], { undoPromotion: 'what-if' })).toMatchObject(why);
  expect(await explain([bel, cor], { undo: txn ?? 0 })).toMatchObject(why);
  expect(await explain([dan, cor], { steps: [] })).toMatchObject({ holds: true });
});

it('proves a fact that an import would lead to, and names new individuals', async () => {
  const { explain } = await apart();
  const rows = ['Eve', 'Fay'].map((name) => ({ name, boss: 'Ada' }));
  const call = { import: { mutation: 'office::hire', rows, keys: { boss: 'name' } } };
  expect(await explain(['@ada', '#i5'], call)).toMatchObject({ holds: true, names: { '#i5': 'Fay' } });
});

it('tries merges only with the capability, and only of children of the fork', async () => {
  const { world, explain } = await apart();
  await (await world.runtime.enter(FRAME)).createFork({ id: 'inner', from: 'what-if' });
  const keep = [] as const;
  for (const call of [
    { promote: 'what-if', keep },
    { update: true, keep },
    { undo: 1 },
    { undoPromotion: 'what-if' },
  ] as const) {
    expect(await failureOf(explain(['@ada', '@ada'], call, { granted: [] }))).toMatchObject({
      code: 'SVC_RUNTIME_CAPABILITY_DENIED',
    });
  }
  expect(await failureOf(explain(['@ada', '@ada'], { promote: 'inner', keep }))).toMatchObject({
    code: 'SVC_RUNTIME_VALIDATION_FAILED',
    message: '"inner" is no fork of "main"; explain on "what-if", its parent.',
  });
});
