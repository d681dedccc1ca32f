/**
 * A reload that keeps the facts in memory equals a replay of the history under the new module: every fact and proof, every entity and
 * violation, in every fork, and the next numbers.
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError } from '../../api/errors.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { noDeadline } from '../../base/ports.js';
import { runs } from '../../base/testing/property-runs.js';
import { ALL, FRAME, startWorld, type TestWorld } from '../testing/start-world.js';

const STORED = `module firm
pub enum Grade { low, high }
pub concept Party { name: Text }
pub concept Person is Party { grade: Grade = low, boss: Person? }
pub relation worksFor(person: Person, party: Party [0..1])
pub relation knows(a: Person, b: Person)
pub individual acme: Party { name: "Acme" }
pub individual eve: Person { name: "Eve", grade: high }
fact worksFor(@eve, @acme)
fact knows(@eve, @eve)
pub derive reach(a: Person, b: Person) when knows(a, b)
pub derive circle(a: Person, b: Person) when knows(a, b)
pub derive circle(a: Person, c: Person) when circle(a, b), knows(b, c)
pub derive outside(a: Person, b: Person) when Person(a), Person(b), not circle(a, b)
pub fn weight(n: Int) -> Int = n + 1
pub derive friends(p: Person, n: Int) when Person(p), let n = weight(count(for q where circle(p, q)))
pub mutation hire(name: Text, at: Party) -> Person {
  let p = insert Person { name: name, boss: @eve }
  insert worksFor(p, at)
  return p
}
pub mutation found(name: Text) -> Party { return insert Party { name: name } }
pub mutation move(p: Person, to: Party) { delete worksFor(p, _) insert worksFor(p, to) }
pub mutation grade(p: Person, to: Grade) { set p.grade = to }
pub mutation meet(a: Person, b: Person) { insert knows(a, b) }
pub mutation part(a: Person, b: Person) { delete knows(a, b) }
pub mutation leave(p: Party) { delete p }
pub mutation erase(p: Party) { forget p }
`;

/**
 * The first five store the same declarations, one of them more. Between these and the others the history is replayed. The first four keep
 * derived facts of some rules.
 */
const MODULES = [
  STORED,
  `${STORED}pub derive reach(a: Person, c: Person) when reach(a, b), knows(b, c)
pub define Boss(p: Person) when q.boss == p, Person(q)
pub check alone(p: Person) when Person(p), not knows(p, _) severity warning message "{p.name} knows nobody"`,
  `${STORED}pub check crowded(p: Person) when Person(p), let n = count(for q where knows(p, q)), n > 2
  severity blocking message "{p.name} knows {n}"
pub derive colleague(a: Person, b: Person) when worksFor(a, c), worksFor(b, c), a != b
pub query names() -> [Text] { select p.name where Party(p) order by p.name }`,
  STORED.replace('n + 1', 'n * 2'),
  `pub enum Mood { good, bad }
${STORED}pub concept Boss is Person { mood: Mood = good, rank: Int? }
pub relation trusts(a: Person, b: Person, how: Mood)
pub mutation promote(name: Text) -> Boss { return insert Boss { name: name, mood: bad, boss: @eve } }
pub mutation trust(a: Person, b: Person) { insert trusts(a, b, good) }`.replace(/^(.*\n)(module.*\n)/, '$2$1'),
  STORED.replace('fact knows(@eve, @eve)', ''),
  `${STORED}pub relation trusts(a: Person, b: Person)
fact trusts(@eve, @eve)`,
];

type Write =
  | { readonly step: 'call'; readonly fork: string; readonly path: string; readonly args: Record<string, JsonValue> }
  | { readonly step: 'create' | 'promote' | 'abort'; readonly fork: string; readonly from: string };
type Step = Write | { readonly step: 'load' | 'preview'; readonly module: number };

const who = fc.constantFrom('@eve', '#i1', '#i2', '#i3', '#i4');
const at = fc.constantFrom('@acme', '#i1', '#i2', '#i3');
const fork = fc.constantFrom('main', 'main', 'f', 'g', 'h');
const call = (path: string, args: Record<string, fc.Arbitrary<string>>) =>
  fc.record({ step: fc.constant('call' as const), fork, path: fc.constant(`firm::${path}`), args: fc.record(args) });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: call('hire', { name: fc.constantFrom('Ada', 'Bel'), at }) },
  { weight: 2, arbitrary: call('found', { name: fc.constant('Duo') }) },
  { weight: 3, arbitrary: call('move', { p: who, to: at }) },
  { weight: 2, arbitrary: call('grade', { p: who, to: fc.constantFrom('low', 'high') }) },
  { weight: 6, arbitrary: call('meet', { a: who, b: who }) },
  { weight: 3, arbitrary: call('part', { a: who, b: who }) },
  { weight: 1, arbitrary: call('promote', { name: fc.constant('Max') }) },
  { weight: 1, arbitrary: call('trust', { a: who, b: who }) },
  { weight: 1, arbitrary: call('leave', { p: who }) },
  { weight: 1, arbitrary: call('erase', { p: who }) },
  {
    weight: 5,
    arbitrary: fc.record({ step: fc.constantFrom('create', 'create', 'create', 'promote', 'abort'), fork, from: fork }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      step: fc.constantFrom('load', 'load', 'preview'),
      module: fc.nat({ max: MODULES.length - 1 }),
    }),
  },
);

it('equals a replay of the history', { timeout: 300_000 }, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), follow), {
    numRuns: runs(40),
    interruptAfterTimeLimit: 120_000,
  });
});

async function follow(steps: readonly Step[]): Promise<void> {
  const world = await startWorld(STORED);
  let loaded = 0;
  const left: { readonly session: Entered; readonly snapshot: unknown }[] = [];
  for (const each of steps) {
    if (!('module' in each)) await attempt(world, each);
    else if (each.step === 'preview') await attempted(world.preview(MODULES[each.module] ?? ''));
    else {
      const before = await enter(world, 'main');
      const snapshot = await snapshotOf(before);
      if (await attempted(world.load(MODULES[each.module] ?? ''))) {
        if (loaded !== each.module) left.push({ session: before, snapshot });
        loaded = each.module;
      }
      const fresh = await startWorld(MODULES[loaded] ?? '', { store: world.store });
      expect(await stateOf(world)).toEqual(await stateOf(fresh));
    }
    // A session from before a load keeps reading its own state.
    for (const { session, snapshot } of left) expect(await snapshotOf(session)).toEqual(snapshot);
  }
  const fresh = await startWorld(MODULES[loaded] ?? '', { store: world.store });
  expect(await stateOf(world)).toEqual(await stateOf(fresh));
}

async function attempt(world: TestWorld, each: Write): Promise<void> {
  const isCreated = each.step === 'create';
  if (!isCreated && !(await attempted(enter(world, each.fork)))) return;
  const session = await enter(world, isCreated ? 'main' : each.fork);
  const options = { dryRun: false, granted: ['forget'] } as const;
  if ('path' in each) await attempted(session.mutate(each.path, each.args, options, noDeadline));
  else if (isCreated) await attempted(session.createFork({ id: each.fork, from: each.from }));
  else await attempted(each.step === 'promote' ? session.promote(options, noDeadline) : session.abort());
}

/** A refusal changes nothing: for a closed fork, a deleted individual or facts that would not fit. */
async function attempted(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof ApiError && !error.code.endsWith('INTERNAL_ERROR')) return false;
    throw error;
  }
}

async function stateOf(world: TestWorld): Promise<unknown> {
  const { result: forks } = await (await enter(world, 'main')).forks(ALL, noDeadline);
  const states = [];
  for (const { id, status } of forks) {
    const session = await enter(world, id);
    const { result: snapshot } = await session.snapshot({ derived: true }, ALL, noDeadline);
    const facts = snapshot.facts.map(({ relation, tuple }) => ({ relation, tuple }));
    const hire = ['firm::hire', { name: 'Zoe', at: '@acme' }, { dryRun: true, granted: [] }, noDeadline] as const;
    states.push({
      snapshot,
      proofs: await Promise.all(facts.map(({ relation, tuple }) => session.explain(relation, tuple, noDeadline))),
      individuals: await session.individuals(undefined, ALL, noDeadline),
      firings: await session.checks(undefined, ALL, noDeadline),
      events: await session.events(ALL, noDeadline),
      next: status === 'open' ? await session.mutate(...hire) : null,
    });
  }
  return { forks, states };
}

type Entered = Awaited<ReturnType<typeof enter>>;

async function snapshotOf(session: Entered): Promise<unknown> {
  return (await session.snapshot({ derived: true }, ALL, noDeadline)).result;
}

async function enter({ runtime }: TestWorld, id: string) {
  return runtime.enter({ ...FRAME, forks: [{ from: 'path', fork: id }] });
}
