/** Sources of plans: relations, each in one of several roles, and their state at run time. */

import type { HashIndex } from '../../index/hash-index.js';
import type { Layout } from '../../index/layout.js';
import type { Layer } from '../../relation/overlays.js';
import type { Relation } from '../../relation/relation.js';

/**
 * How a source is read. `whole`: all rows of a relation without versions. `prefix`: the first rows of a relation
 * without deletions. `versioned`: the rows that a version sees.
 *
 * A growing relation is read between row numbers: `delta` has the rows of the last round, `old` those before, `all`
 * both.
 *
 * Maintenance reads inputs `before` and `after` a change, and its own relations with their ranks: `member` after it,
 * `former` before it, `supporting` only rows of lower rank than the given row. `given` is a set of tuples.
 *
 * A proof reads rows with a rank `lower` than a bound; `wholeLower` is the same without versions.
 */
export type SourceRole =
  | 'whole'
  | 'prefix'
  | 'versioned'
  | 'delta'
  | 'old'
  | 'all'
  | 'before'
  | 'after'
  | 'former'
  | 'lower'
  | 'wholeLower'
  | 'member'
  | 'supporting'
  | 'given';

export interface SourceSpec {
  readonly path: string;
  readonly role: SourceRole;
  /** Columns of the index to read by; null scans. */
  readonly columns: readonly number[] | null;
  /** True for an overlay, which is read layer by layer. */
  readonly isLayered: boolean;
}

/** The rows that a source sees. */
export interface SourceRows {
  readonly relation: Relation;
  readonly version: number;
  /** Bounds of row numbers. */
  readonly low: number;
  readonly high: number;
  /** Of a `lower` source: a bound of ranks. */
  readonly below?: number | undefined;
}

/** A source at run time. */
export interface Source extends SourceRows {
  readonly index: HashIndex | null;
  /** One past the last own row of the relation that the version or an earlier one created. */
  readonly createdEnd: number;
  /** Of a layered source. */
  readonly layers: readonly SourceLayer[] | null;
  /** Of a layered source with an index: a Bloom filter of the keys in overlays. */
  readonly filter: Int32Array | null;
}

/** A layer with its arrays, which do not change for this version. */
export interface SourceLayer extends Layer {
  readonly index: HashIndex | null;
  readonly rows: Int32Array;
  readonly deletedAt: Int32Array;
  readonly liveEnd: number;
  readonly ranks: Int32Array;
  readonly slots: Int32Array;
  readonly next: Int32Array;
  readonly chainedFrom: number;
  readonly layout: Layout | null;
  /** Own rows. */
  readonly count: number;
}

/** Roles of maintained relations. The finisher of a plan gets the ranks of their rows. */
export const MEMBER_ROLES: ReadonlySet<SourceRole | undefined> = new Set(['former', 'member', 'supporting'] as const);
export const VERSIONED: ReadonlySet<SourceRole> = new Set([
  'versioned',
  'before',
  'after',
  'former',
  'lower',
  'member',
  'supporting',
]);
export const HAS_RANK: ReadonlySet<SourceRole> = new Set([
  'former',
  'lower',
  'wholeLower',
  'member',
  'supporting',
  'given',
]);

export function isLower(role: SourceRole): boolean {
  return role === 'lower' || role === 'wholeLower';
}
