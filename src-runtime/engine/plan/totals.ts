/** Folds of aggregates: how values of a group are taken in, and the result. */

import type { Expression, Type } from '../../artifact/types.js';
import { AVERAGE, DECIMAL_SUM, type Fold, INT_SUM } from '../built-ins/arithmetic.js';
import { EvaluationFault } from '../errors.js';
import { type Compare, isSorted, sorted } from '../scheduling/blocks.js';
import { comparison, type OrderSchema } from '../values/compare.js';
import { bare, type Value } from '../values/value.js';
import { TICKS, type Unit } from './unit.js';

/** Values of a list that a module makes, at most. A longer array grows in steps that nothing can interrupt for long. */
const LIST_VALUES_MAX = 16_777_216;

function tooLong(): never {
  throw new EvaluationFault('fault', `a list of more than ${LIST_VALUES_MAX.toLocaleString('en')} values`);
}

type Aggregate = Expression & { op: 'aggregate' };

/** Parts of the aggregate's function. */
export interface TotalSource {
  readonly declare: string;
  /** Statements that take in `value`, or one more row if no value is needed. */
  readonly add: string;
  readonly needsValue: boolean;
  /** The state of the fold, besides `count`. */
  readonly total: string;
  readonly result: string;
}

export function totalSource(unit: Unit, aggregate: Aggregate, isOptional: boolean): TotalSource {
  const { program } = unit;
  if (aggregate.function === 'count') {
    return { declare: 'let count = 0;', add: 'count++;', needsValue: false, total: 'null', result: 'count' };
  }
  if (aggregate.function === 'list') {
    const type = bare(aggregate.result);
    const compare = comparison(program, type.kind === 'list' ? type.of : type);
    // Values of a range are in order. Sorting a list allocates many arrays of its length, each at once.
    const order = function* (values: readonly Value[]): Generator<void, readonly Value[]> {
      return (yield* isSorted(values, compare)) ? values : yield* sorted(values, compare);
    };
    const add = `if (values.push(value) > ${LIST_VALUES_MAX}) ${unit.constant(tooLong)}();`;
    const result = `yield* ${unit.constant(order)}(values)`;
    return { declare: 'const values = [];', add, needsValue: true, total: 'null', result };
  }
  return folding(unit, aggregate, isOptional);
}

/** The fold of its values; undefined for a list. */
export function foldOf(program: OrderSchema, { function: name, result }: Aggregate): Fold<unknown> | undefined {
  const type = bare(result);
  switch (name) {
    case 'count':
      return COUNT;
    case 'sum':
      return isDecimal(type) ? DECIMAL_SUM : INT_SUM;
    case 'avg':
      return AVERAGE;
    case 'min':
      return least(comparison(program, type));
    case 'max': {
      const compare = comparison(program, type);
      return least((left, right) => compare(right, left));
    }
    case 'list':
      return undefined;
    default:
      throw new EvaluationFault('undecodable', `"${name}" is no aggregate`);
  }
}

function isDecimal(type: Type): boolean {
  return type.kind === 'scalar' && type.name === 'Decimal';
}

const COUNT: Fold<unknown> = { start: null, add: () => null, remove: () => null, end: (_, count) => count };

/** The order of the aggregate's values. An average may have Ints. */
export function orderOfValues({ program }: Unit, { function: name, result }: Aggregate): Compare<Value> {
  const type = bare(result);
  const compare = comparison(program, type.kind === 'list' ? type.of : type);
  if (name !== 'avg') return compare;
  return (left, right) => (typeof left === 'number' ? left - Number(right) : compare(left, right));
}

/** Cost of adding an exact Decimal, in rows. */
const DECIMAL_ROWS = 4;

function folding(unit: Unit, aggregate: Aggregate, isOptional: boolean): TotalSource {
  const { start, add, end } = foldOf(unit.program, aggregate) as Fold<unknown>;
  const ofNone = aggregate.function === 'sum' ? () => end(start, 0) : ofNothing(aggregate, isOptional);
  const finish = (total: unknown, count: number): Value => {
    try {
      return count === 0 ? ofNone() : end(total, count);
    } catch (error) {
      throw error instanceof EvaluationFault ? error.at({ span: aggregate.span }) : error;
    }
  };
  const isExact = aggregate.function === 'avg' || (aggregate.function === 'sum' && isDecimal(bare(aggregate.result)));
  const yieldCounter = isExact ? `${TICKS} -= ${DECIMAL_ROWS - 1};` : '';
  return {
    declare: `let total = ${unit.constant(start)}, count = 0;`,
    add: `total = ${unit.constant(add)}(total, value); count++; ${yieldCounter}`,
    needsValue: true,
    total: 'total',
    result: `${unit.constant(finish)}(total, count)`,
  };
}

function ofNothing(aggregate: Aggregate, isOptional: boolean): () => Value {
  return () => {
    if (isOptional) return null;
    throw new EvaluationFault('fault', `${aggregate.function} of nothing, where a value is needed`);
  };
}

/** The first of equal values. */
function least(compare: Compare<Value>): Fold<unknown> {
  return {
    start: null,
    add: (least, value) => (least === null || compare(value, least as Value) < 0 ? value : least),
    remove: (least, value) => (compare(value, least as Value) === 0 ? undefined : least),
    end: (least) => least as Value,
  };
}
