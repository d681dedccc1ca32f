/** Closing scopes that are not in use: nothing is lost, and nobody notices. */

import { expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import { FRAME, startWorld } from '../testing/start-world.js';

const SHOP = `module shop
context tenantId: Text
pub concept Item { name: Text unique }
pub mutation add(name: Text) { insert Item { name: name } }
pub query names() -> [Text] { select i.name where Item(i) order by i.name }
`;
const as = (tenantId: string) => ({ ...FRAME, headerContext: { tenantId } });
const KEPT = { dryRun: false, granted: [] } as const;
const PAGE = { limit: undefined, page: undefined };

async function started() {
  const world = await startWorld(SHOP);
  const { runtime } = world;
  const add = async (tenant: string, name: string) =>
    (await runtime.enter(as(tenant))).mutate('shop::add', { name }, KEPT, noDeadline);
  const names = async (tenant: string) =>
    (await (await runtime.enter(as(tenant))).query('shop::names', {}, PAGE, noDeadline)).result;
  for (const tenant of ['a', 'b', 'c', 'd']) await add(tenant, 'first');
  return { runtime, add, names };
}

it('closes those not used since the last time, a part of them at once, and opens them again on request', async () => {
  const { runtime, add, names } = await started();
  expect(await runtime.closeIdleScopes(), 'all were used since the start').toBe(0);
  await names('a');
  expect(await runtime.closeIdleScopes()).toBe(1);
  expect(await names('b')).toEqual(['first']);
  await add('b', 'second');
  expect(await names('b')).toEqual(['first', 'second']);
});

it('lets requests of a closed scope go on, and their writes enter the scope again', async () => {
  const { runtime, add, names } = await started();
  const session = await runtime.enter(as('a'));
  for (let round = 0; round < 8; round += 1) await runtime.closeIdleScopes();
  await add('a', 'second');
  expect((await session.query('shop::names', {}, PAGE, noDeadline)).result).toEqual(['first']);
  await session.mutate('shop::add', { name: 'third' }, KEPT, noDeadline);
  expect(await names('a')).toEqual(['first', 'second', 'third']);
});

it('keeps a scope open whose events someone follows', async () => {
  const { runtime, add } = await started();
  const feed = await (await runtime.enter(as('a'))).follow(undefined);
  const stop = feed.onWrite(() => undefined);
  for (let round = 0; round < 8; round += 1) await runtime.closeIdleScopes();
  await add('a', 'second');
  const seen: unknown[] = [];
  for await (const batch of feed.unread()) seen.push(...batch);
  expect(seen).toHaveLength(2);
  stop();
});
