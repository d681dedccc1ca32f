/** What plans read: relations, each in one of several roles, and what they are at run time. */

import type { HashIndex } from '../index/hash-index.js';
import type { Layout } from '../index/layout.js';
import type { Layer } from '../relation/overlays.js';
import type { Relation } from '../relation/relation.js';

/**
 * How a source is read. `whole`: every row, of a relation without versions. `prefix`: the first rows, of one in which no row
 * has died. `versioned`: the rows that a version sees. A relation that is still growing is read between row numbers:
 * `delta` the last round's, `old` those before, `all` both. Maintenance reads the state `before` and `after` a change; of
 * what it maintains, with their ranks, each `member` after it, each `former` one before it, or only what is low enough to
 * be `supporting` the given row; and what it is `given`, in a relation of its own. A proof reads what is `lower` than a rank; `wholeLower` is the same of a
 * relation without versions.
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
  /** True where the relation is an overlay, which is read a layer at a time. */
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
  /** Behind the last of the relation's own rows that was born by the version. */
  readonly createdEnd: number;
  /** Of a layered source; the others are one layer themselves. */
  readonly layers: readonly SourceLayer[] | null;
  /** Of a layered source with an index: the keys for which more is to be read than the lowest layer. */
  readonly filter: Int32Array | null;
}

/** A layer with the arrays that it is read from, which stay as they are for this version. */
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
  /** Of its own rows. */
  readonly count: number;
}

/** Of what is maintained. The finisher of a plan is told the ranks of the rows that were read so. */
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

/** Roles of maintenance, which reads the same indexes change after change. */
const MAINTAINING: ReadonlySet<SourceRole> = new Set(['before', 'after', 'former', 'member', 'supporting']);

/** True of a source of such an arity that is read through an index by a part of its columns, which a covering one may stand in for. */
export function isCoverable({ role, columns, isLayered }: SourceSpec, arity: number): boolean {
  return MAINTAINING.has(role) && !isLayered && columns !== null && columns.length > 0 && columns.length < arity;
}
