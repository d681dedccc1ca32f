/** Lists and explanations of facts of rules that are too large to derive whole. */

import { describe, expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import type { ListOptions } from '../contract/requests.js';
import { ALL, FRAME, startWorld } from '../testing/start-world.js';

const ROADS = `
module roads
pub relation edge(a: Int, b: Int)
pub derive path(a: Int, b: Int) when edge(a, b)
pub derive path(a: Int, b: Int) when path(a, c), edge(c, b)
pub mutation build(length: Int) { for i in (select i where i in range(0, length)) { insert edge(i, i + 1) } }
`;

const LENGTH = 60;
const OPTIONS: ListOptions = { sort: [], filter: [], offset: undefined, total: true, origin: false, labels: false };

/** A chain with 1,830 paths, of which 240 may be derived. */
async function chain() {
  const world = await startWorld(ROADS, { limits: { factsPerRule: 4 * LENGTH } });
  await world.mutate('roads::build', { length: LENGTH });
  return world.runtime.enter(FRAME);
}

describe('a list of a large rule', () => {
  it('derives only the facts with the value that its filter asks for', async () => {
    const session = await chain();
    const options: ListOptions = { ...OPTIONS, filter: [['a', '=', LENGTH - 3]] };
    const { result, total } = await session.relation('roads::path', ALL, noDeadline, options);
    expect(total).toBe(3);
    expect(result.map(({ tuple }) => tuple[1])).toEqual([LENGTH - 2, LENGTH - 1, LENGTH]);
    await expect(session.relation('roads::path', ALL, noDeadline, OPTIONS)).rejects.toThrow('derives more than');
  });

  it('continues after a cursor among the facts that its filter asks for', async () => {
    const session = await chain();
    const options: ListOptions = { ...OPTIONS, sort: ['-a'], filter: [['b', '=', 20]] };
    const found: unknown[] = [];
    for (let page: string | undefined, more = true; more; more = page !== undefined) {
      const { result, nextCursor } = await session.relation('roads::path', { limit: 7, page }, noDeadline, options);
      found.push(...result.map(({ tuple }) => tuple[0]));
      page = nextCursor;
    }
    expect(found).toEqual(Array.from({ length: 20 }, (_, at) => 19 - at));
  });
});

describe('an explanation of a large rule', () => {
  it('says why a fact is missing, and suggests a change', async () => {
    const session = await chain();
    const explanation = await session.explain('roads::path', [LENGTH - 2, 7], noDeadline, { suggest: true });
    expect(explanation).toMatchObject({ holds: false, whyNot: { tuple: [LENGTH - 2, 7] } });
    const sets = explanation.holds ? [] : explanation.suggestions?.sets;
    expect(sets?.[0]?.changes).toMatchObject([{ op: 'insert', relation: 'roads::edge', tuple: [LENGTH - 2, 7] }]);
  });
});
