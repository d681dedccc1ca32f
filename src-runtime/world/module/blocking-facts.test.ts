/** The stored facts that block a candidate module, as a preview reports them. */

import { expect, it } from 'vitest';
import { failureOf, startWorld } from '../testing/start-world.js';

const TEXT = `module m
pub concept Person { name: Text, age: Int? }
pub relation knows(a: Person, b: Person)
pub individual ada: Person { name: "Ada" }
pub mutation join(name: Text, age: Int?) -> Person { return insert Person { name: name, age: age } }
pub mutation meet(a: Person, b: Person) { insert knows(a, b) }
`;

/** Ada is declared; Bo, Cy, Di and Ed were created. */
async function people() {
  const world = await startWorld(TEXT);
  for (const [at, name] of ['Bo', 'Cy', 'Di', 'Ed'].entries()) await world.mutate('m::join', { name, age: 10 * at });
  await world.mutate('m::meet', { a: '@ada', b: '#i1' });
  await world.mutate('m::meet', { a: '@ada', b: '#i2' });
  return world;
}

const fact = (relation: string, tuple: readonly unknown[], names: object = {}) => ({
  fork: 'main',
  relation: `m::${relation}`,
  tuple,
  names,
});

it.each<[what: string, from: string, to: string, declaration: string, facts: number, examples: readonly object[]]>([
  [
    'a relation that changed',
    'knows(a: Person, b: Person)',
    'knows(a: Person, b: Person, since: Int)',
    'm::knows',
    2,
    [fact('knows', ['@m::ada', '#i1'], { '#i1': 'Bo' }), fact('knows', ['@m::ada', '#i2'], { '#i2': 'Cy' })],
  ],
  [
    'a refinement',
    'age: Int?',
    'age: Int? where value > 25',
    'm::Person.age',
    3,
    [
      fact('Person.age', ['#i1', 0], { '#i1': 'Bo' }),
      fact('Person.age', ['#i2', 10], { '#i2': 'Cy' }),
      fact('Person.age', ['#i3', 20], { '#i3': 'Di' }),
    ],
  ],
  [
    'a required field',
    'age: Int? }',
    'age: Int?, code: Text }',
    'm::Person.code',
    4,
    [
      fact('Person', ['#i1'], { '#i1': 'Bo' }),
      fact('Person', ['#i2'], { '#i2': 'Cy' }),
      fact('Person', ['#i3'], { '#i3': 'Di' }),
    ],
  ],
  [
    'a multiplicity',
    'b: Person)\n',
    'b: Person [0..1])\n',
    'm::knows.b',
    1,
    [fact('knows', ['@m::ada', '#i1'], { '#i1': 'Bo' }), fact('knows', ['@m::ada', '#i2'], { '#i2': 'Cy' })],
  ],
])('reports %s, with labels for the first ones', async (_what, from, to, declaration, facts, examples) => {
  const world = await people();
  const text = TEXT.replace(from, to)
    .replace('age: age }', to.includes('code') ? 'age: age, code: name }' : 'age: age }')
    .replace('{ name: "Ada" }', to.includes('code') ? '{ name: "Ada", code: "A" }' : '{ name: "Ada" }')
    .replace(/.*meet.*\n/, '');
  const { details } = await failureOf(world.preview(text));
  expect(details['incompatibilities']).toMatchObject([{ declaration, facts, examples }]);
});

it('reports no example facts without the scope of a request', async () => {
  const world = await people();
  const { details } = await failureOf(
    world.load(
      TEXT.replace('name: Text,', 'name: Text, code: Text,')
        .replace('"Ada"', '"Ada", code: "A"')
        .replace('name: name,', 'name: name, code: name,'),
    ),
  );
  expect(details['incompatibilities']).toEqual([
    { declaration: 'm::Person.code', reason: expect.any(String) as string, facts: 4 },
  ]);
});
