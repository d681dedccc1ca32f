/** The inputs of an evaluation: one state of the stored relations and of the derived relations that it reads. */

import type { Condition, Type } from '../../artifact/types.js';
import { expectedRows } from '../plan/physical/expected-rows.js';
import type { SourceRole, SourceRows, SourceSpec } from '../plan/physical/sources.js';
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
  /** True if rules have only the facts that one question asks for. */
  readonly isPart?: boolean;
  /** Derives more of them for a search. */
  readonly asking?: Asking | undefined;
  stored(path: string): Relation;
  derived(path: string): Materialised;
}

/** Derives the facts that a search needs. The results are false if only whole rules can tell. */
export interface Asking {
  /** The facts of this pattern; null matches anything. */
  facts(path: string, pattern: readonly (number | null)[]): Generator<void, boolean>;
  /** The facts that solutions with these codes of variables consist of. */
  solutions(
    condition: Condition,
    bound: ReadonlyMap<string, number>,
    types: ReadonlyMap<string, Type>,
  ): Generator<void, boolean>;
  /** Before proofs are read from the facts. Nothing more can be asked for. */
  settle(): Generator<void, void>;
}

/** A relation, and the version of it that belongs to the state. */
export function relationOf(inputs: Inputs, path: string): { readonly relation: Relation; readonly version: number } {
  return inputs.program.isRule(path)
    ? inputs.derived(path)
    : { relation: inputs.stored(path), version: inputs.version };
}

/** The rows of a relation in the state. */
export function rowsOfInput(inputs: Inputs, spec: SourceSpec): SourceRows {
  const seen = relationOf(inputs, spec.path);
  // A chain that a plan reads as one relation stays one: later rows of overlays belong to later versions.
  const { relation, version } = spec.isLayered ? seen : lowestOf(seen);
  const isBounded = spec.role === 'prefix' || spec.role === 'whole' || spec.role === 'wholeLower';
  // Since the plan was chosen, others may have added rows and undone them.
  const high = isBounded ? relation.seenEnd(version) : relation.count;
  return { relation, version, low: 0, high };
}

interface RelationVersion {
  readonly relation: Relation;
  readonly version: number;
}

/** The lowest relation of a chain of overlays without changes. */
function lowestOf(seen: RelationVersion): RelationVersion {
  const { base } = seen.relation;
  return base === null ? seen : lowestOf(base);
}

function isChanged({ base, count, tombstones }: Relation): boolean {
  return base !== null && (count > 0 || !tombstones.isEmpty || isChanged(base.relation));
}

/** Assumptions about a relation of which nothing is known yet. */
const GROWING_SIZE = 10_000;
const GROWING_ROWS = 30;

/** How to read these relations, and a key that is equal if the same plan fits. */
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

/** How visible rows of a relation are distinguished from others. */
export function plainRole(inputs: Inputs, path: string): SourceRole {
  const seen = relationOf(inputs, path);
  const { relation } = isChanged(seen.relation) ? seen : lowestOf(seen);
  return !relation.versioned ? 'whole' : relation.lifetimes.hasHoles ? 'versioned' : 'prefix';
}

/** Plans stay valid while relations keep their order of magnitude: 0 for none, 1 for about ten rows. */
export function magnitude({ end }: Relation): number {
  return Math.round(Math.log10(end + 1));
}
