/** The writes of mutations, as the schema reports them. */

import { expect, it } from 'vitest';
import { startWorld } from '../testing/start-world.js';

const SHOP = `module shop
pub concept Item { name: Text, price: Int = 1 }
pub concept Order { number: Text }
pub relation holds(order: Order, item: Item)
pub relation urgent(order: Order)
mutation put(order: Order, name: Text) -> Item {
  let item = insert Item { name: name }
  insert holds(order, item)
  return item
}
pub mutation buy(number: Text, names: [Text], soon: Bool) -> Order {
  let order = insert Order { number: number }
  for name in names { put(order, name) }
  if soon { insert urgent(order) } else { delete urgent(order) }
  return order
}
pub mutation reprice(item: Item, price: Int) { set item.price = price }
pub mutation forgive(order: Order) { delete urgent(order) }
`;

it('lists what a mutation may insert and set, at any depth and through calls', async () => {
  const world = await startWorld(SHOP);
  const writes = world.runtime
    .schema()
    .mutations.map(({ path, inserts, sets }) => `${path} ${inserts.join(' ')} / ${sets.join(' ')}`);
  expect(writes.sort()).toEqual([
    'shop::buy shop::Item shop::Order shop::holds shop::urgent / ',
    'shop::forgive  / ',
    'shop::put shop::Item shop::holds / ',
    'shop::reprice  / shop::Item.price',
  ]);
});
