/** Evaluation under a deadline, and with several readers and a writer at once. */

import { describe, expect, it, vi } from 'vitest';
import { type Deadline, DeadlineExceeded, noDeadline } from '../base/ports.js';
import { Unit } from './plan/unit.js';
import { loadProgram } from './program/program.js';
import { FactStore } from './store/store.js';
import { artifact, atom, clause, INT, int, relation, rule } from './testing/ir.js';
import { chainStore, sorted } from './testing/path-store.js';
import { Interner } from './values/codec.js';

/** Exceeded at the given checkpoint. */
function impatient(checkpoints: number): Deadline & { checkpoints: number } {
  return {
    checkpoints: 0,
    checkpoint() {
      this.checkpoints += 1;
      if (this.checkpoints >= checkpoints) throw new DeadlineExceeded(1);
      return undefined;
    },
  };
}

/** The same, and pauses at each checkpoint. */
function pausing(checkpoints: number): Deadline {
  const deadline = impatient(checkpoints);
  return { checkpoint: () => deadline.checkpoint() ?? Promise.resolve() };
}

describe('evaluation under a deadline', () => {
  it('stops at a checkpoint after the deadline, and keeps no partial result', async () => {
    const view = chainStore(300).view();
    await expect(view.materialise('path', impatient(3))).rejects.toBeInstanceOf(DeadlineExceeded);
    expect((await view.materialise('path', noDeadline)).size).toBe(45_150);
  });

  it('has a checkpoint between compiled plans, in evaluation and in maintenance', async () => {
    const atoms = Array.from({ length: 24 }, (_, at) => atom('mark', 'x', int(at)));
    const clauses = [clause(['x'], atoms), ...atoms.map((each) => clause(['x'], [each]))];
    const program = loadProgram(
      artifact({ rules: [rule('r', [INT], clauses)], schema: { relations: [relation('mark', INT, INT)] } }),
    );
    const store = new FactStore(program, new Interner(program), { maintenanceCostMin: 1_000_000_000 });
    let [compiled, most] = [0, 0];
    const { text } = Unit.prototype;
    const compiling = vi.spyOn(Unit.prototype, 'text').mockImplementation(function (this: Unit, body) {
      compiled += 1;
      most = Math.max(most, compiled);
      return text.call(this, body);
    });
    const deadline: Deadline = {
      checkpoint: () => {
        compiled = 0;
        return undefined;
      },
    };
    for (const change of [1, 2]) {
      const transaction = store.begin();
      for (const at of atoms.keys()) transaction.insert('mark', [change, at]);
      transaction.commit();
      const view = store.view();
      await view.materialise('r', deadline);
      view.release();
    }
    expect(compiling.mock.calls.length).toBeGreaterThan(48);
    expect(most).toBeLessThanOrEqual(2);
    compiling.mockRestore();
  });

  it('continues for other requests when one of them exceeds its deadline', async () => {
    const view = chainStore(300).view();
    const [first, second] = await Promise.allSettled([
      view.materialise('path', pausing(3)),
      view.materialise('path', pausing(Number.POSITIVE_INFINITY)),
    ]);
    expect(first.status).toBe('rejected');
    expect(second.status === 'fulfilled' && second.value.size).toBe(45_150);
  });

  it('advances derived facts for a reader and a writer at the same time', async () => {
    const store = chainStore(100);
    const first = store.view();
    await first.materialise('path', noDeadline);
    const transaction = store.begin();
    transaction.insert('edge', [100, 101]);
    transaction.commit();
    first.release();
    const view = store.view();
    const writer = store.begin();
    writer.insert('edge', [101, 102]);
    const [read, written] = await Promise.all([
      view.materialise('path', pausing(Number.POSITIVE_INFINITY)),
      writer.view.materialise('path', pausing(Number.POSITIVE_INFINITY)),
    ]);
    expect([read.size, written.size]).toEqual([5151, 5253]);
    expect([sorted(read).length, sorted(written).length]).toEqual([5151, 5253]);
    writer.rollback();
  });

  it('discards the changes of a writer that rolls back while a reader evaluates', async () => {
    const store = chainStore(200, { maintenanceCostMin: 1_000_000_000 });
    const first = store.view();
    await first.materialise('path', noDeadline);
    const change = store.begin();
    change.insert('edge', [500, 501]);
    change.commit();
    const view = store.view();
    const writer = store.begin();
    writer.delete('edge', [100, 101]);
    writer.insert('edge', [200, 201]);
    const write = async (): Promise<unknown> => writer.view.materialise('path', pausing(6));
    const written = write().catch((error: unknown) => {
      writer.rollback();
      return error;
    });
    const read = view.materialise('path', pausing(Number.POSITIVE_INFINITY));
    expect(await written).toBeInstanceOf(DeadlineExceeded);
    const next = store.begin();
    next.insert('edge', [600, 601]);
    const { size } = await next.view.materialise('path', noDeadline);
    expect([(await read).size, size]).toEqual([20_101, 20_102]);
    next.commit();
    view.release();
    first.release();
    expect((await store.view().materialise('path', noDeadline)).size).toBe(20_102);
  });

  it('does not disturb a reader of facts that a writer begins to maintain', async () => {
    const store = chainStore(60, { maintenanceCostMin: 1_000_000 });
    const view = store.view();
    await view.materialise('path', noDeadline);
    let changes = 0;
    const interrupted: Deadline = {
      checkpoint: async () => {
        for (const end = changes + 3; changes < end; changes++) {
          const transaction = store.begin();
          transaction.insert('edge', [100 + changes, 0]);
          await transaction.view.materialise('path', noDeadline);
          transaction.commit();
        }
      },
    };
    expect((await view.materialise('meeting', interrupted)).size).toBe(35_990);
    expect(changes).toBeGreaterThan(6);
  });

  it('does not disturb a reader that pauses while a writer commits', async () => {
    const store = chainStore(200);
    const view = store.view();
    let steps = 0;
    const interrupted: Deadline = {
      checkpoint: () => {
        const transaction = store.begin();
        for (let index = 0; index < 40; index++) transaction.insert('edge', [1000 + steps * 40 + index, 0]);
        transaction.delete('edge', [steps, steps + 1]);
        transaction.commit();
        steps += 1;
        return Promise.resolve();
      },
    };
    expect((await view.materialise('path', interrupted)).size).toBe(20_100);
    expect(steps).toBeGreaterThan(2);
  });
});
