/** What is explained of a state that calls would lead to, of which nothing is kept. */

import { expect, it } from 'vitest';
import { CAPABILITIES } from '../api/health-schemas.js';
import { unhurried } from '../base/ports.js';
import type { TriedCall } from './runtime.js';
import { FRAME, failureOf, startWorld } from './testing/start-world.js';

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
  const explain = async (tuple: readonly string[], call?: TriedCall['call']) =>
    (await world.runtime.enter(FRAME)).explain('office::over', tuple, unhurried, {
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

it('what several calls would lead to is proved, with the names of whom only they would make, and nothing is kept', async () => {
  const { world, explain } = await office();
  expect(await explain(['@ada', '#i2'], HIRES)).toMatchObject({
    holds: true,
    proof: { rule: { clause: 1 }, premises: [{ relation: 'office::over' }, { relation: 'office::over' }] },
    names: { '#i1': 'Bel', '#i2': 'Cor' },
  });
  expect(await explain(['@ada', '#i2'])).toMatchObject({ holds: false });
  expect((await world.mutate('office::hire', { name: 'Dan', boss: '@ada' })).result).toMatchObject({ $id: '#i1' });
});

it('so is what a mutation sent as text would lead to', async () => {
  const { explain } = await office();
  const source = 'mutation again(n: Text) {\n  let p = insert Person { name: n }\n  insert boss(p, @ada)\n}';
  expect(await explain(['@ada', '#i1'], { source, module: undefined, args: { n: 'Eve' } })).toMatchObject({
    holds: true,
  });
});

it('a call that would be refused explains nothing', async () => {
  const { explain } = await office();
  const call = { steps: [{ mutation: 'office::place', args: { of: '@ada', boss: '@ada' } }] };
  expect(await failureOf(explain(['@ada', '@ada'], call))).toMatchObject({ code: 'SVC_RUNTIME_CHECK_VIOLATION' });
});
