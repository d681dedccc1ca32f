import { describe, expect, it } from 'vitest';
import type { Pacer } from '../../base/ports.js';
import { loadProgram } from '../program.js';
import { FactStore } from '../store.js';
import { artifact, atom, clause, INT, relation, rule } from '../testing/ir.js';
import type { View } from '../types.js';
import { Interner } from '../values/codec.js';

const PATH = rule(
  'path',
  [INT, INT],
  [clause(['x', 'y'], [atom('edge', 'x', 'y')]), clause(['x', 'z'], [atom('path', 'x', 'y'), atom('edge', 'y', 'z')])],
);

/** Every node reaches every node. */
const NODES = 400;

function cycle(): FactStore {
  const program = loadProgram(artifact({ rules: [PATH], schema: { relations: [relation('edge', INT, INT)] } }));
  const store = new FactStore(program, new Interner(program));
  const transaction = store.begin();
  for (let node = 0; node < NODES; node++) transaction.insert('edge', [node, (node + 1) % NODES]);
  transaction.commit();
  return store;
}

/** How many blocks of work it takes to bring the closure to what the view sees. */
async function blocksFor(view: View): Promise<number> {
  let blocks = 0;
  const counting: Pacer = {
    poll: () => {
      blocks += 1;
      return undefined;
    },
  };
  expect((await view.materialise('path', counting)).size).toBe(NODES * NODES);
  return blocks;
}

describe('a change inside a strongly connected component that changes nothing', () => {
  it('takes little beside deriving it, the first one the making of indexes', async () => {
    const store = cycle();
    const view = store.view();
    const derived = await blocksFor(view);
    view.release();
    const blocks: number[] = [];
    const change = async (kind: 'insert' | 'delete', from: number, to: number): Promise<void> => {
      const transaction = store.begin();
      transaction[kind]('edge', [from, to]);
      blocks.push(await blocksFor(transaction.view));
      transaction.commit();
    };
    await change('insert', 7, 150);
    await change('insert', 90, 20);
    await change('delete', 90, 20);
    const [first = 0, second = 0, third = 0] = blocks;
    expect(derived).toBeGreaterThan(20);
    expect(first).toBeLessThan(derived);
    expect(second).toBeLessThanOrEqual(4);
    expect(third).toBeLessThanOrEqual(12);
  });
});
