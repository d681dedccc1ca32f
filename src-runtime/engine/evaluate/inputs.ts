/** What an evaluation reads: one state of the stored relations and of the derived ones below it. */

import { expectedRows } from '../plan/expected-rows.js';
import type { SourceRole, SourceRows, SourceSpec } from '../plan/sources.js';
import type { Access } from '../plan/unit.js';
import type { EngineProgram } from '../program/program.js';
import type { Relation } from '../relation/relation.js';
import type { Interner } from '../values/codec.js';

/** A derived relation in one state: the rows that the version sees. */
export interface Materialised {
  readonly relation: Relation;
  readonly version: number;
  readonly size: number;
}

/** One state to evaluate on. */
export interface Inputs {
  readonly program: EngineProgram;
  readonly interner: Interner;
  readonly version: number;
  readonly factsMax: number;
  stored(path: string): Relation;
  derived(path: string): Materialised;
}

/** A relation and the version at which the state sees it. */
export function relationOf(inputs: Inputs, path: string): { readonly relation: Relation; readonly version: number } {
  return inputs.program.isRule(path)
    ? inputs.derived(path)
    : { relation: inputs.stored(path), version: inputs.version };
}

/** The rows that the state has of a relation. */
export function rowsOfInput(inputs: Inputs, spec: SourceSpec): SourceRows {
  const seen = relationOf(inputs, spec.path);
  // A chain that a plan was made to read as one relation stays one: what overlays get meanwhile is of later versions.
  const { relation, version } = spec.isLayered ? seen : lowestOf(seen);
  const isBounded = spec.role === 'prefix' || spec.role === 'whole' || spec.role === 'wholeLower';
  // Since the plan was chosen others may have added rows here, and undone them.
  const high = isBounded ? relation.seenEnd(version) : relation.count;
  return { relation, version, low: 0, high };
}

interface RelationVersion {
  readonly relation: Relation;
  readonly version: number;
}

/** The relation at the ground of a chain of overlays, as the chain sees it where no overlay has changed anything. */
function lowestOf(seen: RelationVersion): RelationVersion {
  const { base } = seen.relation;
  return base === null ? seen : lowestOf(base);
}

function isChanged({ base, count, tombstones }: Relation): boolean {
  return base !== null && (count > 0 || !tombstones.isEmpty || isChanged(base.relation));
}

/** What to expect of a relation of which nothing is known yet. */
const GROWING_SIZE = 10_000;
const GROWING_ROWS = 30;

/** How to read these relations, and a key that is equal where the same plan serves. */
export function readAs(
  inputs: Inputs,
  paths: Iterable<string>,
  isGrowing: (path: string) => boolean = () => false,
): { readonly key: string; readonly access: Access } {
  const isLayered = (path: string): boolean => isChanged(relationOf(inputs, path).relation);
  let key = '';
  for (const path of paths) {
    if (isGrowing(path)) continue;
    const { relation } = relationOf(inputs, path);
    key += `${magnitude(relation)}${plainRole(inputs, path).charAt(0)}${isLayered(path) ? 'o' : ''} `;
  }
  const access: Access = {
    roleOf: (path) => (isGrowing(path) ? 'all' : plainRole(inputs, path)),
    isLayered: (path) => !isGrowing(path) && isLayered(path),
    rowsOf: (path, columns) => {
      if (!isGrowing(path)) return expectedRows(relationOf(inputs, path).relation, columns);
      return columns.length === 0 ? GROWING_SIZE : GROWING_ROWS;
    },
  };
  return { key, access };
}

/** How the rows of a relation that the state sees are told from others. */
export function plainRole(inputs: Inputs, path: string): SourceRole {
  const seen = relationOf(inputs, path);
  const { relation } = isChanged(seen.relation) ? seen : lowestOf(seen);
  return !relation.versioned ? 'whole' : relation.lifetimes.hasHoles ? 'versioned' : 'prefix';
}

/** Plans serve as long as their relations stay of one order of magnitude: 0 for none, 1 for about ten rows. */
export function magnitude({ end }: Relation): number {
  return Math.round(Math.log10(end + 1));
}
