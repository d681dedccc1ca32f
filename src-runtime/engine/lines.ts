/** Lines of states: what one evaluation of a component has been brought to, change after change. */

import { type Inputs, type Materialised, relationOf } from './inputs.js';
import type { KeptTotals } from './maintain/kept-totals.js';
import type { Component } from './program.js';
import type { Relation } from './relation.js';
import { balanceBetween, countOfChanges } from './row-changes.js';

/** A relation as a version sees it. */
export interface Seen {
  readonly relation: Relation;
  readonly version: number;
}

/** A state that a line has been brought to. */
export interface Point {
  readonly version: number;
  /** Equal for states that agree in everything the component reads. */
  readonly key: string;
  readonly relations: ReadonlyMap<string, Materialised>;
  /** What it was made from. */
  readonly inputs: ReadonlyMap<string, Seen>;
}

export interface Line {
  readonly relations: ReadonlyMap<string, Relation>;
  /** Rows that the evaluation visited, about. */
  readonly cost: number;
  /** Of its aggregates, where it stands. */
  readonly totals: KeptTotals;
  /** Changes that have been maintained. */
  changes: number;
  /** Ascending by version; never empty once the line is whole. */
  points: Point[];
  isBusy: boolean;
  /** Whether the component under another program goes on from it too, so that its rows have to stay where they are. */
  isShared: boolean;
}

/** How many rows of what the component reads were born or have died since the point, at most. */
export function rowsChanged(point: Point, inputs: Inputs): number {
  let changed = 0;
  for (const [path, { relation, version }] of point.inputs)
    changed += countOfChanges(relation, version, relationOf(inputs, path).version);
  return changed;
}

/** Rows of what the component reads at the point. */
export function rowsRead({ inputs }: Point): number {
  let rows = 0;
  for (const { relation, version } of inputs.values()) rows += relation.bornBy(version);
  return rows;
}

/** Whether its rows are worth to be moved together. */
export function isSparse({ relation, size }: Materialised): boolean {
  return ((relation.count > 64 && size * 2 < relation.count) || relation.isCrowded) && relation.base === null;
}

/** Dead rows of a relation that may be what made maintenance cost too much. */
const CROWD = 64;

/**
 * Notes what a maintenance that has cost too much may have come by in vain, over and over: a fact that comes and goes leaves a
 * dead row each time, and all of them are found by its key.
 */
export function noteCrowds({ inputs }: Point): void {
  for (const { relation } of inputs.values()) if (relation.crowd >= CROWD) relation.isCrowded = true;
}

export function pointAt(
  key: string,
  inputs: Inputs,
  component: Component,
  relations: ReadonlyMap<string, Relation>,
  before: Point | undefined,
): Point {
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
