/** How an aggregate takes the values of a group together as they are found, and what it makes of them in the end. */

import type { Expression } from '../../artifact/types.js';
import { Decimal } from '../../base/decimal.js';
import { type Compare, sorted } from '../blocks.js';
import { AVERAGE, DECIMAL_SUM, type Fold, INT_SUM } from '../built-ins/arithmetic.js';
import { EvaluationFault } from '../errors.js';
import { comparison } from '../values/compare.js';
import { bare, type Value } from '../values/value.js';
import { TICKS, type Unit } from './unit.js';

type Aggregate = Expression & { op: 'aggregate' };

/** Pieces of the aggregate's function. */
export interface TotalSource {
  readonly declare: string;
  /** Statements that take in `value`, or one more row where that is not needed. */
  readonly add: string;
  readonly needsValue: boolean;
  readonly result: string;
}

export function totalSource(unit: Unit, aggregate: Aggregate, isOptional: boolean): TotalSource {
  const type = bare(aggregate.result);
  const isDecimal = type.kind === 'scalar' && type.name === 'Decimal';
  switch (aggregate.function) {
    case 'count':
      return { declare: 'let count = 0;', add: 'count++;', needsValue: false, result: 'count' };
    case 'sum':
      return isDecimal
        ? folding(unit, aggregate, DECIMAL_SUM, () => new Decimal(0), DECIMAL_ROWS)
        : folding(unit, aggregate, INT_SUM, () => 0);
    case 'avg':
      return folding(unit, aggregate, AVERAGE, ofNothing(aggregate, isOptional), DECIMAL_ROWS);
    case 'min':
      return folding(unit, aggregate, least(comparison(unit.program, type)), ofNothing(aggregate, isOptional));
    case 'max': {
      const compare = comparison(unit.program, type);
      const greatest = least((left, right) => compare(right, left));
      return folding(unit, aggregate, greatest, ofNothing(aggregate, isOptional));
    }
    case 'list': {
      const compare = comparison(unit.program, type.kind === 'list' ? type.of : type);
      const sort = (values: readonly Value[]) => sorted(values, compare);
      const result = `yield* ${unit.constant(sort)}(values)`;
      return { declare: 'const values = [];', add: 'values.push(value);', needsValue: true, result };
    }
    default:
      throw new EvaluationFault('undecodable', `"${aggregate.function}" is no aggregate`);
  }
}

/** The order of what the aggregate takes, which for an average may be Ints. */
export function orderOfValues({ program }: Unit, { function: name, result }: Aggregate): Compare<Value> {
  const type = bare(result);
  const compare = comparison(program, type.kind === 'list' ? type.of : type);
  if (name !== 'avg') return compare;
  return (left, right) => (typeof left === 'number' ? left - Number(right) : compare(left, right));
}

/** What adding an exact Decimal costs, in rows. */
const DECIMAL_ROWS = 4;

function folding<T>(
  unit: Unit,
  aggregate: Aggregate,
  { start, add, end }: Fold<T>,
  ofNone: () => Value,
  costRows = 1,
): TotalSource {
  const finish = (total: T, count: number): Value => {
    try {
      return count === 0 ? ofNone() : end(total, count);
    } catch (error) {
      throw error instanceof EvaluationFault ? error.at({ span: aggregate.span }) : error;
    }
  };
  const pace = costRows === 1 ? '' : `${TICKS} -= ${costRows - 1};`;
  return {
    declare: `let total = ${unit.constant(start)}, count = 0;`,
    add: `total = ${unit.constant(add)}(total, value); count++; ${pace}`,
    needsValue: true,
    result: `${unit.constant(finish)}(total, count)`,
  };
}

function ofNothing(aggregate: Aggregate, isOptional: boolean): () => Value {
  return () => {
    if (isOptional) return null;
    throw new EvaluationFault('fault', `${aggregate.function} of nothing, where a value is needed`);
  };
}

/** Of equal values the first. */
function least(compare: Compare<Value>): Fold<Value> {
  return {
    start: null,
    add: (least, value) => (least === null || compare(value, least) < 0 ? value : least),
    end: (least) => least,
  };
}
