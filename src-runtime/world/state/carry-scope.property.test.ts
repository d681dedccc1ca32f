/**
 * A reload that keeps the facts in memory equals a replay of the history under the new module: every fact and proof, every entity and
 * violation, in every fork, and the next numbers.
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../base/testing/property-runs.js';
import {
  attempt,
  attempted,
  type Entered,
  enter,
  FIRM,
  type FirmWrite,
  firmWrites,
  snapshotOf,
  stateOf,
} from '../testing/firm.js';
import { startWorld } from '../testing/start-world.js';

/**
 * The first five store the same declarations, one of them more. Between these and the others the history is replayed. The first four keep
 * derived facts of some rules.
 */
const MODULES = [
  FIRM,
  `${FIRM}pub derive reach(a: Person, c: Person) when reach(a, b), knows(b, c)
pub define Boss(p: Person) when q.boss == p, Person(q)
pub check alone(p: Person) when Person(p), not knows(p, _) severity warning message "{p.name} knows nobody"`,
  `${FIRM}pub check crowded(p: Person) when Person(p), let n = count(for q where knows(p, q)), n > 2
  severity blocking message "{p.name} knows {n}"
pub derive colleague(a: Person, b: Person) when worksFor(a, c), worksFor(b, c), a != b
pub query names() -> [Text] { select p.name where Party(p) order by p.name }`,
  FIRM.replace('n + 1', 'n * 2'),
  `pub enum Mood { good, bad }
${FIRM}pub concept Boss is Person { mood: Mood = good, rank: Int? }
pub relation trusts(a: Person, b: Person, how: Mood)
pub mutation promote(name: Text) -> Boss { return insert Boss { name: name, mood: bad, boss: @eve } }
pub mutation trust(a: Person, b: Person) { insert trusts(a, b, good) }`.replace(/^(.*\n)(module.*\n)/, '$2$1'),
  FIRM.replace('fact knows(@eve, @eve)', ''),
  `${FIRM}pub relation trusts(a: Person, b: Person)
fact trusts(@eve, @eve)`,
];

type Step = FirmWrite | { readonly step: 'load' | 'preview'; readonly module: number };

const step: fc.Arbitrary<Step> = fc.oneof(...firmWrites, {
  weight: 6,
  arbitrary: fc.record({
    step: fc.constantFrom('load', 'load', 'preview'),
    module: fc.nat({ max: MODULES.length - 1 }),
  }),
});

it('equals a replay of the history', { timeout: 300_000 }, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), follow), {
    numRuns: runs(20),
    interruptAfterTimeLimit: 120_000,
  });
});

async function follow(steps: readonly Step[]): Promise<void> {
  const world = await startWorld(FIRM);
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
