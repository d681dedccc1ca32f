/** Cached orders equal a new sort, at a fraction of the cost, after any writes. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import { countingDeadline } from '../../base/testing/counting-deadline.js';
import { runs } from '../../base/testing/property-runs.js';
import { FactStore, Interner, loadProgram, type View } from '../../engine/index.js';
import { artifact, atom, clause, INT, relation, rule } from '../../engine/testing/ir.js';
import { orderOf } from './orders.js';

const PATH = rule(
  'path',
  [INT, INT],
  [clause(['x', 'y'], [atom('edge', 'x', 'y')]), clause(['x', 'z'], [atom('path', 'x', 'y'), atom('edge', 'y', 'z')])],
);

function newStore(): FactStore {
  const program = loadProgram(artifact({ rules: [PATH], schema: { relations: [relation('edge', INT, INT)] } }));
  return new FactStore(program, new Interner(program));
}

/** The rows of a relation in order, and how many checkpoints that took. */
async function ordered(view: View, path: string): Promise<{ rows: number[][]; checkpoints: number }> {
  const deadline = countingDeadline();
  const reader = await view.materialise(path, noDeadline);
  const order = await orderOf(view, reader, deadline);
  return { rows: Array.from({ length: order.size }, (_, index) => order.at(index)), checkpoints: deadline.checkpoints };
}

async function sorted(view: View, path: string): Promise<number[][]> {
  const reader = await view.materialise(path, noDeadline);
  return [...reader.rows()].sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d);
}

const node = fc.nat({ max: 6 });
const edge = fc.tuple(node, node);
const step = fc.record({
  inserts: fc.array(edge, { maxLength: 4 }),
  deletes: fc.array(edge, { maxLength: 4 }),
  isCommit: fc.boolean(),
  derives: fc.boolean(),
  reads: fc.constantFrom('nothing', 'now', 'before', 'both'),
});

describe('a cached order', () => {
  it('equals the order of the rows in every state, forks included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.boolean(), async (steps, isFork) => {
        const base = newStore();
        const store = isFork ? base.fork() : base;
        for (const { inserts, deletes, isCommit, derives, reads } of steps) {
          const before = store.view();
          const writer = store.begin();
          for (const row of inserts) writer.insert('edge', row);
          for (const row of deletes) writer.delete('edge', row);
          if (derives) await writer.view.materialise('path', noDeadline);
          if (reads === 'both') expect((await ordered(before, 'path')).rows).toEqual(await sorted(before, 'path'));
          if (isCommit) writer.commit();
          else writer.rollback();
          const now = store.view();
          for (const path of ['edge', 'path']) {
            if (reads === 'now' || reads === 'both')
              expect((await ordered(now, path)).rows).toEqual(await sorted(now, path));
            if (reads === 'before') expect((await ordered(before, path)).rows).toEqual(await sorted(before, path));
          }
          before.release();
          now.release();
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it('ignores what a writer derived and rolled back', async () => {
    const store = newStore();
    const write = (inserts: readonly number[][], deletes: readonly number[][] = []) => {
      const writer = store.begin();
      for (const row of inserts) writer.insert('edge', row);
      for (const row of deletes) writer.delete('edge', row);
      writer.commit();
    };
    write([[1, 2]]);
    const first = store.view();
    await ordered(first, 'path');
    write([[2, 3]]);
    const second = store.view();
    first.release();
    const writer = store.begin();
    await writer.view.materialise('path', noDeadline);
    await ordered(second, 'path');
    writer.rollback();
    write([[2, 4]], [[2, 3]]);
    const third = store.view();
    second.release();
    expect((await ordered(third, 'path')).rows).toEqual([
      [1, 2],
      [1, 4],
      [2, 4],
    ]);
    third.release();
  });

  it('costs little to update after a write, and nothing for another reader', async () => {
    const store = newStore();
    const fill = store.begin();
    for (let from = 0; from < 100_000; from++) fill.insert('edge', [(from * 7919) % 100_003, from]);
    fill.commit();
    const first = store.view();
    const sortedOnce = await ordered(first, 'edge');
    expect(sortedOnce.checkpoints).toBeGreaterThan(20);
    expect((await ordered(first, 'edge')).checkpoints).toBe(0);
    first.release();
    const writer = store.begin();
    writer.insert('edge', [-1, -1]);
    writer.delete('edge', [0, 0]);
    writer.commit();
    const second = store.view();
    const changed = await ordered(second, 'edge');
    expect(changed.checkpoints).toBeLessThan(10);
    expect(changed.rows).toEqual([[-1, -1], ...sortedOnce.rows.slice(1)]);
    second.release();
  });
});
