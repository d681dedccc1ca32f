/**
 * Interleaves requests, each paused at any checkpoint, over a disk that responds at any time and sometimes refuses. Whatever others write,
 * try, promote, erase or reload, each request reads exactly one state of the history.
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError } from '../api/errors.js';
import type { Snapshot } from '../api/schemas/fork-schemas.js';
import type { JsonValue, WireEvent } from '../api/schemas/schemas.js';
import { type Deadline, DeadlineExceeded, noDeadline } from '../base/ports.js';
import { runs } from '../base/testing/property-runs.js';
import { SteppedWork } from '../base/testing/stepped-work.js';
import { StorageError } from '../storage/event-store.js';
import { type HeldDisk, holdDisk } from './testing/held-disk.js';
import type { TestSession as Session } from './testing/session-methods.js';
import { ALL, FRAME, startWorld, type TestWorld } from './testing/start-world.js';

const GRAPH = `module g
pub concept Node { name: Text, next: Node? }
pub relation link(a: Node, b: Node)
pub derive reach(a: Node, c: Node) when link(a, c)
pub derive reach(a: Node, c: Node) when reach(a, b), link(b, c)
pub derive apart(a: Node, b: Node) when Node(a), Node(b), not reach(a, b)
pub derive sized(a: Node, n: Int) when Node(a), let n = count(for b where reach(a, b))
pub check crowded(n: Node) when Node(n), let k = count(for m where link(n, m)), k > 3
  severity blocking message "{n.name} has {k} links"
pub mutation add(name: Text) -> Node { return insert Node { name: name } }
pub mutation point(a: Node, b: Node) { set a.next = b }
pub mutation connect(a: Node, b: Node) { insert link(a, b) }
pub mutation disconnect(a: Node, b: Node) { delete link(a, b) }
pub mutation spread(a: Node, b: Node) { for c in (select c where reach(a, c)) { insert link(a, c) } }
pub mutation cut(a: Node, b: Node) { for c in (select c where link(a, c)) { delete link(a, c) } }
pub mutation remove(a: Node, b: Node) { delete a }
pub mutation erase(a: Node, b: Node) { forget a }
`;
const MODULES = [
  GRAPH,
  `${GRAPH}pub query names() -> [Text] { select n.name where Node(n) }\n`,
  `${GRAPH}pub derive far(a: Node) when sized(a, n), n > 1\n`,
] as const;
/** Errors that a request may get instead of its result. */
const REFUSALS = [
  'VALIDATION_FAILED',
  'FORK_CLOSED',
  'FORK_EXISTS',
  'CHECK_VIOLATION',
  'REQUEST_TIMEOUT',
  'STORAGE_ERROR',
];
const NODES = 4;
/** The first is promoted before anything else. */
const FORKS = ['first', 'second', 'third'] as const;
const OPTIONS = { dryRun: false, granted: [] };
/** No account is both. */
const NEITHER = 'query neither() -> [Text] { select a.name where Node(a), Node(b), not reach(a, b), not apart(a, b) }';

const node = fc.integer({ min: 1, max: 5 }).map((number) => `#i${number}`);
const pair = fc.record({ a: node, b: node });
const write = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ mutation: 'g::add', args: { name: 'x' } }) },
  {
    weight: 12,
    arbitrary: fc.record({
      mutation: fc.constantFrom(
        ...['connect', 'connect', 'connect', 'spread', 'disconnect', 'point', 'cut', 'remove', 'erase'].map(
          (name) => `g::${name}`,
        ),
      ),
      args: pair,
    }),
  },
);
/** Counts back from the newest. */
const which = fc.oneof(fc.constant(0), fc.nat({ max: 5 }));
const isTried = fc.constantFrom(true, false, false);
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      step: fc.constant('write' as const),
      fork: which,
      writes: fc.array(write, { minLength: 1, maxLength: 3 }),
      isTried,
    }),
  },
  { weight: 6, arbitrary: fc.record({ step: fc.constant('snapshot' as const), fork: which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constantFrom(
        'list' as const,
        'diff' as const,
        'explain' as const,
        'neither' as const,
        'derive' as const,
      ),
      fork: which,
      pair,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constantFrom('fork' as const, 'abort' as const), fork: which }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ step: fc.constantFrom('promote' as const, 'undo' as const), fork: which, isTried }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constant('reload' as const), module: fc.nat({ max: MODULES.length - 1 }) }),
  },
  { weight: 6, arbitrary: fc.record({ step: fc.constantFrom('keep' as const, 'keep' as const, 'refuse' as const) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('expire' as const), work: which }) },
  {
    weight: 16,
    arbitrary: fc.record({
      step: fc.constant('advance' as const),
      work: which,
      checkpoints: fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 20 })),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

it('shows a paused request its first state until it ends, and keeps memory equal to the disk', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 70, size: 'max' }), async (steps) =>
      (await Run.start()).follow(steps),
    ),
    { numRuns: runs(40), interruptAfterTimeLimit: 20_000 },
  );
});

class Run {
  private readonly world: TestWorld;
  private readonly disk: HeldDisk;
  private running: SteppedWork[] = [];
  /** The first failure that is not a refusal. */
  private failure: unknown;
  /** Never reused, so that each history can be read at the end. */
  private readonly forks = ['main', ...FORKS];
  private readonly snapshots: Snapshot[] = [];

  private constructor(world: TestWorld, disk: HeldDisk) {
    this.world = world;
    this.disk = disk;
  }

  static async start(): Promise<Run> {
    const disk = await holdDisk();
    const world = await startWorld(GRAPH, { store: disk.store });
    const rows = Array.from({ length: NODES }, () => ({ name: 'x' }));
    const main = await enter(world, 'main');
    await main.importRows({ mutation: 'g::add' }, rows, { ...OPTIONS, keys: {} }, noDeadline);
    await world.mutate('g::connect', { a: '#i1', b: '#i2' });
    for (const id of FORKS) await main.createFork({ id });
    const [promoted] = FORKS;
    await (await enter(world, promoted)).mutate('g::connect', { a: '#i3', b: '#i1' }, OPTIONS, noDeadline);
    await (await enter(world, promoted)).promote(OPTIONS, noDeadline);
    disk.hold();
    return new Run(world, disk);
  }

  async follow(steps: readonly Step[]): Promise<void> {
    for (const each of steps) await this.take(each);
    await this.disk.open();
    for (let rounds = 0; this.running.length > 0; rounds++) {
      expect(rounds, 'all requests end').toBeLessThan(100);
      for (const work of this.running) await this.advance(work, Number.POSITIVE_INFINITY);
    }
    for (const id of this.forks) await this.compareWithHistory(id);
    await this.compareWithOpened();
  }

  private async take(each: Step): Promise<void> {
    switch (each.step) {
      case 'keep':
      case 'refuse':
        await this.disk.answer(each.step);
        return;
      case 'advance':
      case 'expire': {
        if (this.running.length === 0) return;
        const work = newest(this.running, each.work);
        await (each.step === 'advance' ? this.advance(work, each.checkpoints) : this.settle(work.expire()));
        return;
      }
      case 'reload':
        await this.begin(async () => void (await this.world.load(MODULES[each.module] ?? GRAPH)));
        return;
      default: {
        const isOfFork = each.step === 'promote' || each.step === 'undo' || each.step === 'abort';
        const id = newest(isOfFork ? this.forks.slice(1) : this.forks, each.fork);
        await this.begin(async (deadline) => this.ask(await enter(this.world, id), each, deadline));
      }
    }
  }

  private async ask(session: Session, each: Extract<Step, { fork: number }>, deadline: Deadline): Promise<void> {
    switch (each.step) {
      case 'write': {
        const options = { dryRun: each.isTried, granted: ['forget' as const], effects: each.isTried };
        const [first] = each.writes;
        if (each.writes.length > 1 || first === undefined) await session.batch(each.writes, options, deadline);
        else await session.mutate(first.mutation, first.args, options, deadline);
        return;
      }
      case 'snapshot': {
        const { result } = await session.snapshot({ derived: true }, ALL, deadline);
        expectOneState(result);
        this.snapshots.push(result);
        return;
      }
      case 'list':
        await session.relation('g::apart', ALL, deadline);
        return;
      case 'diff':
        await session.diffForks('main', { layers: ['stored', 'derived'], relation: undefined }, ALL, deadline);
        return;
      case 'explain':
        await session.explain('g::reach', [each.pair.a, each.pair.b], deadline);
        return;
      case 'neither':
        expect((await session.queryAdhoc({ source: NEITHER, module: undefined }, {}, ALL, deadline)).result).toEqual(
          [],
        );
        return;
      case 'derive':
        await session.derive(deadline);
        return;
      case 'promote':
        await session.promote({ dryRun: each.isTried }, deadline);
        return;
      case 'undo':
        await session.undoPromotion({ dryRun: each.isTried }, deadline);
        return;
      case 'abort':
        await session.abort();
        return;
      default: {
        const id = `f${this.forks.length}`;
        await session.createFork({ id, from: session.forkId });
        this.forks.push(id);
      }
    }
  }

  /** A refusal or a timeout is a response too. */
  private async begin(work: (deadline: Deadline) => Promise<void>): Promise<void> {
    const stepped = new SteppedWork(async (deadline) => {
      try {
        await work(deadline);
      } catch (error) {
        const isRefusal = error instanceof ApiError && REFUSALS.includes(error.code.replace('SVC_RUNTIME_', ''));
        if (!isRefusal && !(error instanceof DeadlineExceeded || error instanceof StorageError)) throw error;
      }
    });
    this.running.push(stepped);
    await this.advance(stepped, 0);
  }

  private advance(work: SteppedWork, checkpoints: number): Promise<void> {
    return this.settle(work.advance(checkpoints));
  }

  /** Returns when the work has paused or ended, or waits for the disk or for other paused work. */
  private async settle(taken: Promise<unknown>): Promise<void> {
    taken.catch((error: unknown) => {
      this.failure ??= error;
    });
    await this.disk.settle();
    if (this.failure !== undefined) throw this.failure;
    this.running = this.running.filter(({ isDone }) => !isDone);
  }

  /** A read of a fork equals what its events had made of it by then, apart from later erasures. */
  private async compareWithHistory(id: string): Promise<void> {
    const snapshots = this.snapshots.filter(({ fork }) => fork === id);
    if (snapshots.length === 0) return;
    const events = await this.eventsOf(id);
    const erased = new Set(
      (await this.eventsOf('main')).flatMap(({ kind, id }) => (kind === 'forgetIndividual' ? [id] : [])),
    );
    for (const { txn, facts } of snapshots) {
      const read = facts.map(({ relation, tuple }) => ({ relation, tuple }));
      const made = factsMadeBy(events.filter((event) => event.txn <= txn));
      const left = [read, made].map((each) =>
        each
          .filter(({ tuple }) => !tuple.some((value) => erased.has(value as string)))
          .map((fact) => JSON.stringify(fact)),
      );
      expect([id, txn, left[0]?.sort()]).toEqual([id, txn, left[1]?.sort()]);
    }
  }

  private async eventsOf(id: string): Promise<WireEvent[]> {
    return (await (await enter(this.world, id)).events(ALL, noDeadline)).result;
  }

  private async compareWithOpened(): Promise<void> {
    const opened = await startWorld(GRAPH, { store: this.disk.kept, accept: true });
    const { result: records } = await (await enter(this.world, 'main')).forks(ALL, noDeadline);
    for (const { id } of records) {
      const read = async (world: TestWorld) => {
        const { facts, derived } = (await (await enter(world, id)).snapshot({ derived: true }, ALL, noDeadline)).result;
        return [facts, derived?.filter(({ relation }) => relation !== 'g::far')];
      };
      expect(await read(this.world)).toEqual(await read(opened));
    }
  }
}

function newest<T>(items: readonly T[], back: number): T {
  return items[items.length - 1 - (back % items.length)] as T;
}

function enter(world: TestWorld, id: string) {
  return world.runtime.enter({ ...FRAME, forks: [{ from: 'path', fork: id }] });
}

/** The conclusions are those of exactly these facts. */
function expectOneState({ facts, derived }: Snapshot): void {
  const linesOf = (from: readonly Fact[], path: string) =>
    from.flatMap(({ relation, tuple }) => (relation === path ? [tuple.join(' ')] : [])).sort();
  const [nodes, links] = [linesOf(facts, 'g::Node'), linesOf(facts, 'g::link')];
  const reach = reachOf(links);
  expect(linesOf(derived ?? [], 'g::reach')).toEqual([...reach].sort());
  const pairs = nodes.flatMap((a) => nodes.map((b) => `${a} ${b}`));
  expect(linesOf(derived ?? [], 'g::apart')).toEqual(pairs.filter((each) => !reach.has(each)).sort());
  const sizeOf = (a: string) => [...reach].filter((each) => each.startsWith(`${a} `)).length;
  expect(linesOf(derived ?? [], 'g::sized')).toEqual(nodes.map((a) => `${a} ${sizeOf(a)}`).sort());
}

interface Fact {
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
}

/** The stored facts after all of these events. */
function factsMadeBy(events: readonly WireEvent[]): Fact[] {
  let facts: Fact[] = [];
  const drop = (isMeant: (fact: Fact) => boolean) => {
    facts = facts.filter((fact) => !isMeant(fact));
  };
  for (const { kind, id = '', field = '', value, relation = '', tuple = [] } of events) {
    if (kind === 'insertIndividual') facts.push({ relation: 'g::Node', tuple: [id] });
    else if (kind === 'insertFact') facts.push({ relation, tuple });
    else if (kind === 'deleteFact') drop((fact) => fact.relation === relation && fact.tuple.join() === tuple.join());
    else if (kind === 'deleteIndividual') drop((fact) => fact.tuple.includes(id));
    else if (kind === 'setField') {
      drop((fact) => fact.relation === field && fact.tuple[0] === id);
      if (value !== undefined && value !== null) facts.push({ relation: field, tuple: [id, value] });
    }
  }
  return facts;
}

function reachOf(links: readonly string[]): ReadonlySet<string> {
  const reach = new Set(links);
  for (let size = -1; size !== reach.size; ) {
    size = reach.size;
    for (const each of [...reach]) {
      for (const link of links)
        if (each.split(' ')[1] === link.split(' ')[0]) reach.add(`${each.split(' ')[0]} ${link.split(' ')[1]}`);
    }
  }
  return reach;
}
