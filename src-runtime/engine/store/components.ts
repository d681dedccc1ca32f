/**
 * The derived relations of one component in the states that are read. A timeline is one evaluation, brought from state
 * to state by maintenance. A new timeline begins if re-evaluation costs less, or if the state is older than the
 * timeline.
 */

import type { Deadline } from '../../base/ports.js';
import { EvaluationFault } from '../errors.js';
import { evaluateComponent, type TotalsOf } from '../evaluate/evaluate.js';
import { type Inputs, type Materialised, relationOf } from '../evaluate/inputs.js';
import { isMaintainable, maintainComponent } from '../maintain/maintain.js';
import { MaintainedTotals } from '../maintain/maintained-totals.js';
import { MaintenanceBudget } from '../maintain/maintenance-budget.js';
import { isKept } from '../program/kept-values.js';
import type { Component, EngineProgram } from '../program/program.js';
import { Relation } from '../relation/relation.js';
import { derivingDeadline } from '../scheduling/deriving.js';
import { drive, SharedWork } from '../scheduling/drive.js';
import { TryingInterner } from '../values/codec.js';
import { denseInputs } from './dense-inputs.js';
import {
  isSparse,
  noteDeadRows,
  pointAt,
  type RelationVersion,
  rowsChanged,
  rowsRead,
  type Timeline,
  type TimelinePoint,
  timelineOf,
} from './timelines.js';

/** The component in the store that this one was forked from, as of the fork. */
export interface ParentComponent {
  readonly version: number;
  readonly key: string;
  /** Rows that its evaluation visited, approximately. */
  readonly cost: number;
  readonly relations: ReadonlyMap<string, Materialised>;
  /** Of its aggregates, if still known. */
  readonly totals: MaintainedTotals | undefined;
  /** A derived relation that it reads unchanged, if it has been evaluated there. */
  derived(path: string): Materialised | undefined;
}

/** How changes are maintained. */
export interface MaintenancePolicy {
  /** Maintaining a change may visit this many rows before its cost is compared with re-evaluation. */
  readonly maintenanceCostMin: number;
  /** From this many rows on, the first change scans a relation instead of building an index. */
  readonly searchedRowsMin: number;
  /** The total of a group is kept and updated if it has at least this many values. */
  readonly maintainedCountMin: number;
  /** From this many visits of a row on average, an evaluation reads a copy without deleted rows. */
  readonly denseVisitsMin: number;
}

interface Work {
  readonly shared: SharedWork<TimelinePoint>;
  readonly program: EngineProgram;
  /** Of the state that it derives. */
  readonly version: number;
  /** The timeline that is being maintained. */
  timeline: Timeline | undefined;
  /** Values that only this work has met. They are dropped with it. */
  values: TryingInterner | undefined;
}

/** For requests that waited for the state of a writer that was rolled back. */
class RolledBack extends Error {
  override readonly name = 'RolledBack';
}

/** The current timeline, and those that slow readers still need. */
const TIMELINES_MAX = 3;

export class ComponentStates {
  private readonly component: Component;
  private timelines: Timeline[] = [];
  private readonly works = new Map<string, Work>();

  private readonly budget: MaintenanceBudget;
  private readonly policy: MaintenancePolicy;
  private readonly parent: ((deadline: Deadline) => Promise<ParentComponent>) | undefined;
  /** The version at which its overlays begin. */
  private begunAt = 0;
  /** True if it reads the states of another store. It derives new states without changing those. */
  private isGuest = false;

  constructor(
    component: Component,
    policy: MaintenancePolicy,
    parent?: (deadline: Deadline) => Promise<ParentComponent>,
  ) {
    this.component = component;
    this.budget = new MaintenanceBudget(policy.maintenanceCostMin);
    this.policy = policy;
    this.parent = parent;
  }

  /** Rows that the last evaluation visited, approximately. */
  get cost(): number {
    return this.timelines.at(-1)?.cost ?? 0;
  }

  /** The component's relations in the state of the inputs. Derives them if needed, or waits for work under way. */
  async at(key: string, inputs: Inputs, deadline: Deadline): Promise<ReadonlyMap<string, Materialised>> {
    if (this.timelines.length === 0) await this.continueFromParent(inputs, deadline);
    for (;;) {
      const point = this.pointOf(key);
      if (point !== undefined) return point.relations;
      // A timeline advances to one state at a time. Waiting for another state takes less than re-evaluation.
      const busy = this.works.has(key) ? undefined : [...this.works].find(([, { timeline }]) => timeline !== undefined);
      if (busy === undefined) {
        const work = this.works.get(key) ?? this.start(key, inputs);
        return (await this.finish(key, work, deadline)).relations;
      }
      await this.finish(...busy, deadline).catch((error: unknown) => {
        if (!(error instanceof EvaluationFault || error instanceof RolledBack)) throw error;
      });
    }
  }

  /** The component's relations in the state with this key, if derived. */
  known(key: string): ReadonlyMap<string, Materialised> | undefined {
    return this.pointOf(key)?.relations;
  }

  get hasStates(): boolean {
    return this.timelines.length > 0;
  }

  /** A copy of the totals in the state with this key, if a timeline has it. */
  totalsAt(key: string): MaintainedTotals | undefined {
    return this.timelines.find(({ points, isBusy }) => !isBusy && points.last?.key === key)?.totals.copy();
  }

  /** In the last derived state. */
  lastSize(path: string): number | undefined {
    return this.timelines.at(-1)?.points.last?.relations.get(path)?.size;
  }

  /** Searches from the latest timeline, which is requested most. */
  private pointOf(key: string): TimelinePoint | undefined {
    for (let index = this.timelines.length - 1; index >= 0; index--) {
      const point = this.timelines[index]?.points.withKey(key);
      if (point !== undefined) return point;
    }
    return undefined;
  }

  private async finish(key: string, work: Work, deadline: Deadline): Promise<TimelinePoint> {
    this.works.set(key, work);
    const { paths, recursive } = this.component;
    const kept = recursive ? paths.find((path) => isKept(work.program, path)) : undefined;
    try {
      return await work.shared.result(derivingDeadline(deadline, kept ?? paths[0] ?? '', kept !== undefined));
    } finally {
      const { shared } = work;
      if (this.works.get(key) === work && (shared.isDone || shared.isAbandoned)) {
        this.works.delete(key);
        this.giveUp(work);
      }
    }
  }

  /** A fault in the parent says nothing about this state. */
  private async continueFromParent(inputs: Inputs, deadline: Deadline): Promise<void> {
    try {
      const parent = await this.parent?.(deadline);
      if (parent === undefined) return;
      for (const { relation } of parent.relations.values()) await drive(relation.extendIdentityInBlocks(), deadline);
      this.overlay(parent, inputs);
    } catch (error) {
      if (!(error instanceof EvaluationFault)) throw error;
    }
  }

  /** Begins with overlays on the parent's component, if its inputs are overlays too or are read in the parent. */
  private overlay(parent: ParentComponent, inputs: Inputs): void {
    if (this.timelines.length > 0) return;
    const { version, key, cost, relations } = parent;
    const sources = new Map<string, RelationVersion>();
    for (const path of this.component.reads) {
      if (relations.has(path)) continue;
      const { relation } = relationOf(inputs, path);
      const unchanged = inputs.program.isRule(path) ? parent.derived(path) : undefined;
      if (relation === unchanged?.relation) sources.set(path, unchanged);
      else if (relation.base !== null) sources.set(path, { relation, version });
      else return;
    }
    const overlays = new Map([...relations].map(([path, each]) => [path, Relation.overlay(each)]));
    const materialised = new Map(
      [...relations].map(([path, { size }]) => [path, { relation: overlays.get(path) as Relation, version, size }]),
    );
    const point: TimelinePoint = { version, key, relations: materialised, inputs: sources };
    const totals = parent.totals ?? new MaintainedTotals(this.policy.maintainedCountMin, version);
    this.timelines.push(timelineOf(overlays, cost, totals, point));
    this.begunAt = version;
  }

  /**
   * Continues from the same component under another program, in a store with the same codes, versions and states. The
   * program that needs a new state first advances the shared timeline; the other finds it there or busy. A guest never
   * advances it.
   */
  shareWith({ timelines, begunAt, budget }: ComponentStates, isGuest: boolean): void {
    this.isGuest = isGuest;
    if (!isGuest) for (const timeline of timelines) timeline.isShared = true;
    this.timelines = [...timelines];
    this.begunAt = begunAt;
    this.budget.shareWith(budget);
  }

  /** Drops what was derived for a writer that was rolled back. */
  undoTo(version: number): void {
    for (const [key, work] of this.works) {
      if (work.version <= version) continue;
      this.works.delete(key);
      work.shared.abandon(new RolledBack(`${this.component.paths[0]} is derived for a writer that is rolled back`));
      this.giveUp(work);
    }
    for (const timeline of this.timelines) {
      if ((timeline.points.last?.version ?? 0) <= version) continue;
      timeline.points.keep((point) => point.version <= version);
      // A reader of an old state may advance the timeline from its last point, so later rows must go. A timeline
      // without points never advances, but the other program may have dropped a point that is still read.
      const last = timeline.points.last?.version ?? version;
      for (const relation of timeline.relations.values()) relation.undoTo(last);
      timeline.totals.undoTo(last);
    }
    this.timelines = this.timelines.filter(({ points }) => points.last !== undefined);
  }

  /** Of the timeline with the most states. */
  get pointsMax(): number {
    return this.timelines.reduce((most, { points }) => Math.max(most, points.all.length), 0);
  }

  /** Drops states before the committed one whose keys nobody holds. */
  dropUnseen(inUse: ReadonlySet<string>, committed: number): void {
    for (const timeline of this.timelines) {
      // Each timeline keeps its last state, and the one that a rollback returns to.
      timeline.points.keep(
        ({ version, key }, next) =>
          next === undefined || version > committed || next.version > committed || inUse.has(key),
      );
    }
  }

  get isWorking(): boolean {
    return this.works.size > 0;
  }

  get needsVacuum(): boolean {
    return this.timelines.some(({ relations }) =>
      [...relations.values()].some((relation) => relation.lifetimes.needsVacuum),
    );
  }

  /** Unlinks deleted rows, as `Relation.vacuum` does. Not while it is working. */
  vacuum(): void {
    for (const { points, relations, isShared } of this.timelines) {
      if (isShared) continue;
      for (const relation of relations.values()) relation.vacuum(points.all.map(({ version }) => version));
    }
  }

  /** Drops states that can no longer be requested. Only while no reader is open. */
  dropPast(): void {
    const [timeline] = this.timelines.slice(-1);
    this.timelines = [];
    if (timeline === undefined) return;
    timeline.points.keep((_, next) => next === undefined);
    const point = timeline.points.last;
    const sparse = [...(point?.relations.values() ?? [])].filter(isSparse);
    // A sharer of the timeline may be reading the rows that would move.
    if (sparse.length > 0 && timeline.isShared) return;
    for (const { relation } of sparse) relation.compact(point?.version ?? 0);
    this.timelines = [timeline];
    if (!this.isWorking) this.vacuum();
  }

  private start(key: string, inputs: Inputs): Work {
    const { program, version, interner } = inputs;
    // A writer drops its values if it is rolled back.
    const values = interner instanceof TryingInterner ? undefined : interner.trying();
    const run = this.run(key, { ...inputs, interner: values ?? interner }, () => work);
    const work: Work = { shared: new SharedWork(kept(run, () => work)), program, version, timeline: undefined, values };
    return work;
  }

  private *run(key: string, inputs: Inputs, self: () => Work): Generator<void, TimelinePoint> {
    const { timeline, point } = this.timelineToMaintain(inputs) ?? {};
    const changed = point === undefined ? 0 : rowsChanged(point, inputs);
    const isTried = this.budget.isWorthAttempting(changed);
    if (
      timeline !== undefined &&
      point !== undefined &&
      isTried &&
      this.budget.isInProportion(timeline, changed, rowsRead(point))
    ) {
      timeline.isBusy = true;
      self().timeline = timeline;
      if (yield* this.maintained(timeline, point, inputs, changed)) {
        const next = pointAt(key, inputs, this.component, timeline.relations, point);
        timeline.points.add(next);
        timeline.isBusy = false;
        self().timeline = undefined;
        return next;
      }
      this.undoMaintenance(self());
    }
    // Recent sizes are a good guess: unused room takes no memory, and growing takes time.
    const sizes = (path: string): number[] =>
      this.timelines.map(({ points }) => points.last?.relations.get(path)?.size ?? 0);
    const expected = (path: string): number => Math.max(0, ...sizes(path));
    const totals = new MaintainedTotals(this.policy.maintainedCountMin, inputs.version);
    const totalsOf: TotalsOf = (task, aggregate) => totals.sideOf(inputs.program, task, aggregate, 'after');
    const dense = yield* denseInputs(inputs, this.component, this.cost / this.policy.denseVisitsMin);
    const { relations, cost } = yield* evaluateComponent(dense, this.component, { expected, totalsOf });
    if (!isTried) this.budget.noteSkipped({ relations, cost }, (path) => sizes(path).at(-1) ?? 0);
    const first = pointAt(key, inputs, this.component, relations, undefined);
    this.timelines.push(timelineOf(relations, cost, totals, first));
    this.timelines.sort((a, b) => (a.points.last?.version ?? 0) - (b.points.last?.version ?? 0));
    while (this.timelines.length > TIMELINES_MAX)
      this.timelines.splice(
        this.timelines.findIndex(({ isBusy }) => !isBusy),
        1,
      );
    return first;
  }

  /** False if re-evaluation is better, or has to report a fault. */
  private *maintained(
    timeline: Timeline,
    point: TimelinePoint,
    inputs: Inputs,
    changed: number,
  ): Generator<void, boolean> {
    try {
      const cost = yield* maintainComponent(this.component, timeline.relations, point, inputs, {
        costMax: this.budget.costMaxOf(timeline),
        searchedRowsMin: this.policy.searchedRowsMin,
        totals: timeline.totals,
      });
      const isDone = cost !== 'too much';
      if (cost !== 'little') noteDeadRows(point);
      this.budget.noteAttempt(isDone, changed);
      return isDone;
    } catch (error) {
      if (error instanceof EvaluationFault) return false;
      throw error;
    }
  }

  /** The timeline to advance to the inputs, and its last point. */
  private timelineToMaintain(
    inputs: Inputs,
  ): { readonly timeline: Timeline; readonly point: TimelinePoint } | undefined {
    if (this.isGuest) return undefined;
    const timeline = this.timelines.findLast(({ points }) => (points.last?.version ?? 0) < inputs.version);
    const last = timeline?.points.last;
    if (timeline === undefined || last === undefined || timeline.isBusy || timeline !== this.timelines.at(-1))
      return undefined;
    const isFounded = [...timeline.relations.values()].every(({ ownRanks }) => ownRanks.history === null);
    if (!isFounded || !isMaintainable(inputs.program, this.component)) return undefined;
    const seen = new Map<string, RelationVersion>();
    for (const [path, before] of last.inputs) {
      const { relation, version } = relationOf(inputs, path);
      const isWhole = relation.lifetimes.compactedAt <= before.version || version === before.version;
      if (relation === before.relation && isWhole) seen.set(path, before);
      // Until now it was read in the parent, and its overlay began with that same relation.
      else if (relation.base?.relation === before.relation) seen.set(path, { relation, version: this.begunAt });
      else return undefined;
    }
    return { timeline, point: { ...last, inputs: seen } };
  }

  /** Undoes interrupted work. */
  private giveUp(work: Work): void {
    this.undoMaintenance(work);
    work.values?.drop(false);
    work.values = undefined;
  }

  private undoMaintenance(work: Work): void {
    const { timeline } = work;
    if (timeline === undefined) return;
    const last = timeline.points.last?.version ?? 0;
    for (const relation of timeline.relations.values()) relation.undoTo(last);
    timeline.totals.undoTo(last);
    timeline.isBusy = false;
    work.timeline = undefined;
  }
}

/** Keeps the values that the work has met, once it is done. */
function* kept<T>(run: Generator<void, T>, self: () => Work): Generator<void, T> {
  const result = yield* run;
  const work = self();
  work.values?.keep();
  work.values = undefined;
  return result;
}
