import { describe, expect, it } from 'vitest';
import { Decimal } from '../../base/decimal.js';
import { type Deadline, noDeadline } from '../../base/ports.js';
import { explain } from '../explain/explain.js';
import { loadProgram } from '../program/program.js';
import { engineViewOf } from '../store/solve.js';
import { FactStore } from '../store/store.js';
import {
  aggregate,
  arithmetic,
  artifact,
  atom,
  bind,
  clause,
  condition,
  DECIMAL,
  INT,
  int,
  relation,
  rule,
  v,
} from '../testing/ir.js';
import type { View } from '../types.js';
import { Interner, NONE } from '../values/codec.js';
import { toWire } from '../values/wire.js';

const PATH = rule(
  'path',
  [INT, INT],
  [clause(['x', 'y'], [atom('edge', 'x', 'y')]), clause(['x', 'z'], [atom('path', 'x', 'y'), atom('edge', 'y', 'z')])],
);

const BACKWARDS = rule(
  'path',
  [INT, INT],
  [clause(['x', 'y'], [atom('edge', 'x', 'y')]), clause(['x', 'z'], [atom('edge', 'x', 'y'), atom('path', 'y', 'z')])],
);

const NODES = 400;

/** A store of edges from each node to the next, and from the last to the first if closed. */
function ring(isClosed: boolean, path = PATH): FactStore {
  const program = loadProgram(artifact({ rules: [path], schema: { relations: [relation('edge', INT, INT)] } }));
  const store = new FactStore(program, new Interner(program));
  const transaction = store.begin();
  for (let node = isClosed ? 0 : 1; node < NODES; node++)
    transaction.insert('edge', [(node + NODES - 1) % NODES, node]);
  transaction.commit();
  return store;
}

const CROSSING = rule('crossing', [INT, INT], [clause(['x', 'y'], [atom('path', 'x', 'y'), atom('marked', 'y')])]);

/** A store of edges from each node to the next, all marked. */
function marked(): FactStore {
  const relations = [relation('edge', INT, INT), relation('marked', INT)];
  const program = loadProgram(artifact({ rules: [PATH, CROSSING], schema: { relations } }));
  const store = new FactStore(program, new Interner(program));
  const transaction = store.begin();
  for (let node = 1; node < NODES; node++) transaction.insert('edge', [node - 1, node]);
  for (let node = 0; node < NODES; node++) transaction.insert('marked', [node]);
  transaction.commit();
  return store;
}

/** A store with this many pseudo-random edges out of each node. */
function tangle(edgesOut: number): FactStore {
  const store = ring(true);
  const transaction = store.begin();
  for (let node = 0; node < NODES; node++)
    for (let edge = 1; edge < edgesOut; edge++) transaction.insert('edge', [node, (node * 7 + edge * 31) % NODES]);
  transaction.commit();
  return store;
}

/** The blocks of work that it takes to bring the closure to the view's state, and its size. */
async function closureIn(view: View, path = 'path'): Promise<{ readonly blocks: number; readonly size: number }> {
  let blocks = 0;
  const counting: Deadline = {
    checkpoint: () => {
      blocks += 1;
      return undefined;
    },
  };
  const { size } = await view.materialise(path, counting);
  return { blocks, size };
}

async function derived(store: FactStore): Promise<{ readonly blocks: number; readonly size: number }> {
  const view = store.view();
  const closure = await closureIn(view);
  view.release();
  return closure;
}

async function changed(store: FactStore, kind: 'insert' | 'delete', from: number, to: number) {
  const transaction = store.begin();
  transaction[kind]('edge', [from, to]);
  const closure = await closureIn(transaction.view);
  transaction.commit();
  return closure;
}

describe('maintenance of a closure', () => {
  it('costs little for a change inside a strongly connected component, once indexes exist', async () => {
    const store = ring(true);
    const { blocks } = await derived(store);
    const first = await changed(store, 'insert', 7, 150);
    const second = await changed(store, 'insert', 30, 200);
    const third = await changed(store, 'insert', 90, 20);
    const fourth = await changed(store, 'delete', 90, 20);
    expect([first, second, third, fourth].map(({ size }) => size)).toEqual(Array(4).fill(NODES * NODES));
    expect(blocks).toBeGreaterThan(20);
    expect(first.blocks + second.blocks).toBeLessThan(blocks);
    expect(third.blocks).toBeLessThanOrEqual(4);
    expect(fourth.blocks).toBeLessThanOrEqual(12);
  });

  it('builds no index for the first single lookup in a large relation', async () => {
    const indexed = async (...edges: readonly [number, number][]): Promise<string> => {
      const store = ring(true);
      await derived(store);
      const transaction = store.begin();
      for (const edge of edges) transaction.insert('edge', edge);
      const inputs = await engineViewOf(transaction.view).inputsFor(['path'], noDeadline);
      return inputs.derived('path').relation.indexedColumns;
    };
    expect(await indexed([7, 150])).toBe('');
    expect(await indexed([7, 150], [90, 20])).toBe('1');
  });

  it('finds all facts that depend on a change without that index', async () => {
    const [coming, going] = [ring(false), ring(false)];
    const { size } = await derived(coming);
    const leaf = going.begin();
    leaf.insert('edge', [200, NODES]);
    leaf.commit();
    expect(await derived(going)).toMatchObject({ size: size + 201 });
    expect(await changed(coming, 'insert', 200, NODES)).toMatchObject({ size: size + 201 });
    expect(await changed(going, 'delete', 200, NODES)).toMatchObject({ size });
  });
});

describe('changes that affect many derived facts', () => {
  it('are re-evaluated after a failed maintenance, without a further attempt until changes are small', async () => {
    const store = ring(false);
    const { blocks, size } = await derived(store);
    const costs: number[] = [];
    for (let change = 0; change < 5; change++) {
      const out = await changed(store, 'delete', 150, 151);
      const back = await changed(store, 'insert', 150, 151);
      expect([out.size, back.size]).toEqual([(151 * 150) / 2 + (249 * 248) / 2, size]);
      costs.push(out.blocks, back.blocks);
    }
    expect(Math.max(...costs.slice(1))).toBe(blocks);
    const reevaluated = await changed(store, 'insert', 5, NODES);
    // These build the indexes, and are maintained.
    await changed(store, 'delete', 5, NODES);
    await changed(store, 'insert', 7, NODES);
    const maintained = await changed(store, 'insert', 5, NODES);
    expect(reevaluated.blocks).toBe(blocks);
    expect(maintained.blocks).toBeLessThanOrEqual(4);
  });

  it('are re-evaluated once maintenance costs too much, and at once if half of the input is deleted', async () => {
    const costOf = async (part: number, edgesOut: number): Promise<number> => {
      const store = tangle(edgesOut);
      const { blocks } = await derived(store);
      const transaction = store.begin();
      for (let node = 1; node < NODES; node += part) {
        transaction.delete('edge', [node - 1, node]);
        for (let edge = 1; edge < edgesOut; edge++) transaction.delete('edge', [node, (node * 7 + edge * 31) % NODES]);
      }
      return (await closureIn(transaction.view)).blocks / blocks;
    };
    expect(await costOf(6, 4)).toBeLessThan(1.2);
    expect(await costOf(2, 1)).toBeLessThan(0.2);
  });

  it.each([
    ['the end', PATH],
    ['the beginning', BACKWARDS],
  ])('are re-evaluated without preparation if many deletions are certain, paths extended at %s', async (_, path) => {
    const store = ring(false, path);
    const view = engineViewOf(store.view());
    const { relation } = (await view.inputsFor(['path'], noDeadline)).derived('path');
    const { size } = await changed(store, 'delete', 150, 151);
    expect(size).toBe((151 * 150) / 2 + (249 * 248) / 2);
    expect(relation.versioned).toBe(false);
  });

  it('lose no rederived fact, wherever maintenance is abandoned', async () => {
    const program = loadProgram(artifact({ rules: [PATH], schema: { relations: [relation('edge', INT, INT)] } }));
    for (let maintenanceCostMin = 0; maintenanceCostMin < 10_000; maintenanceCostMin += 100) {
      const store = new FactStore(program, new Interner(program), { maintenanceCostMin });
      const transaction = store.begin();
      for (const [from, to] of [
        [0, 1],
        [0, 2],
        [2, 1],
        [1, 3],
        [3, 4],
      ] as const)
        transaction.insert('edge', [from, to]);
      transaction.commit();
      await derived(store);
      // A longer path from 0 reaches every node behind this edge.
      expect([maintenanceCostMin, (await changed(store, 'delete', 0, 1)).size]).toEqual([maintenanceCostMin, 10]);
    }
  });

  it('do not prevent the maintenance of a later small change', async () => {
    const store = ring(false);
    const { blocks } = await derived(store);
    const many = store.begin();
    for (let node = 0; node < NODES; node++) many.insert('edge', [node, (node * 7) % NODES]);
    await closureIn(many.view);
    many.commit();
    // These build the indexes, and are maintained.
    await changed(store, 'insert', 7, 150);
    await changed(store, 'insert', 30, 200);
    const next = await changed(store, 'delete', 7, 150);
    expect(blocks).toBeGreaterThan(20);
    expect(next.blocks).toBeLessThanOrEqual(12);
  });
});

describe('a fact that is inserted and deleted repeatedly', () => {
  it('stays maintainable, because deleted rows are dropped once they slow it down', async () => {
    const store = ring(false);
    const { blocks } = await derived(store);
    const costs: number[] = [];
    for (let round = 0; round < 400; round++) {
      costs.push((await changed(store, 'insert', 300, NODES)).blocks);
      costs.push((await changed(store, 'delete', 300, NODES)).blocks);
    }
    expect(blocks).toBeGreaterThan(20);
    // Sometimes a change costs too much; it and one or two later ones are re-evaluated.
    expect(costs.slice(400).filter((cost) => cost >= blocks).length).toBeLessThan(40);
  });

  it('stays maintainable in a fork and in its parent, which see their own states', async () => {
    const below = ring(false);
    const { blocks, size } = await derived(below);
    const fork = below.fork();
    const [costs, costsInFork]: number[][] = [[], []];
    for (let round = 0; round < 400; round++) {
      for (const kind of ['insert', 'delete'] as const) {
        costs?.push((await changed(below, kind, 300, NODES)).blocks);
        costsInFork?.push((await changed(fork, kind, 300, NODES + 1)).blocks);
      }
    }
    for (const each of [costs, costsInFork])
      expect(each?.slice(400).filter((cost) => cost >= blocks).length).toBeLessThan(40);
    expect((await derived(fork)).size).toBe(size);
    expect((await derived(below)).size).toBe(size);
  });
});

describe('a derived relation', () => {
  it('returns the same rows to a reader while it changes and outgrows its arrays', async () => {
    const store = marked();
    const reader = store.view();
    await closureIn(reader);
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let checkpoints = 0;
    const crossing = reader.materialise('crossing', { checkpoint: () => (checkpoints++ === 2 ? gate : undefined) });
    const sizes = new Set<number>();
    for (let time = 0; time < 60; time++) {
      await changed(store, 'delete', NODES - 2, NODES - 1);
      sizes.add((await changed(store, 'insert', NODES - 2, NODES - 1)).size);
    }
    expect(checkpoints).toBe(3);
    open();
    sizes.add((await crossing).size);
    expect([...sizes]).toEqual([(NODES * (NODES - 1)) / 2]);
    reader.release();
  });
});

describe('derived facts of a fork', () => {
  const CHANGED_MUCH = [100, 200, 300];

  async function write(store: FactStore, path: string, codes: readonly number[]) {
    const transaction = store.begin();
    transaction.insert(path, codes);
    await transaction.view.materialise('path', noDeadline);
    const found = await closureIn(transaction.view, 'crossing');
    transaction.commit();
    return found;
  }

  async function isIn(store: FactStore, state: object): Promise<boolean> {
    const view = store.view();
    const path = await view.materialise('path', noDeadline);
    view.release();
    return path.state === state;
  }

  it('are shared with the parent until an input changes in the fork', async () => {
    const store = marked();
    const parent = store.view();
    const fork = store.fork();
    await closureIn(parent, 'crossing');
    const { state } = await parent.materialise('path', noDeadline);
    await write(fork, 'marked', [NODES + 1]);
    const isParents = [await isIn(fork, state)];
    for (const node of CHANGED_MUCH) await changed(store, 'delete', node - 1, node);
    await write(fork, 'marked', [NODES + 2]);
    isParents.push(await isIn(fork, state));
    expect(isParents).toEqual([true, true]);
  });

  it("are maintained from the parent's facts when an input first changes", async () => {
    const store = marked();
    await closureIn(store.view(), 'path');
    const { blocks } = await closureIn(store.view(), 'crossing');
    const fork = store.fork();
    const first = await write(fork, 'marked', [NODES]);
    const second = await write(fork, 'edge', [5, NODES]);
    expect(second.size - first.size).toBe(6);
    expect(second.blocks * 4).toBeLessThan(blocks);
  });
});

describe('a fact that still holds by a lower premise', () => {
  const ALL = (NODES * (NODES - 1)) / 2;
  const TO_THE_LAST_TWO = 2 * (NODES - 2);

  it('is deleted with that premise, in a fork too', async () => {
    const store = ring(false);
    await derived(store);
    await changed(store, 'insert', NODES - 4, NODES - 2);
    const held = await changed(store, 'delete', NODES - 3, NODES - 2);
    const fork = store.fork();
    const inFork = await changed(fork, 'delete', NODES - 4, NODES - 2);
    const deleted = await changed(store, 'delete', NODES - 4, NODES - 2);
    expect([held.size, inFork.size, deleted.size]).toEqual([ALL - 2, ALL - TO_THE_LAST_TWO, ALL - TO_THE_LAST_TWO]);
  });
});

describe('a rederived fact', () => {
  it('has its least rank, even if another derivation was found first', async () => {
    const store = ring(false);
    const transaction = store.begin();
    for (const edge of [
      [1, 395],
      [4, 396],
      [0, 395],
    ])
      transaction.insert('edge', edge);
    transaction.commit();
    await derived(store);
    await changed(store, 'delete', 0, 395);
    const view = store.view();
    const ranks: unknown[] = [];
    for (let to = 395; to < NODES; to++) {
      const explanation = await explain(view, 'path', [0, to], {}, noDeadline);
      ranks.push(explanation.holds && [explanation.height, explanation.minimal]);
    }
    view.release();
    expect(ranks).toEqual([2, 3, 4, 5, 6].map((rank) => [rank, true]));
  });
});

describe('a mean of Ints', () => {
  it('leaves Decimals unchanged', async () => {
    const next = arithmetic('+', v('x'), int(1));
    const mean = aggregate('avg', next, ['x'], condition([atom('number', 'x')]), DECIMAL);
    const program = loadProgram(
      artifact({
        rules: [rule('mean', [DECIMAL], [clause(['m'], [bind('m', mean)], { m: DECIMAL })])],
        schema: { relations: [relation('number', INT)] },
      }),
    );
    const interner = new Interner(program);
    const store = new FactStore(program, interner, { maintenanceCostMin: 1_000_000 });
    const wireOf = (code = NONE): unknown => toWire(DECIMAL, interner.decode(DECIMAL, code));
    const transaction = store.begin();
    const means: unknown[] = [];
    for (const number of [3, 7]) {
      transaction.insert('number', [number]);
      for (const [code] of (await transaction.view.materialise('mean', noDeadline)).rows()) means.push(wireOf(code));
    }
    expect(means).toEqual(['4', '6']);
    expect(wireOf(interner.encode(DECIMAL, new Decimal(8)))).toBe('8');
    transaction.rollback();
  });
});
