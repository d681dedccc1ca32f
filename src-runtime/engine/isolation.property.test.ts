/**
 * Interleaves readers, writers and forks block by block. Paused work continues undisturbed, and each sees the facts
 * that the oracle derives from its own state. There are enough rows for indexes, scans and joins to pause too.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../artifact/types.js';
import { type Deadline, noDeadline } from '../base/ports.js';
import { runs } from '../base/testing/property-runs.js';
import { SteppedWork } from '../base/testing/stepped-work.js';
import { explain } from './explain/explain.js';
import { loadProgram } from './program/program.js';
import { solve } from './store/solve.js';
import { FactStore, type FactStoreOptions } from './store/store.js';
import { absent, aggregate, artifact, atom, bind, clause, condition, INT, relation, rule } from './testing/ir.js';
import type { RandomProgram } from './testing/random-program.js';
import { byKey, deriveNaively, type RandomFact, toggle } from './testing/random-store.js';
import type { Transaction, View } from './types.js';
import { Interner } from './values/codec.js';

const NODES = 5;
/** Nodes of edges that nothing else reads. */
const FAR = 1000;
/** Enough for an index over them to be built in several blocks. */
const FAR_EDGES = 17_000;

const PAIR = [INT, INT];
const COUNT = aggregate('count', null, ['y'], condition([atom('path', 'x', 'y')], {}, ['x']));
const LEVELS = [
  [
    rule('path', PAIR, [
      clause(['x', 'y'], [atom('edge', 'x', 'y')]),
      clause(['x', 'z'], [atom('path', 'x', 'y'), atom('edge', 'y', 'z')]),
    ]),
    rule('sink', [INT], [clause(['y'], [atom('edge', '_', 'y'), absent('edge', 'y', '_')])]),
  ],
  [
    rule('apart', PAIR, [clause(['x', 'y'], [atom('mark', 'x'), atom('mark', 'y'), absent('path', 'x', 'y')])]),
    rule('reach', PAIR, [clause(['x', 'n'], [atom('mark', 'x'), bind('n', COUNT)])]),
  ],
];
const RULES = LEVELS.flat();
const ARTIFACT = artifact({ rules: RULES, schema: { relations: [relation('edge', INT, INT), relation('mark', INT)] } });
const ORACLE: RandomProgram = { artifact: ARTIFACT, levels: LEVELS, facts: [] };
/** Two equal programs, so that a reload has another one. Their plans are compiled once. */
const PROGRAMS = [loadProgram(ARTIFACT), loadProgram(structuredClone(ARTIFACT))] as const;

const AHEAD = condition([atom('mark', 'x'), atom('path', 'x', 'y'), atom('edge', 'y', 'z')]);

type State = ReadonlyMap<string, RandomFact>;

const nodes = fc.nat({ max: NODES - 1 });
const fact: fc.Arbitrary<RandomFact> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(nodes, nodes).map((tuple) => ['edge', tuple] as const) },
  { weight: 2, arbitrary: nodes.map((node) => ['mark', [node]] as const) },
);
interface Look {
  readonly how: 'rows' | 'match' | 'solve' | 'explain';
  readonly path: string;
  readonly tuple: readonly [number, number];
}
const look: fc.Arbitrary<Look> = fc.record({
  how: fc.constantFrom('rows' as const, 'match' as const, 'match' as const, 'solve' as const, 'explain' as const),
  path: fc.constantFrom('edge', 'mark', 'path', 'sink', 'apart', 'reach'),
  tuple: fc.tuple(nodes, nodes),
});
const looks = fc.array(look, { minLength: 1, maxLength: 2 });
/** Of a writer: facts to toggle, whether it marks the state before, and what it reads. */
const change = fc.record({
  toggled: fc.array(fact, { minLength: 1, maxLength: 2 }),
  marks: fc.boolean(),
  looks: fc.array(look, { maxLength: 1 }),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Counts from the newest. */
const which = fc.oneof(fc.constant(0), fc.nat({ max: 5 }));
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ step: fc.constant('read' as const), branch: which, looks }) },
  {
    weight: 6,
    arbitrary: fc.record({
      step: fc.constant('write' as const),
      branch: which,
      changes: fc.array(change, { minLength: 1, maxLength: 2 }),
      isKept: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ step: fc.constantFrom('commit' as const, 'rollback' as const), branch: which }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constantFrom('fork' as const, 'close' as const), branch: which }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('reload' as const), branch: which }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('expire' as const), branch: which }) },
  {
    weight: 16,
    arbitrary: fc.record({
      step: fc.constant('advance' as const),
      branch: which,
      checkpoints: fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 12 })),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('interleaved readers, writers and forks', () => {
  it.each<readonly [string, FactStoreOptions]>([
    ['maintained at any cost', { maintenanceCostMin: 1e9 }],
    ['with re-evaluated rules', { maintenanceCostMin: 0, denseVisitsMin: 0 }],
  ])('each see the facts of one snapshot, %s', async (_, options) => {
    const steps = fc.array(step, { minLength: 5, maxLength: 30, size: 'max' });
    await fc.assert(
      fc.asyncProperty(fc.array(fact, { maxLength: 12, size: 'max' }), steps, (facts, taken) =>
        new Run(facts, options).follow(taken),
      ),
      { numRuns: runs(25), interruptAfterTimeLimit: 20_000 },
    );
  });
});

/** A fork, or the store of all forks. */
interface Branch {
  readonly store: FactStore;
  committed: State;
  /** Oldest first. */
  readonly prepared: { readonly transaction: Transaction; readonly state: State }[];
  writer: SteppedWork | undefined;
}

class Run {
  private branches: Branch[];
  private running: SteppedWork[] = [];
  private programs = 0;

  constructor(facts: readonly RandomFact[], options: FactStoreOptions) {
    const [program] = PROGRAMS;
    const store = new FactStore(program, new Interner(program), options);
    const committed = byKey(facts);
    const ground = store.begin();
    for (const [path, tuple] of committed.values()) ground.insert(path, tuple as number[]);
    for (let node = FAR; node < FAR + FAR_EDGES; node++) ground.insert('edge', [node, FAR + FAR_EDGES]);
    ground.commit();
    this.branches = [{ store, committed, prepared: [], writer: undefined }];
  }

  async follow(steps: readonly Step[]): Promise<void> {
    for (const each of steps) await this.take(each, newest(this.branches, each.branch));
    for (const work of this.running) await work.finish();
    for (const branch of this.branches) {
      await this.settle(branch);
      const view = branch.store.view();
      for (const path of ['edge', ...RULES.map((each) => each.path)])
        await lookAt(view, branch.committed, { how: 'rows', path, tuple: [0, 0] }, noDeadline);
      view.release();
    }
  }

  private async take(each: Step, branch: Branch): Promise<void> {
    const work = this.running.length === 0 ? undefined : newest(this.running, each.branch);
    if (each.step === 'advance') await work?.advance(each.checkpoints);
    else if (each.step === 'expire') await work?.expire();
    else if (each.step === 'read') await this.read(branch, each.looks);
    else if (each.step === 'write') await this.write(branch, each.changes, each.isKept);
    else if (each.step === 'commit') commitOldest(branch);
    else if (each.step === 'rollback') rollBackAll(branch);
    else if (each.step === 'fork') {
      if (this.branches.length < 4)
        this.branches.push({ ...branch, store: branch.store.fork(), prepared: [], writer: undefined });
    } else if (each.step === 'close') await this.close(branch);
    else await this.reload();
    this.running = this.running.filter(({ isDone }) => !isDone);
  }

  private async begin(work: (deadline: Deadline) => Promise<void>): Promise<SteppedWork> {
    const stepped = new SteppedWork(work);
    this.running.push(stepped);
    await stepped.advance(0);
    return stepped;
  }

  private async read({ store, committed }: Branch, all: readonly Look[]): Promise<void> {
    const view = store.view();
    await this.begin(async (deadline) => {
      try {
        for (const each of all) await lookAt(view, committed, each, deadline);
      } finally {
        view.release();
      }
    });
  }

  private async write(branch: Branch, changes: readonly Change[], isKept: boolean): Promise<void> {
    if (branch.writer?.isDone === false) return;
    const transaction = branch.store.begin();
    const state = new Map(branch.prepared.at(-1)?.state ?? branch.committed);
    branch.writer = await this.begin(async (deadline) => {
      let isWhole = false;
      try {
        for (const each of changes) await makeChange(transaction, state, each, deadline);
        isWhole = true;
      } finally {
        if (isWhole && isKept) {
          transaction.prepare();
          branch.prepared.push({ transaction, state });
        } else transaction.rollback();
      }
    });
  }

  private async settle(branch: Branch): Promise<void> {
    await branch.writer?.finish();
    while (branch.prepared.length > 0) commitOldest(branch);
  }

  /** Its readers continue. */
  private async close(branch: Branch): Promise<void> {
    if (branch === this.branches[0]) return;
    await this.settle(branch);
    branch.store.close();
    this.branches = this.branches.filter((each) => each !== branch);
  }

  /** Readers of the previous program continue. */
  private async reload(): Promise<void> {
    for (const branch of this.branches) await this.settle(branch);
    this.programs += 1;
    const program = PROGRAMS[this.programs % 2] ?? PROGRAMS[0];
    const interner = (this.branches[0] as Branch).store.interner.under(program);
    const known = new Map<FactStore, FactStore>();
    this.branches = this.branches.map((branch) => ({
      ...branch,
      store: branch.store.under({ program, interner, affected: (path) => path === 'sink' }, known),
    }));
  }
}

function newest<T>(items: readonly T[], back: number): T {
  return items[items.length - 1 - (back % items.length)] as T;
}

function commitOldest(branch: Branch): void {
  const oldest = branch.prepared.shift();
  if (oldest === undefined) return;
  oldest.transaction.commit();
  branch.committed = oldest.state;
}

/** As after a refused append. */
function rollBackAll({ prepared, writer }: Branch): void {
  if (writer?.isDone === false) return;
  for (const { transaction } of prepared.splice(0).reverse()) transaction.rollback();
}

async function makeChange(
  transaction: Transaction,
  state: Map<string, RandomFact>,
  { toggled, marks, looks: all }: Change,
  deadline: Deadline,
): Promise<void> {
  const before = new Map(state);
  const marked = marks ? transaction.mark() : undefined;
  try {
    for (const each of toggled) expect(toggle(transaction, state, each)).toBe(true);
    for (const each of all) {
      if (marked !== undefined) await lookAt(marked, before, each, deadline);
      await lookAt(transaction.view, new Map(state), each, deadline);
    }
  } finally {
    marked?.release();
  }
}

async function lookAt(view: View, state: State, { how, path, tuple }: Look, deadline: Deadline): Promise<void> {
  if (how === 'solve') {
    const found: string[] = [];
    for await (const batch of solve(view, AHEAD, {}, {}, deadline)) {
      found.push(...batch.map(({ x, y, z }) => [x, y, z].join()));
    }
    const ahead = factsOf(state, 'path').filter((pair) => factsOf(state, 'mark').includes(pair.split(',')[0] ?? ''));
    const edges = factsOf(state, 'edge');
    const expected = ahead.flatMap((pair) =>
      edges.filter((edge) => edge.split(',')[0] === pair.split(',')[1]).map((edge) => `${pair},${edge.split(',')[1]}`),
    );
    expect(found.sort()).toEqual(expected.sort());
    return;
  }
  const facts = factsOf(state, path);
  const arity = view.program.relations.get(path)?.endpoints.length ?? 0;
  const codes = tuple.slice(0, arity);
  if (how === 'explain') {
    const { holds } = await explain(view, path, codes, {}, deadline);
    expect([path, codes, holds]).toEqual([path, codes, facts.includes(codes.join())]);
    return;
  }
  const reader = await view.materialise(path, deadline);
  const last = codes.at(-1) ?? 0;
  const pattern = how === 'rows' ? codes.map(() => null) : codes.map((code, at) => (at === arity - 1 ? code : null));
  await reader.prepare(how === 'rows' ? [] : [arity - 1], deadline);
  const found: string[] = [];
  for (const row of reader.match(pattern)) {
    if ((row[0] ?? 0) >= FAR) continue;
    found.push(row.join());
    await deadline.checkpoint();
  }
  const isMeant = (each: string): boolean => how === 'rows' || each.endsWith(`${last}`);
  expect([path, pattern, found.sort()]).toEqual([path, pattern, facts.filter(isMeant).sort()]);
}

const DERIVED = new WeakMap<State, ReadonlyMap<string, readonly string[]>>();

/** The facts of a relation in a state, without the distant ones. */
function factsOf(state: State, path: string): readonly string[] {
  const known = DERIVED.get(state);
  if (known !== undefined) return known.get(path) ?? [];
  const facts = deriveNaively(ORACLE, state.values());
  if (facts instanceof Error) throw facts;
  const paths = ['edge', 'mark', ...RULES.map((each) => each.path)];
  DERIVED.set(state, new Map(paths.map((each) => [each, facts.tuples(each).map((tuple) => (tuple as Json[]).join())])));
  return factsOf(state, path);
}
