/** The built-in functions of `std` and their signatures. */

import type { Type } from './types.js';
import {
  BOOL,
  commonType,
  DATE,
  DATE_TIME,
  DECIMAL,
  INT,
  isSubtype,
  optional,
  sameType,
  TEXT,
  typeText,
} from './types.js';

interface Overload {
  readonly parameters: readonly { readonly name: string; readonly type: Type }[];
  readonly result: Type;
}

/** `overload(INT, 'x', INT, …)`: the result, then names and types by turns. */
function overload(result: Type, ...parameters: readonly (readonly [string, Type])[]): Overload {
  return { result, parameters: parameters.map(([name, type]) => ({ name, type })) };
}

const NOWHERE = { line: 1, column: 1, offset: 0 };
const NO_SPAN = { file: '', start: NOWHERE, end: NOWHERE };

/** Stands for the type of a list's elements. */
const T: Type = {
  kind: 'extern',
  symbol: {
    kind: 'externType',
    name: 'T',
    path: 'std::T',
    module: 'std',
    public: true,
    doc: null,
    span: NO_SPAN,
    nameSpan: NO_SPAN,
  },
};
const LIST: Type = { kind: 'list', of: T };

/** Built-ins that have operators and no names: `l[i]`, and `++` of lists. */
export const ELEMENT_AT = 'elementAt';
export const JOINED_LISTS = 'joinLists';

const twoInOrder = [INT, DECIMAL, TEXT, DATE, DATE_TIME].map((type) => overload(type, ['a', type], ['b', type]));
const textToText = [overload(TEXT, ['t', TEXT])];
const textInText = (name: string) => [overload(BOOL, ['t', TEXT], [name, TEXT])];
const TEXTS: Type = { kind: 'list', of: TEXT };
/** The value that a text is written for, or none. */
const reading = (result: Type) => [overload(optional(result), ['t', TEXT])];
const twoInts = [overload(INT, ['a', INT], ['b', INT])];
const shift = [overload(INT, ['a', INT], ['n', INT])];
const datePart = [overload(INT, ['d', DATE])];

/** By name. The first overload whose parameters fit is used. `text` takes any scalar, enum or individual. */
export const BUILT_INS: ReadonlyMap<string, readonly Overload[]> = new Map([
  ['abs', [overload(INT, ['x', INT]), overload(DECIMAL, ['x', DECIMAL])]],
  ['round', [overload(DECIMAL, ['x', DECIMAL], ['digits', INT])]],
  ['floor', [overload(INT, ['x', DECIMAL])]],
  ['ceil', [overload(INT, ['x', DECIMAL])]],
  ['min', twoInOrder],
  ['max', twoInOrder],
  ['pow', [overload(INT, ['a', INT], ['n', INT]), overload(DECIMAL, ['a', DECIMAL], ['n', INT])]],
  ['sqrt', [overload(DECIMAL, ['a', DECIMAL])]],
  ['bitAnd', twoInts],
  ['bitOr', twoInts],
  ['bitXor', twoInts],
  ['shiftLeft', shift],
  ['shiftRight', shift],
  ['length', [overload(INT, ['t', TEXT]), overload(INT, ['t', LIST])]],
  ['lower', textToText],
  ['upper', textToText],
  ['trim', textToText],
  ['contains', [...textInText('s'), overload(BOOL, ['t', LIST], ['s', T])]],
  ['append', [overload(LIST, ['l', LIST], ['x', T])]],
  ['first', [overload(optional(T), ['l', LIST])]],
  ['last', [overload(optional(T), ['l', LIST])]],
  ['slice', [overload(LIST, ['l', LIST], ['from', INT], ['to', INT])]],
  ['startsWith', textInText('s')],
  ['endsWith', textInText('s')],
  ['replace', [overload(TEXT, ['t', TEXT], ['a', TEXT], ['b', TEXT])]],
  ['substring', [overload(TEXT, ['t', TEXT], ['from', INT], ['len', INT])]],
  ['indexOf', [overload(optional(INT), ['t', TEXT], ['part', TEXT])]],
  ['padStart', [overload(TEXT, ['t', TEXT], ['length', INT], ['with', TEXT])]],
  ['split', [overload(TEXTS, ['t', TEXT], ['separator', TEXT])]],
  ['join', [overload(TEXT, ['l', TEXTS], ['separator', TEXT])]],
  ['codePoint', [overload(INT, ['t', TEXT])]],
  ['fromCodePoint', [overload(TEXT, ['n', INT])]],
  ['matches', [overload(BOOL, ['t', TEXT], ['pattern', TEXT])]],
  ['capture', [overload(optional(TEXT), ['t', TEXT], ['pattern', TEXT], ['n', INT])]],
  ['replaceAll', [overload(TEXT, ['t', TEXT], ['pattern', TEXT], ['with', TEXT])]],
  ['text', []],
  ['int', reading(INT)],
  ['decimal', reading(DECIMAL)],
  ['date', reading(DATE)],
  ['dateTime', reading(DATE_TIME)],
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
  const overloads = (BUILT_INS.get(name) ?? []).map((candidate) => withElements(candidate, operands));
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

/** The type that is expected of an argument after the first, a list: the type of its elements, if the parameter is one of them. */
export function expectedElement(name: string, position: number, list: Type | undefined): Type | undefined {
  const isElement = BUILT_INS.get(name)?.some(({ parameters }) => parameters[position]?.type === T);
  return isElement === true && list?.kind === 'list' ? list.of : undefined;
}

/** The overload for lists of these operands: `T` is the type of the list's elements, or one that another element fits too. */
function withElements(of: Overload, operands: readonly Type[]): Overload {
  const at = of.parameters.findIndex(({ type }) => type === LIST);
  const list = operands[at];
  if (list?.kind !== 'list') return of;
  let element = list.of;
  for (const [i, { type }] of of.parameters.entries()) {
    const common = type === T ? commonType(element, operands[i] ?? element) : element;
    // Int elements do not become Decimals.
    if (common !== undefined && isSubtype(element, common)) element = common;
  }
  const filled = (type: Type): Type => {
    if (type === T) return element;
    if (type.kind === 'list') return { kind: 'list', of: filled(type.of) };
    return type.kind === 'optional' ? optional(filled(type.of)) : type;
  };
  return {
    parameters: of.parameters.map(({ name, type }) => ({ name, type: filled(type) })),
    result: filled(of.result),
  };
}

/** The parameters of each overload, for messages: `(Int, Int) or (Decimal, Decimal)`. */
export function overloadsText(name: string): string {
  return (BUILT_INS.get(name) ?? [])
    .map(({ parameters }) => `(${parameters.map(({ type }) => typeText(type)).join(', ')})`)
    .join(' or ');
}
