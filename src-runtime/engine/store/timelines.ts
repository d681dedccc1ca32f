/** Lines of states: what one evaluation of a component has been brought to, change after change. */

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

/** A state that a line has been brought to. */
export interface TimelinePoint {
  readonly version: number;
  /** Equal for states that agree in everything the component reads. */
  readonly key: string;
  readonly relations: ReadonlyMap<string, Materialised>;
  /** What it was made from. */
  readonly inputs: ReadonlyMap<string, RelationVersion>;
}

/** The states of a line, ascending by version; never none once the line is whole. A batch brings a line to one more with each step. */
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

  /** No other has its key. */
  add(point: TimelinePoint): void {
    this.list.push(point);
    this.byKey.set(point.key, point);
  }

  /** Drops those that the predicate does not keep, which is told the one behind each. */
  keep(isKept: (point: TimelinePoint, next: TimelinePoint | undefined) => boolean): void {
    const { list } = this;
    this.list = list.filter((point, at) => isKept(point, list[at + 1]));
    this.byKey.clear();
    for (const point of this.list) this.byKey.set(point.key, point);
  }
}

export interface Timeline {
  readonly relations: ReadonlyMap<string, Relation>;
  /** Rows that the evaluation visited, about. */
  readonly cost: number;
  /** Of its aggregates, where it stands. */
  readonly totals: MaintainedTotals;
  /** Changes that have been maintained. */
  changes: number;
  readonly points: TimelinePoints;
  isBusy: boolean;
  /** Whether the component under another program goes on from it too, so that its rows have to stay where they are. */
  isShared: boolean;
}

/** One that stands at its first state. */
export function timelineOf(
  relations: ReadonlyMap<string, Relation>,
  cost: number,
  totals: MaintainedTotals,
  first: TimelinePoint,
): Timeline {
  return { relations, cost, totals, changes: 0, points: new TimelinePoints(first), isBusy: false, isShared: false };
}

/** How many rows of what the component reads were born or have died since the point, at most. */
export function rowsChanged(point: TimelinePoint, inputs: Inputs): number {
  let changed = 0;
  for (const [path, { relation, version }] of point.inputs)
    changed += countOfChanges(relation, version, relationOf(inputs, path).version);
  return changed;
}

/** Rows of what the component reads at the point. */
export function rowsRead({ inputs }: TimelinePoint): number {
  let rows = 0;
  for (const { relation, version } of inputs.values()) rows += relation.createdEnd(version);
  return rows;
}

/** Whether its rows are worth to be moved together. */
export function isSparse({ relation, size }: Materialised): boolean {
  return (
    ((relation.count > 64 && size * 2 < relation.count) || relation.lifetimes.needsVacuum) && relation.base === null
  );
}

/** Dead rows of a relation that may be what made maintenance cost much. */
const DEAD_ROWS_MIN = 16;

/**
 * Notes what a maintenance that has cost much may have come by in vain, over and over: a fact that comes and goes leaves a
 * dead row each time, and all of them are found by its key.
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
