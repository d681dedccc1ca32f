/** The effects that a mutation reports: stored facts, conclusions and violations. */

import { beforeEach, describe, expect, it } from 'vitest';
import type { Effects, Entity, JsonValue } from '../../api/schemas/schemas.js';
import { type Deadline, noDeadline } from '../../base/ports.js';
import { countingDeadline } from '../../base/testing/counting-deadline.js';
import { FRAME, startWorld, type TestWorld } from '../testing/start-world.js';

const TEAM = `module team
pub concept Person { name: Text, score: Int = 0 }
pub relation leads(boss: Person, person: Person)
pub derive above(a: Person, b: Person) when leads(a, b)
pub derive above(a: Person, b: Person) when above(a, m), leads(m, b)
pub define Leader(p: Person) when leads(p, _)
pub derive ratio(p: Person, r: Decimal) when Person(p), p.score > 0, let r = 10 / (p.score - 13)
pub derive named(p: Person) when Person(p), p.name == "never touched"
pub check alone(p: Person) when not leads(_, p), not leads(p, _) severity warning message "{p.name} is alone"
pub mutation hire(name: Text, boss: Person?) -> Person {
  let p = insert Person { name: name }
  if exists(boss) { insert leads(boss, p) }
  return p
}
pub mutation fire(p: Person) { delete p }
pub mutation grade(p: Person, score: Int) { set p.score = score }
pub mutation swap(a: Person, b: Person) { delete leads(a, b) insert leads(a, b) }
pub mutation crowd(n: Int) { for i in range(0, n) { insert Person { name: text(i) } } }
`;

let world: TestWorld;
let ada: string;
let bob: string;

/** Ada leads Bob. */
beforeEach(async () => {
  world = await startWorld(TEAM, { limits: { rows: 20 } });
  ada = await hire('Ada');
  bob = await hire('Bob', ada);
});

async function hire(name: string, boss: string | null = null): Promise<string> {
  return ((await world.mutate('team::hire', { name, boss })).result as Entity).$id;
}

async function run(name: string, args: Record<string, JsonValue>, dryRun = true, deadline: Deadline = noDeadline) {
  const session = await world.runtime.enter(FRAME);
  return session.mutate(`team::${name}`, args, { dryRun, effects: true, granted: [] }, deadline);
}

async function effectsOf(name: string, args: Record<string, JsonValue>, dryRun = true): Promise<Effects> {
  const { effects } = await run(name, args, dryRun);
  if (effects === undefined) throw new Error('expected effects');
  return effects;
}

const factLines = ({ facts }: Effects): string[] =>
  facts.map(({ change, kind, relation, tuple }) => `${change} ${kind} ${relation}(${tuple.join(', ')})`);

describe('effects', () => {
  it('list stored facts and conclusions, for a dry run and a write alike', async () => {
    const dry = await effectsOf('hire', { name: 'Cyd', boss: bob });
    expect(factLines(dry)).toEqual([
      'added stored team::Person(#i3)',
      'added stored team::Person.name(#i3, Cyd)',
      'added stored team::Person.score(#i3, 0)',
      `added stored team::leads(${bob}, #i3)`,
      'added derived team::above(#i2, #i3)',
      'added derived team::above(#i1, #i3)',
      'added derived team::Leader(#i2)',
    ]);
    expect(dry.relations).toContainEqual({ relation: 'team::above', kind: 'derived', added: 2, removed: 0 });
    expect(await effectsOf('hire', { name: 'Cyd', boss: bob }, false)).toEqual(dry);
  });

  it('list removed facts, and new and resolved violations', async () => {
    const gone = await effectsOf('fire', { p: bob });
    expect(factLines(gone)).toContain(`removed derived team::above(${ada}, ${bob})`);
    expect(factLines(gone)).toContain(`removed stored team::leads(${ada}, ${bob})`);
    expect(gone.firings).toEqual([
      { change: 'added', firing: expect.objectContaining({ check: 'team::alone', message: 'Ada is alone' }) },
    ]);
    await world.mutate('team::fire', { p: bob });
    const ended = await effectsOf('hire', { name: 'Eve', boss: ada });
    expect(ended.firings).toEqual([
      { change: 'removed', firing: expect.objectContaining({ message: 'Ada is alone' }) },
    ]);
  });

  it('omit changes that cancel each other', async () => {
    const { facts, relations } = await effectsOf('swap', { a: ada, b: bob });
    expect({ facts, relations }).toEqual({ facts: [], relations: [] });
  });

  it('name a rule that fails as unknown, and list the rest', async () => {
    const effects = await effectsOf('grade', { p: ada, score: 13 });
    expect(effects.unknown).toEqual([{ path: 'team::ratio', message: expect.stringMatching(/division by zero/) }]);
    expect(factLines(effects)).toEqual([
      `removed stored team::Person.score(${ada}, 0)`,
      `added stored team::Person.score(${ada}, 13)`,
    ]);
  });

  it('list up to the row cap, and count the rest', async () => {
    const effects = await effectsOf('crowd', { n: 30 });
    expect(effects).toMatchObject({ cut: true });
    expect(effects.facts.length + effects.firings.length).toBe(20);
    expect(effects.relations).toContainEqual({ relation: 'team::Person', kind: 'stored', added: 30, removed: 0 });
  });

  it('are absent unless requested', async () => {
    expect(await world.mutate('team::grade', { p: ada, score: 1 }, true)).not.toHaveProperty('effects');
  });

  it('list relations that were not reached in time as unknown', async () => {
    world = await startWorld(`module team
pub concept Person { score: Int }
pub derive next(p: Person, n: Int) when Person(p), let n = p.score
pub derive next(p: Person, n: Int) when next(p, m), let n = m + 1
pub mutation add() { insert Person { score: 0 } }`);
    const { effects } = await run('add', {}, true, countingDeadline(100));
    expect(effects?.unknown).toEqual([{ path: 'team::next', message: 'the time of the request was up' }]);
    expect(effects?.facts.map(({ relation }) => relation)).toEqual(['team::Person', 'team::Person.score']);
  });
});
