/** The functions of `std`, by name and operand type. Text counts code points from 0. */

import type { Type } from '../../artifact/types.js';
import { dateTimeText } from '../../base/dates.js';
import { type DecimalValue, decimalText } from '../../base/decimal.js';
import { standardFunctions } from '../../base/standard-functions.js';
import { EvaluationFault } from '../errors.js';
import { comparison, type OrderSchema } from '../values/compare.js';
import { bare, type Value } from '../values/value.js';
import { listFunction } from './list-functions.js';

export type BuiltIn = (...args: never[]) => Value;

/** Built-ins that can fault, for ordering literals. */
export const FAULTABLE_BUILT_INS: ReadonlySet<string> = new Set([
  'round',
  'floor',
  'ceil',
  'addDays',
  'addMonths',
  'substring',
  'padStart',
  'split',
  'codePoint',
  'fromCodePoint',
  'matches',
  'capture',
  'replaceAll',
  'pow',
  'sqrt',
  'bitAnd',
  'bitOr',
  'bitXor',
  'shiftLeft',
  'shiftRight',
]);

/** Built-ins that search with a pattern, which takes longer for each character. */
export const SEARCHING_BUILT_INS: ReadonlySet<string> = new Set(['matches', 'capture', 'replaceAll']);

/** The built-in for these operand types, or undefined if none exists. */
export function builtIn(schema: OrderSchema, name: string, types: readonly Type[]): BuiltIn | undefined {
  const operand = types[0] === undefined ? undefined : bare(types[0]);
  if (operand?.kind === 'list' && name !== 'text' && name !== 'join') return listFunction(schema, name, operand.of);
  switch (name) {
    case 'min':
    case 'max': {
      if (operand === undefined) return undefined;
      const compare = comparison(schema, operand);
      const sign = name === 'min' ? 1 : -1;
      return (left: Value, right: Value) => (compare(left, right) * sign <= 0 ? left : right);
    }
    case 'text':
      return operand === undefined ? undefined : textOf(operand);
    default: {
      const isDecimalOperand = operand?.kind === 'scalar' && operand.name === 'Decimal';
      return (isDecimalOperand ? STANDARD.decimal.get(name) : undefined) ?? STANDARD.plain.get(name);
    }
  }
}

const STANDARD = standardFunctions((message) => new EvaluationFault('fault', message));

function textOf(type: Type): BuiltIn {
  if (type.kind === 'scalar' && type.name === 'Decimal') return (value: DecimalValue) => decimalText(value);
  if (type.kind === 'scalar' && type.name === 'DateTime') return (value: number) => dateTimeText(value);
  if (type.kind === 'list') {
    const print = partText(type.of);
    return (value: readonly Value[]) => `[${value.map(print).join(', ')}]`;
  }
  if (type.kind === 'record') {
    const fields = type.fields.map(({ name, type: of }) => ({ name, print: partText(of) }));
    return (value: { readonly [name: string]: Value }) =>
      `{ ${fields.map(({ name, print }) => `${name}: ${print(value[name] ?? null)}`).join(', ')} }`;
  }
  return (value: Value) => String(value);
}

function partText(type: Type): (value: Value) => string {
  const print = textOf(bare(type)) as (value: Value) => Value;
  return (value) => (value === null ? 'none' : String(print(value)));
}
