/** A small firm for property tests: random writes on several forks, and all that a world tells of its state. */

import fc from 'fast-check';
import { ApiError } from '../../api/errors.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { noDeadline } from '../../base/ports.js';
import { ALL, FRAME, type TestWorld } from './start-world.js';

export const FIRM = `module firm
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

export type FirmWrite =
  | { readonly step: 'call'; readonly fork: string; readonly path: string; readonly args: Record<string, JsonValue> }
  | { readonly step: 'create' | 'promote' | 'abort'; readonly fork: string; readonly from: string };

const who = fc.constantFrom('@eve', '#i1', '#i2', '#i3', '#i4');
const at = fc.constantFrom('@acme', '#i1', '#i2', '#i3');
const fork = fc.constantFrom('main', 'main', 'f', 'g', 'h');
const call = (path: string, args: Record<string, fc.Arbitrary<string>>) =>
  fc.record({ step: fc.constant('call' as const), fork, path: fc.constant(`firm::${path}`), args: fc.record(args) });
/** Writes with their weights. */
export const firmWrites: fc.WeightedArbitrary<FirmWrite>[] = [
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
];

export async function attempt(world: TestWorld, each: FirmWrite): Promise<void> {
  const isCreated = each.step === 'create';
  if (!isCreated && !(await attempted(enter(world, each.fork)))) return;
  const session = await enter(world, isCreated ? 'main' : each.fork);
  const options = { dryRun: false, granted: ['forget'] } as const;
  if ('path' in each) await attempted(session.mutate(each.path, each.args, options, noDeadline));
  else if (isCreated) await attempted(session.createFork({ id: each.fork, from: each.from }));
  else await attempted(each.step === 'promote' ? session.promote(options, noDeadline) : session.abort());
}

/** A refusal changes nothing: for a closed fork, a deleted individual or facts that would not fit. */
export async function attempted(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof ApiError && !error.code.endsWith('INTERNAL_ERROR')) return false;
    throw error;
  }
}

export async function stateOf(world: TestWorld): Promise<unknown> {
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

export type Entered = Awaited<ReturnType<typeof enter>>;

export async function snapshotOf(session: Entered): Promise<unknown> {
  return (await session.snapshot({ derived: true }, ALL, noDeadline)).result;
}

export async function enter({ runtime }: TestWorld, id: string) {
  return runtime.enter({ ...FRAME, forks: [{ from: 'path', fork: id }] });
}
