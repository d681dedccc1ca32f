import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import { RUNS_ALL, runs } from '../../base/testing/property-runs.js';
import { newStore, sorted } from '../testing/path-store.js';
import type { RelationReader, Transaction, View } from '../types.js';
import { NONE } from '../values/codec.js';
import type { FactStore } from './store.js';

/** Replaces twenty edges of the previous round by those of this round. */
function replaceEdges(store: FactStore, round: number): void {
  const transaction = store.begin();
  for (let index = 0; index < 20; index++) transaction.insert('edge', [index, round]);
  if (round > 0) transaction.deleteMatching('edge', [null, round - 1]);
  transaction.commit();
}

function commitEdge(store: FactStore, edge: readonly [number, number]): void {
  const transaction = store.begin();
  transaction.insert('edge', edge);
  transaction.commit();
}

function closure(edges: ReadonlySet<string>): string[] {
  const paths = new Set(edges);
  for (let size = -1; size !== paths.size; ) {
    size = paths.size;
    for (const first of [...paths]) {
      for (const second of edges) {
        if (first.split(',')[1] === second.split(',')[0]) paths.add(`${first.split(',')[0]},${second.split(',')[1]}`);
      }
    }
  }
  return [...paths].sort();
}

type Action =
  | { readonly kind: 'insert' | 'delete'; readonly edge: readonly [number, number] }
  | { readonly kind: 'deleteFrom'; readonly from: number }
  | { readonly kind: 'prepare' | 'commit' | 'rollback' | 'undo' | 'open' | 'close' | 'mark' | 'undoTo' | 'derive' };

const node = fc.nat({ max: 4 });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom('insert' as const, 'delete' as const), edge: fc.tuple(node, node) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleteFrom' as const), from: node }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'prepare' as const,
        'prepare' as const,
        'commit' as const,
        'rollback' as const,
        'undo' as const,
        'open' as const,
        'close' as const,
        'mark' as const,
        'undoTo' as const,
        'derive' as const,
      ),
    }),
  },
);

/** The result of work without a deadline. */
function run<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

describe('views and transactions', () => {
  it("show committed states to views, the writer's changes to the writer, and their differences", async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 150, size: 'max' }), async (actions) => {
        const store = newStore();
        let committed: ReadonlySet<string> = new Set<string>();
        let written = new Set<string>();
        let transaction = store.begin();
        let prepared: { readonly transaction: Transaction; readonly edges: ReadonlySet<string> }[] = [];
        const latest = () => prepared.at(-1)?.edges ?? committed;
        const views: { readonly view: View; readonly edges: ReadonlySet<string> }[] = [];
        let marks: typeof views = [];
        const releaseMarks = (): void => {
          for (const { view } of marks) view.release();
          marks = [];
        };
        /** Includes states that may be undone later. */
        const seen: { readonly reader: RelationReader; readonly facts: readonly string[] }[] = [];
        const compare = (reader: RelationReader, facts: readonly string[]): void => {
          for (const earlier of seen) {
            const changes = earlier.reader.info === reader.info && run(reader.changesSince(earlier.reader));
            if (!changes) continue;
            compared += 1;
            expect(changes.added.map(String).sort()).toEqual(facts.filter((fact) => !earlier.facts.includes(fact)));
            expect(changes.removed.map(String).sort()).toEqual(earlier.facts.filter((fact) => !facts.includes(fact)));
          }
          seen.push({ reader, facts });
          if (seen.length > 12) seen.shift();
        };
        const check = async (view: View, edges: ReadonlySet<string>): Promise<void> => {
          const reader = view.stored('edge');
          expect(sorted(reader)).toEqual([...edges].sort());
          expect(reader.size).toBe(edges.size);
          expect([...reader.match([null, 1])].map(String).sort()).toEqual(
            [...edges].filter((edge) => edge.endsWith(',1')).sort(),
          );
          const paths = await view.materialise('path', noDeadline);
          expect(sorted(paths)).toEqual(closure(edges));
          compare(reader, [...edges].sort());
          compare(paths, closure(edges));
        };
        for (const step of actions) {
          if (step.kind === 'insert') {
            expect(transaction.insert('edge', step.edge)).toBe(!written.has(step.edge.join()));
            written.add(step.edge.join());
          } else if (step.kind === 'delete') {
            expect(transaction.delete('edge', step.edge)).toBe(written.delete(step.edge.join()));
          } else if (step.kind === 'deleteFrom') {
            const deleted = transaction.deleteMatching('edge', [step.from, null]).map(String).sort();
            expect(deleted).toEqual([...written].filter((edge) => edge.startsWith(`${step.from},`)).sort());
            for (const edge of deleted) written.delete(edge);
          } else if (step.kind === 'commit' && prepared.length > 0) {
            const oldest = prepared.shift();
            oldest?.transaction.commit();
            committed = oldest?.edges ?? committed;
          } else if (step.kind === 'prepare') {
            releaseMarks();
            transaction.prepare();
            prepared.push({ transaction, edges: new Set(written) });
            transaction = store.begin();
          } else if (step.kind === 'commit' || step.kind === 'rollback') {
            releaseMarks();
            transaction[step.kind]();
            if (step.kind === 'commit') committed = written;
            written = new Set(latest());
            transaction = store.begin();
          } else if (step.kind === 'undo') {
            releaseMarks();
            transaction.rollback();
            for (const each of prepared.reverse()) each.transaction.rollback();
            prepared = [];
            written = new Set(committed);
            transaction = store.begin();
          } else if (step.kind === 'open') {
            views.push({ view: store.view(), edges: new Set(committed) });
          } else if (step.kind === 'mark') {
            marks.push({ view: transaction.mark(), edges: new Set(written) });
          } else if (step.kind === 'undoTo' && marks.length > 0) {
            // Later marks show undone states.
            const [to, ...later] = marks.splice(marks.length >> 1);
            if (to !== undefined) transaction.undoTo(to.view);
            written = new Set(to?.edges);
            for (const { view } of [...(to === undefined ? [] : [to]), ...later]) view.release();
          } else if (step.kind === 'close') {
            views.shift()?.view.release();
          } else {
            const start = store.latest();
            await check(start, latest());
            start.release();
            await check(transaction.view, written);
            for (const { view, edges } of [...views, ...marks]) await check(view, edges);
          }
        }
        await check(transaction.view, written);
        for (const { view, edges } of marks) await check(view, edges);
        releaseMarks();
        transaction.rollback();
        for (const each of prepared.reverse()) each.transaction.rollback();
        for (const { view, edges } of views) await check(view, edges);
        for (const { view } of views) view.release();
        await check(store.view(), committed);
      }),
      { numRuns: runs(300) },
    );
    if (RUNS_ALL) expect(compared).toBeGreaterThan(1000);
  }, 60_000);

  it('report the changes since a mark to the writer, and none since an undone state', () => {
    const store = newStore();
    const first = store.begin();
    first.insert('edge', [1, 2]);
    const open = first.view.stored('edge');
    const mark = first.mark();
    const marked = mark.stored('edge');
    first.insert('edge', [2, 3]);
    const now = first.view.stored('edge');
    expect(run(now.changesSince(marked))).toEqual({ added: [[2, 3]], removed: [] });
    expect(run(now.changesSince(open))).toBeUndefined();
    mark.release();
    first.rollback();
    expect(run(store.begin().view.stored('edge').changesSince(marked))).toBeUndefined();
  });

  it('derive no fact from a new fact and a deleted one', async () => {
    const store = newStore();
    const first = store.begin();
    for (const edge of ['10', '41', '02', '23']) first.insert('edge', [...edge].map(Number));
    first.commit();
    const before = store.view();
    await before.materialise('path', noDeadline);
    const second = store.begin();
    for (const edge of ['41', '02']) second.delete('edge', [...edge].map(Number));
    second.insert('edge', [0, 3]);
    // 4 reached 3 by 1, 0 and 2, and would now by 1 and 0 alone, were it not for the first edge of both.
    expect(sorted(await second.view.materialise('path', noDeadline))).toEqual(['0,3', '1,0', '1,3', '2,3']);
  });

  it('drop deleted rows once no reader is open, and keep the order of the others', () => {
    const store = newStore();
    for (let round = 0; round < 50; round++) {
      replaceEdges(store, round);
    }
    const view = store.view();
    expect([...view.stored('edge').rows()]).toEqual(Array.from({ length: 20 }, (_, index) => [index, 49]));
    expect(store.stored.of('edge').relation.count).toBeLessThan(120);
  });

  it('drop deleted rows even if every write overlaps a reader', () => {
    const store = newStore();
    let reader = store.view();
    for (let round = 0; round < 50; round++) {
      replaceEdges(store, round);
      const next = store.view();
      reader.release();
      reader = next;
    }
    expect(store.stored.of('edge').relation.count).toBe(1000);
    reader.release();
    expect(store.stored.of('edge').relation.count).toBe(20);
  });

  it('drop only states that no view or fork sees while forks are open', async () => {
    const store = newStore();
    const forks: FactStore[] = [];
    for (let round = 0; round < 300; round++) {
      replaceEdges(store, round);
      const view = store.view();
      await view.materialise('path', noDeadline);
      view.release();
      if (round % 100 === 7) forks.push(store.fork());
    }
    expect(store.stored.of('edge').history.length).toBeLessThan(60);
    for (const [index, fork] of forks.entries()) {
      const round = index * 100 + 7;
      const view = fork.view();
      const edges = Array.from({ length: 20 }, (_, node) => `${node},${round}`).sort();
      expect(sorted(view.stored('edge'))).toEqual(edges);
      expect(sorted(await view.materialise('path', noDeadline))).toEqual([...closure(new Set(edges))]);
      view.release();
    }
  });

  it('hide facts of a rolled-back transaction from readers of an older state', async () => {
    const store = newStore();
    commitEdge(store, [0, 1]);
    const first = store.view();
    expect((await first.materialise('path', noDeadline)).size).toBe(1);
    commitEdge(store, [1, 2]);
    const second = store.view();
    commitEdge(store, [2, 3]);
    const transaction = store.begin();
    transaction.insert('edge', [3, 4]);
    expect((await transaction.view.materialise('path', noDeadline)).size).toBe(10);
    transaction.rollback();
    const reader = await second.materialise('path', noDeadline);
    expect([reader.size, sorted(reader)]).toEqual([3, ['0,1', '0,2', '1,2']]);
  });

  it('keep facts that a rolled-back writer derived from unchanged facts for their readers', async () => {
    const store = newStore();
    commitEdge(store, [0, 1]);
    const before = store.view();
    await before.materialise('path', noDeadline);
    commitEdge(store, [1, 2]);
    const transaction = store.begin();
    transaction.insert('flag', []);
    await transaction.view.materialise('path', noDeadline);
    const view = store.view();
    const reader = await view.materialise('path', noDeadline);
    transaction.rollback();
    expect([reader.size, sorted(reader)]).toEqual([3, ['0,1', '0,2', '1,2']]);
    expect(view.knownSize('path')).toEqual({ size: 3, isCurrent: true });
  });

  it('know the size of facts derived in the parent while a fork sees them', async () => {
    const store = newStore({ maintenanceCostMin: 0 });
    replaceEdges(store, 0);
    const fork = store.fork();
    const before = fork.view();
    const { size } = await before.materialise('path', noDeadline);
    for (let round = 1; round < 9; round++) {
      replaceEdges(fork, round);
      const view = fork.view();
      await view.materialise('path', noDeadline);
      view.release();
      expect(before.knownSize('path')).toEqual({ size, isCurrent: true });
    }
  });

  it('find the second code of a fork with deleted and inserted rows', () => {
    const store = newStore();
    const write = (to: FactStore, change: (transaction: Transaction) => void) => {
      const transaction = to.begin();
      change(transaction);
      transaction.commit();
    };
    write(store, (transaction) => [1, 2, 3].forEach((node) => void transaction.insert('edge', [node, node * 10])));
    const fork = store.fork();
    write(fork, (transaction) => {
      transaction.delete('edge', [1, 10]);
      transaction.delete('edge', [2, 20]);
      transaction.insert('edge', [2, 21]);
    });
    const codesIn = (view: View) => [1, 2, 3, 4].map((node) => view.stored('edge').codeOf(node));
    expect(codesIn(fork.view())).toEqual([NONE, 21, 30, NONE]);
    expect(codesIn(store.view())).toEqual([10, 20, 30, NONE]);
    write(fork, (transaction) => void transaction.delete('edge', [2, 21]));
    expect(codesIn(fork.view())).toEqual([NONE, NONE, 30, NONE]);
  });

  it('support relations without endpoints', () => {
    const transaction = newStore().begin();
    expect(transaction.view.stored('flag').has([])).toBe(false);
    expect(transaction.insert('flag', [])).toBe(true);
    expect(transaction.insert('flag', [])).toBe(false);
    expect(transaction.view.stored('flag').size).toBe(1);
    expect(transaction.delete('flag', [])).toBe(true);
    expect(transaction.view.stored('flag').has([])).toBe(false);
  });
});

it('keeps the rows of a closed fork until its readers are released', () => {
  const store = newStore();
  const write = (change: (at: number) => void) => {
    for (let at = 0; at < 200; at++) change(at);
  };
  const first = store.begin();
  write((at) => first.insert('edge', [at, at]));
  first.commit();
  const fork = store.fork();
  const view = fork.view();
  const inner = fork.fork();
  fork.close();
  expect(() => fork.view()).toThrow('closed');
  const second = store.begin();
  write((at) => second.delete('edge', [at, at]));
  second.insert('edge', [7, 8]);
  second.commit();
  expect(view.stored('edge').has([199, 199])).toBe(true);
  view.release();
  const rest = inner.view();
  expect([rest.stored('edge').size, rest.stored('edge').has([7, 8])]).toEqual([200, false]);
  inner.close();
  rest.release();
  expect(sorted(store.view().stored('edge'))).toEqual(['7,8']);
});
