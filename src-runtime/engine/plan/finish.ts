/** What an aggregate makes of the values of a group: of few at once, of many in blocks. */

import type { Expression } from '../../artifact/types.js';
import { Decimal } from '../../base/decimal.js';
import { BLOCK_ITEMS, type Compare, sorted } from '../blocks.js';
import { AVERAGE, DECIMAL_SUM, type Fold, fold, foldInBlocks, INT_SUM } from '../built-ins/arithmetic.js';
import { EvaluationFault } from '../errors.js';
import { comparison } from '../values/compare.js';
import { bare, type Value } from '../values/value.js';
import type { Unit } from './unit.js';

type Aggregate = Expression & { op: 'aggregate' };

interface Finish {
  now(values: readonly Value[]): Value;
  /** The same, yielding between blocks of values. */
  inBlocks(values: readonly Value[]): Generator<void, Value>;
}

/** Source of the result, where `values` holds the values of the group. */
export function finishSource(unit: Unit, aggregate: Aggregate, isOptional: boolean): string {
  const { now, inBlocks } = finisher(unit, aggregate, isOptional);
  return `values.length <= ${BLOCK_ITEMS} ? ${unit.constant(now)}(values) : yield* ${unit.constant(inBlocks)}(values)`;
}

function finisher(unit: Unit, aggregate: Aggregate, isOptional: boolean): Finish {
  const finish = finishOf(unit, aggregate);
  const placed = (error: unknown): unknown =>
    error instanceof EvaluationFault ? error.at({ span: aggregate.span }) : error;
  return {
    now(values) {
      if (values.length === 0 && !isOptional && aggregate.function in NOTHING) {
        const message = `${aggregate.function} of nothing, where a value is needed`;
        throw new EvaluationFault('fault', message, { span: aggregate.span });
      }
      try {
        return finish.now(values);
      } catch (error) {
        throw placed(error);
      }
    },
    *inBlocks(values) {
      try {
        return yield* finish.inBlocks(values);
      } catch (error) {
        throw placed(error);
      }
    },
  };
}

const NOTHING = { min: true, max: true, avg: true };

function finishOf({ program }: Unit, aggregate: Aggregate): Finish {
  const type = bare(aggregate.result);
  switch (aggregate.function) {
    case 'sum': {
      const zero = type.kind === 'scalar' && type.name === 'Decimal' ? new Decimal(0) : 0;
      const [ints, decimals] = [folding(INT_SUM, zero), folding(DECIMAL_SUM, zero)];
      const finish = (values: readonly Value[]): Finish => (typeof values[0] === 'number' ? ints : decimals);
      return { now: (values) => finish(values).now(values), inBlocks: (values) => finish(values).inBlocks(values) };
    }
    case 'avg':
      return folding(AVERAGE, null);
    case 'min':
      return folding(least(comparison(program, type)), null);
    case 'max': {
      const compare = comparison(program, type);
      return folding(
        least((left, right) => compare(right, left)),
        null,
      );
    }
    case 'list': {
      const compare = comparison(program, type.kind === 'list' ? type.of : type);
      return { now: (values) => [...values].sort(compare), inBlocks: (values) => sorted(values, compare) };
    }
    default:
      throw new EvaluationFault('undecodable', `"${aggregate.function}" is no aggregate`);
  }
}

function folding<T>(way: Fold<T>, ofNone: Value): Finish {
  return {
    now: (values) => (values.length === 0 ? ofNone : fold(way, values)),
    inBlocks: (values) => foldInBlocks(way, values),
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
