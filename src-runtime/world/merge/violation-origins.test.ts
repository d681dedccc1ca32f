/** Since when violations exist, and which transaction began them. */

import { expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import { FRAME, startWorld } from '../testing/start-world.js';

const DEBTS = `module debts
pub concept Person { name: Text, age: Int = 40 }
pub relation knows(a: Person, b: Person)
pub individual ada: Person { name: "Ada" }
pub check loner(p: Person) when Person(p), not knows(p, _) severity warning message "{p.name} knows nobody"
pub check young(p: Person) when Person(p), 100 div p.age > 5 severity warning message "{p.name} is young"
pub mutation add(name: Text, age: Int) -> Person { return insert Person { name: name, age: age } }
pub mutation grow(p: Person, age: Int) { set p.age = age }
pub mutation meet(a: Person, b: Person) { insert knows(a, b) }
pub mutation part(a: Person, b: Person) { delete knows(a, b) }
`;

async function debts() {
  const world = await startWorld(DEBTS);
  const origins = async (check: string) => {
    const session = await world.runtime.enter(FRAME);
    const { origins: all, unknown } = await session.violationOrigins(noDeadline);
    return [
      ...all
        .filter((each) => each.check === `debts::${check}`)
        .map(({ tuple, transaction }) => `${Object.values(tuple)} ${transaction.txn}`),
      ...unknown.filter((each) => each.check === `debts::${check}`).map(({ message }) => message),
    ];
  };
  return { world, origins };
}

it('names the transaction that began a violation, newest first, and none for declared facts', async () => {
  const { world, origins } = await debts();
  await world.mutate('debts::add', { name: 'Bo', age: 50 });
  await world.mutate('debts::add', { name: 'Cy', age: 50 });
  expect(await origins('loner')).toEqual(['#i2 2', '#i1 1']);
});

it('names the last time that a violation began again', async () => {
  const { world, origins } = await debts();
  const knows = { a: '@debts::ada', b: '@debts::ada' };
  await world.mutate('debts::meet', knows);
  expect(await origins('loner')).toEqual([]);
  await world.mutate('debts::part', knows);
  await world.mutate('debts::add', { name: 'Bo', age: 50 });
  expect(await origins('loner')).toEqual(['#i1 3', '@debts::ada 2']);
});

it('says that the origins of a check are unknown if it once failed', async () => {
  const { world, origins } = await debts();
  await world.mutate('debts::add', { name: 'Bo', age: 0 });
  await world.mutate('debts::grow', { p: '#i1', age: 10 });
  expect(await origins('young')).toEqual([expect.stringContaining('division by zero')]);
});
