/**
 * The derived relations of one component in the states that are read. A line is one evaluation, brought from each state to
 * the next by maintenance; where that would cost more than evaluating anew, or the state is older than the line, another
 * line begins.
 */

import { type Deadline, DeadlineExceeded } from '../../base/ports.js';
import { EvaluationFault } from '../errors.js';
import { evaluateComponent, type TotalsOf } from '../evaluate/evaluate.js';
import { type Inputs, type Materialised, relationOf } from '../evaluate/inputs.js';
import type { CoveringPolicy } from '../index/covering.js';
import { MaintenanceBudget } from '../maintain/budget.js';
import { KeptTotals } from '../maintain/kept-totals.js';
import { isMaintainable, maintainComponent } from '../maintain/maintain.js';
import type { Component } from '../program/program.js';
import { Relation } from '../relation/relation.js';
import { drive, SharedWork } from '../scheduling/drive.js';
import { denseInputs } from './dense-inputs.js';
import {
  isSparse,
  type Line,
  lineOf,
  noteCrowds,
  type Point,
  pointAt,
  rowsChanged,
  rowsRead,
  type Seen,
} from './lines.js';

/** The component in the store that this one was forked from, as it was then. */
export interface Below {
  readonly version: number;
  readonly key: string;
  /** Rows that its evaluation visited, about. */
  readonly cost: number;
  readonly relations: ReadonlyMap<string, Materialised>;
  /** Of its aggregates, where they are known still. */
  readonly totals: KeptTotals | undefined;
  /** A derived relation that it reads as it is there, where that has been asked for. */
  derived(path: string): Materialised | undefined;
}

/** How changes are maintained. */
export interface MaintenancePolicy {
  /** Rows that maintaining a change may visit before it is weighed against evaluating anew. */
  readonly maintenanceCostMin: number;
  readonly covering: CoveringPolicy;
  /** Rows from which on a relation is searched by the first change rather than indexed for it. */
  readonly searchedRowsMin: number;
  /** Values that a group has at least for its total to be kept and brought along. */
  readonly keptCountMin: number;
  /** Times that an evaluation visits a relation's rows, in the mean, for it to read a copy without dead ones. */
  readonly denseVisitsMin: number;
}

interface Work {
  readonly shared: SharedWork<Point>;
  /** Of the state that it derives. */
  readonly version: number;
  /** The line that is being maintained. */
  line: Line | undefined;
}

/** What others that waited for it have instead of the state of a writer that is rolled back. */
class RolledBack extends Error {
  override readonly name = 'RolledBack';
}

/** Lines that are kept: the current one, and what slow readers still need. */
const LINES_KEPT = 3;

export class ComponentStates {
  private readonly component: Component;
  private lines: Line[] = [];
  private readonly works = new Map<string, Work>();

  private readonly budget: MaintenanceBudget;
  private readonly policy: MaintenancePolicy;
  private readonly below: ((deadline: Deadline) => Promise<Below>) | undefined;
  /** The version that its overlays begin at, once it has some. */
  private begunAt = 0;

  constructor(component: Component, policy: MaintenancePolicy, below?: (deadline: Deadline) => Promise<Below>) {
    this.component = component;
    this.budget = new MaintenanceBudget(policy.maintenanceCostMin);
    this.policy = policy;
    this.below = below;
  }

  /** Rows that the last evaluation visited, about. */
  get cost(): number {
    return this.lines.at(-1)?.cost ?? 0;
  }

  /** The component's relations in the state that the inputs have; made where that has not been done or is under way. */
  async at(key: string, inputs: Inputs, deadline: Deadline): Promise<ReadonlyMap<string, Materialised>> {
    if (this.lines.length === 0) await this.goOnFromBelow(inputs, deadline);
    for (;;) {
      const point = this.pointOf(key);
      if (point !== undefined) return point.relations;
      // A line goes on to one state at a time. Who wants another one waits, as evaluating anew would take longer.
      const busy = this.works.has(key) ? undefined : [...this.works].find(([, { line }]) => line !== undefined);
      if (busy === undefined) {
        const work = this.works.get(key) ?? this.start(key, inputs);
        return (await this.finish(key, work, deadline)).relations;
      }
      await this.finish(...busy, deadline).catch((error: unknown) => {
        if (!(error instanceof EvaluationFault || error instanceof RolledBack)) throw error;
      });
    }
  }

  /** The component's relations in the state with this key, where that has been made. */
  known(key: string): ReadonlyMap<string, Materialised> | undefined {
    return this.pointOf(key)?.relations;
  }

  /** A copy of the totals in the state with this key, where a line stands there. */
  totalsAt(key: string): KeptTotals | undefined {
    return this.lines.find(({ points, isBusy }) => !isBusy && points.last?.key === key)?.totals.copy();
  }

  /** In the last state that was evaluated. */
  lastSize(path: string): number | undefined {
    return this.lines.at(-1)?.points.last?.relations.get(path)?.size;
  }

  /** Looked for from the latest one on, which is asked for most. */
  private pointOf(key: string): Point | undefined {
    for (let index = this.lines.length - 1; index >= 0; index--) {
      const point = this.lines[index]?.points.withKey(key);
      if (point !== undefined) return point;
    }
    return undefined;
  }

  private async finish(key: string, work: Work, deadline: Deadline): Promise<Point> {
    this.works.set(key, work);
    try {
      return await work.shared.result(deadline);
    } catch (error) {
      if (!(error instanceof DeadlineExceeded) || error.rule !== undefined) throw error;
      throw new DeadlineExceeded(error.budgetMs, this.component.paths[0]);
    } finally {
      const { shared } = work;
      if (this.works.get(key) === work && (shared.isDone || shared.isAbandoned)) {
        this.works.delete(key);
        this.giveUp(work);
      }
    }
  }

  /** What fails below says nothing of this state. */
  private async goOnFromBelow(inputs: Inputs, deadline: Deadline): Promise<void> {
    try {
      const below = await this.below?.(deadline);
      if (below === undefined) return;
      for (const { relation } of below.relations.values()) await drive(relation.extendIdentityInBlocks(), deadline);
      this.continueFrom(below, inputs);
    } catch (error) {
      if (!(error instanceof EvaluationFault)) throw error;
    }
  }

  /** Begins with an overlay on the component below, where all it reads are overlays too or what is read below. */
  private continueFrom(below: Below, inputs: Inputs): void {
    if (this.lines.length > 0) return;
    const { version, key, cost, relations } = below;
    const sources = new Map<string, Seen>();
    for (const path of this.component.reads) {
      if (relations.has(path)) continue;
      const { relation } = relationOf(inputs, path);
      const unchanged = inputs.program.isRule(path) ? below.derived(path) : undefined;
      if (relation === unchanged?.relation) sources.set(path, unchanged);
      else if (relation.base !== null) sources.set(path, { relation, version });
      else return;
    }
    const overlays = new Map([...relations].map(([path, each]) => [path, Relation.overlay(each)]));
    const materialised = new Map(
      [...relations].map(([path, { size }]) => [path, { relation: overlays.get(path) as Relation, version, size }]),
    );
    const point: Point = { version, key, relations: materialised, inputs: sources };
    const totals = below.totals ?? new KeptTotals(this.policy.keptCountMin, version);
    this.lines.push(lineOf(overlays, cost, totals, point));
    this.begunAt = version;
  }

  /**
   * Begins with what the same component under another program has come to, in a store that has the same codes, versions and
   * states. Whichever of the two comes to a new state first brings a line there; the other finds it there or busy.
   */
  shareWith({ lines, begunAt, budget }: ComponentStates): void {
    for (const line of lines) line.isShared = true;
    this.lines = [...lines];
    this.begunAt = begunAt;
    this.budget.shareWith(budget);
  }

  /** Forgets what a writer derived that has been rolled back. */
  undoTo(version: number): void {
    for (const [key, work] of this.works) {
      if (work.version <= version) continue;
      this.works.delete(key);
      work.shared.abandon(new RolledBack(`${this.component.paths[0]} is derived for a writer that is rolled back`));
      this.giveUp(work);
    }
    for (const line of this.lines) {
      if ((line.points.last?.version ?? 0) <= version) continue;
      line.points.keep((point) => point.version <= version);
      // A reader of the past may bring the line from its last point to any later version, so that nothing may be left behind it.
      // One without points goes no further, but those who have it under another program may have let go of a point that is read.
      const last = line.points.last?.version ?? version;
      for (const relation of line.relations.values()) relation.undoTo(last);
      line.totals.undoTo(last);
    }
    this.lines = this.lines.filter(({ points }) => points.last !== undefined);
  }

  /** Of the line that has been brought to the most states. */
  get pointsMax(): number {
    return this.lines.reduce((most, { points }) => Math.max(most, points.all.length), 0);
  }

  /** Forgets the states before the committed one whose keys nobody has any more. */
  forgetBetween(inUse: ReadonlySet<string>, committed: number): void {
    for (const line of this.lines) {
      // Each line keeps where it stands, and where a writer that is rolled back takes it back to.
      line.points.keep(
        ({ version, key }, next) =>
          next === undefined || version > committed || next.version > committed || inUse.has(key),
      );
    }
  }

  get isWorking(): boolean {
    return this.works.size > 0;
  }

  get isCrowded(): boolean {
    return this.lines.some(({ relations }) => [...relations.values()].some((relation) => relation.lives.isCrowded));
  }

  /** Takes dead rows out of the way, as `Relation.passOver` does. While it is not working. */
  passOverDead(): void {
    for (const { points, relations, isShared } of this.lines) {
      if (isShared) continue;
      for (const relation of relations.values()) relation.passOver(points.all.map(({ version }) => version));
    }
  }

  /** Forgets the states that nobody can ask for any more. Only while nobody reads. */
  forgetPast(): void {
    const [line] = this.lines.slice(-1);
    this.lines = [];
    if (line === undefined) return;
    line.points.keep((_, next) => next === undefined);
    const point = line.points.last;
    const sparse = [...(point?.relations.values() ?? [])].filter(isSparse);
    // Who has the line too may be reading what it would move.
    if (sparse.length > 0 && line.isShared) return;
    for (const { relation } of sparse) relation.compact(point?.version ?? 0);
    this.lines = [line];
    if (!this.isWorking) this.passOverDead();
  }

  private start(key: string, inputs: Inputs): Work {
    const shared = new SharedWork(this.run(key, inputs, () => work));
    const work: Work = { shared, version: inputs.version, line: undefined };
    return work;
  }

  private *run(key: string, inputs: Inputs, self: () => Work): Generator<void, Point> {
    const { line, point } = this.lineToMaintain(inputs) ?? {};
    const changed = point === undefined ? 0 : rowsChanged(point, inputs);
    const isTried = this.budget.isWorthATry(changed);
    if (
      line !== undefined &&
      point !== undefined &&
      isTried &&
      this.budget.isInProportion(line, changed, rowsRead(point))
    ) {
      line.isBusy = true;
      self().line = line;
      if (yield* this.maintained(line, point, inputs, changed)) {
        const next = pointAt(key, inputs, this.component, line.relations, point);
        line.points.add(next);
        line.isBusy = false;
        self().line = undefined;
        return next;
      }
      this.giveUp(self());
    }
    // As large as it has lately been: room that is not needed takes no memory, and moving to more of it takes time.
    const sizes = (path: string): number[] =>
      this.lines.map(({ points }) => points.last?.relations.get(path)?.size ?? 0);
    const expected = (path: string): number => Math.max(0, ...sizes(path));
    const totals = new KeptTotals(this.policy.keptCountMin, inputs.version);
    const totalsOf: TotalsOf = (task, aggregate) => totals.sideOf(inputs.program, task, aggregate, 'after');
    const dense = yield* denseInputs(inputs, this.component, this.cost / this.policy.denseVisitsMin);
    const { relations, cost } = yield* evaluateComponent(dense, this.component, { expected, totalsOf });
    if (!isTried) this.budget.noteLeftOut({ relations, cost }, (path) => sizes(path).at(-1) ?? 0);
    const first = pointAt(key, inputs, this.component, relations, undefined);
    this.lines.push(lineOf(relations, cost, totals, first));
    this.lines.sort((a, b) => (a.points.last?.version ?? 0) - (b.points.last?.version ?? 0));
    while (this.lines.length > LINES_KEPT)
      this.lines.splice(
        this.lines.findIndex(({ isBusy }) => !isBusy),
        1,
      );
    return first;
  }

  /** False where evaluating anew is better, or has to say what fails. */
  private *maintained(line: Line, point: Point, inputs: Inputs, changed: number): Generator<void, boolean> {
    const { covering, searchedRowsMin } = this.policy;
    try {
      const cost = yield* maintainComponent(this.component, line.relations, point, inputs, {
        costMax: this.budget.costMaxOf(line),
        covering: line.changes >= covering.changesMin ? covering : null,
        searchedRowsMin,
        totals: line.totals,
      });
      const isDone = cost !== 'too much';
      if (isDone) line.changes += 1;
      if (cost !== 'little') noteCrowds(point);
      this.budget.noteTry(isDone, changed);
      return isDone;
    } catch (error) {
      if (error instanceof EvaluationFault) return false;
      throw error;
    }
  }

  /** The line that can be brought to the inputs, and where it stands. */
  private lineToMaintain(inputs: Inputs): { readonly line: Line; readonly point: Point } | undefined {
    const line = this.lines.findLast(({ points }) => (points.last?.version ?? 0) < inputs.version);
    const last = line?.points.last;
    if (line === undefined || last === undefined || line.isBusy || line !== this.lines.at(-1)) return undefined;
    if (!isMaintainable(inputs.program, this.component)) return undefined;
    const seen = new Map<string, Seen>();
    for (const [path, before] of last.inputs) {
      const { relation, version } = relationOf(inputs, path);
      const isWhole = relation.lives.compactedAt <= before.version || version === before.version;
      if (relation === before.relation && isWhole) seen.set(path, before);
      // It has been read below so far, where it was at the beginning what it is now an overlay on.
      else if (relation.base?.relation === before.relation) seen.set(path, { relation, version: this.begunAt });
      else return undefined;
    }
    return { line, point: { ...last, inputs: seen } };
  }

  /** Takes back what an interrupted maintenance has done. */
  private giveUp(work: Work): void {
    const { line } = work;
    if (line === undefined) return;
    const last = line.points.last?.version ?? 0;
    for (const relation of line.relations.values()) relation.undoTo(last);
    line.totals.undoTo(last);
    line.isBusy = false;
    work.line = undefined;
  }
}
