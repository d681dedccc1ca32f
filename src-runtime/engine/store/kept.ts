/**
 * What the readers of one committed state share, so that each need not find it out again. It lasts as long as nothing is
 * committed, and all that while the state's rows stay where they are.
 */

import type { Condition, Expression } from '../../artifact/types.js';
import type { RelationReader } from '../types.js';
import type { Search } from './search.js';
import type { BoundExpression } from './solve.js';

export class Kept {
  /** Of stored relations, by path. */
  readonly readers = new Map<string, RelationReader>();
  /** The last one of each condition, which may be under way. Conditions that come as text go with their request. */
  readonly searches = new WeakMap<Condition, Search>();
  readonly expressions = new WeakMap<Expression, BoundExpression>();
}
