/** The built-in functions of `std` and their signatures. */

import type { Type } from './types.js';
import { BOOL, DATE, DATE_TIME, DECIMAL, INT, isSubtype, sameType, TEXT } from './types.js';

interface Overload {
  readonly parameters: readonly { readonly name: string; readonly type: Type }[];
  readonly result: Type;
}

/** `overload(INT, 'x', INT, …)`: the result, then names and types by turns. */
function overload(result: Type, ...parameters: readonly (readonly [string, Type])[]): Overload {
  return { result, parameters: parameters.map(([name, type]) => ({ name, type })) };
}

const twoInOrder = [INT, DECIMAL, TEXT, DATE, DATE_TIME].map((type) => overload(type, ['a', type], ['b', type]));
const textToText = [overload(TEXT, ['t', TEXT])];
const textInText = (name: string) => [overload(BOOL, ['t', TEXT], [name, TEXT])];
const datePart = [overload(INT, ['d', DATE])];

/** By name. The first overload whose parameters fit is used. `text` takes any scalar, enum or individual. */
export const BUILT_INS: ReadonlyMap<string, readonly Overload[]> = new Map([
  ['abs', [overload(INT, ['x', INT]), overload(DECIMAL, ['x', DECIMAL])]],
  ['round', [overload(DECIMAL, ['x', DECIMAL], ['digits', INT])]],
  ['floor', [overload(INT, ['x', DECIMAL])]],
  ['ceil', [overload(INT, ['x', DECIMAL])]],
  ['min', twoInOrder],
  ['max', twoInOrder],
  ['length', [overload(INT, ['t', TEXT])]],
  ['lower', textToText],
  ['upper', textToText],
  ['trim', textToText],
  ['contains', textInText('s')],
  ['startsWith', textInText('s')],
  ['endsWith', textInText('s')],
  ['replace', [overload(TEXT, ['t', TEXT], ['a', TEXT], ['b', TEXT])]],
  ['substring', [overload(TEXT, ['t', TEXT], ['from', INT], ['len', INT])]],
  ['text', []],
  ['year', datePart],
  ['month', datePart],
  ['day', datePart],
  ['addDays', [overload(DATE, ['d', DATE], ['n', INT])]],
  ['addMonths', [overload(DATE, ['d', DATE], ['n', INT])]],
  ['daysBetween', [overload(INT, ['a', DATE], ['b', DATE])]],
  ['dateOf', [overload(DATE, ['dt', DATE_TIME])]],
  ['startOfDay', [overload(DATE_TIME, ['d', DATE])]],
  ['addSeconds', [overload(DATE_TIME, ['dt', DATE_TIME], ['n', INT])]],
  ['secondsBetween', [overload(INT, ['a', DATE_TIME], ['b', DATE_TIME])]],
]);

/** The names of parameters, for named arguments and messages; overloads of one name agree on them. */
export function builtInParameters(name: string): readonly string[] {
  if (name === 'text') return ['x'];
  return BUILT_INS.get(name)?.[0]?.parameters.map((parameter) => parameter.name) ?? [];
}

/** The overload that operand types fit: exactly, else with Int taken for Decimal. */
export function chooseOverload(name: string, operands: readonly Type[]): Overload | undefined {
  const overloads = BUILT_INS.get(name) ?? [];
  const fits = (test: (operand: Type, parameter: Type) => boolean) =>
    overloads.find((candidate) =>
      candidate.parameters.every((parameter, i) => {
        const operand = operands[i];
        return operand !== undefined && test(operand, parameter.type);
      }),
    );
  return (
    fits(sameType) ??
    fits(
      (operand, parameter) => isSubtype(operand, parameter) || (sameType(operand, INT) && sameType(parameter, DECIMAL)),
    )
  );
}

/** The parameters of each overload, for messages: `(Int, Int) or (Decimal, Decimal)`. */
export function overloadsText(name: string): string {
  return (BUILT_INS.get(name) ?? [])
    .map(
      (candidate) => `(${candidate.parameters.map((p) => (p.type.kind === 'scalar' ? p.type.name : '')).join(', ')})`,
    )
    .join(' or ');
}
