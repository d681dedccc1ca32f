/** Timelines: the states that one evaluation of a component has been brought to, change after change. */

import { type Inputs, type Materialised, relationOf } from '../evaluate/inputs.js';
import type { MaintainedTotals } from '../maintain/maintained-totals.js';
import type { Component } from '../program/program.js';
import type { Relation } from '../relation/relation.js';
import { balanceBetween, countOfChanges } from '../relation/row-changes.js';

/** A relation as a version sees it. */
export interface RelationVersion {
  readonly relation: Relation;
  readonly version: number;
}

/** A state of a timeline. */
export interface TimelinePoint {
  readonly version: number;
  /** Equal for states with equal inputs. */
  readonly key: string;
  readonly relations: ReadonlyMap<string, Materialised>;
  /** The inputs that it was derived from. */
  readonly inputs: ReadonlyMap<string, RelationVersion>;
}

/**
 * The states of a timeline, ascending by version. A finished timeline has at least one. A batch adds one with each
 * step.
 */
class TimelinePoints {
  private list: TimelinePoint[] = [];
  private readonly byKey = new Map<string, TimelinePoint>();

  constructor(first: TimelinePoint) {
    this.add(first);
  }

  get all(): readonly TimelinePoint[] {
    return this.list;
  }

  get last(): TimelinePoint | undefined {
    return this.list.at(-1);
  }

  withKey(key: string): TimelinePoint | undefined {
    return this.byKey.get(key);
  }

  /** Keys are unique. */
  add(point: TimelinePoint): void {
    this.list.push(point);
    this.byKey.set(point.key, point);
  }

  /** Drops the points for which the predicate is false. It gets the next point too. */
  keep(isKept: (point: TimelinePoint, next: TimelinePoint | undefined) => boolean): void {
    const { list } = this;
    this.list = list.filter((point, at) => isKept(point, list[at + 1]));
    this.byKey.clear();
    for (const point of this.list) this.byKey.set(point.key, point);
  }
}

export interface Timeline {
  readonly relations: ReadonlyMap<string, Relation>;
  /** Rows that the evaluation visited, approximately. */
  readonly cost: number;
  /** Of its aggregates, at its last point. */
  readonly totals: MaintainedTotals;
  readonly points: TimelinePoints;
  isBusy: boolean;
  /** Whether another program continues from it too, so that its rows must not move. */
  isShared: boolean;
}

/** A timeline at its first state. */
export function timelineOf(
  relations: ReadonlyMap<string, Relation>,
  cost: number,
  totals: MaintainedTotals,
  first: TimelinePoint,
): Timeline {
  return { relations, cost, totals, points: new TimelinePoints(first), isBusy: false, isShared: false };
}

/** An upper bound of the input rows created or deleted since the point. */
export function rowsChanged(point: TimelinePoint, inputs: Inputs): number {
  let changed = 0;
  for (const [path, { relation, version }] of point.inputs)
    changed += countOfChanges(relation, version, relationOf(inputs, path).version);
  return changed;
}

/** Input rows at the point. */
export function rowsRead({ inputs }: TimelinePoint): number {
  let rows = 0;
  for (const { relation, version } of inputs.values()) rows += relation.createdEnd(version);
  return rows;
}

/** Whether compaction is worth it. */
export function isSparse({ relation, size }: Materialised): boolean {
  return (
    ((relation.count > 64 && size * 2 < relation.count) || relation.lifetimes.needsVacuum) && relation.base === null
  );
}

/** From this many on, deleted rows may be why maintenance cost much. */
const DEAD_ROWS_MIN = 16;

/**
 * Requests a vacuum of inputs after an expensive maintenance. A fact that comes and goes leaves a deleted row each
 * time, and lookups of its key read all of them.
 */
export function noteDeadRows({ inputs }: TimelinePoint): void {
  for (const { relation } of inputs.values())
    if (relation.lifetimes.deadRows >= DEAD_ROWS_MIN) relation.lifetimes.needsVacuum = true;
}

export function pointAt(
  key: string,
  inputs: Inputs,
  component: Component,
  relations: ReadonlyMap<string, Relation>,
  before: TimelinePoint | undefined,
): TimelinePoint {
  const { version } = inputs;
  const materialised = new Map<string, Materialised>();
  for (const [path, relation] of relations) {
    const old = before?.relations.get(path);
    const size = old === undefined ? relation.count : old.size + balanceBetween(relation, old.version, version);
    materialised.set(path, { relation, version, size });
  }
  const read = [...component.reads].filter((path) => !relations.has(path));
  return {
    version,
    key,
    relations: materialised,
    inputs: new Map(read.map((path) => [path, relationOf(inputs, path)])),
  };
}
