/** Describes symbols: their declaration in source form, their types and their documentation. */

import type { Span } from '../../base/span.js';
import type { Analysis } from '../analyse.js';
import type { HeadParameter } from '../ast.js';
import type { DeclaredSymbol } from '../check/index.js';
import { BUILT_INS, builtInParameters } from '../check/program/built-ins.js';
import type { LinkTarget } from '../check/program/checked.js';
import type { CallableSymbol, EndpointSymbol, FieldSymbol } from '../check/program/symbols.js';
import { KIND_TEXT } from '../check/program/symbols.js';
import { typeText } from '../check/program/types.js';

/** The declaration without its body: `pub relation tenantOf(lease: Lease, tenant: Person)`. */
export function signatureOf(analysis: Analysis, target: LinkTarget): string {
  switch (target.kind) {
    case 'field':
      return `${target.concept.name}.${written(analysis, target.span)}`;
    case 'context':
      return `context ${target.name}: ${typeText(target.type)}`;
    case 'member':
      return `${target.of.name}::${target.member.name.text}`;
    case 'endpoint':
      return endpointText(target);
    case 'parameter':
      return written(analysis, target.parameter.span);
    case 'variable':
      return `${target.variable.name}: ${typeText(target.variable.type)}`;
    case 'module':
      return `module ${target.name}`;
    case 'builtIn':
      return builtInSignature(target.form, target.name);
    default:
      return declarationText(analysis, target);
  }
}

/** The type or parameters to show after a name in a list; null if there are none. */
export function detailOf(analysis: Analysis, symbol: DeclaredSymbol): string | null {
  switch (symbol.kind) {
    case 'enum':
      return `{ ${symbol.members.map((member) => member.name.text).join(', ')} }`;
    case 'concept':
      return symbol.parent === null ? null : `is ${symbol.parent.name}`;
    case 'externType':
      return null;
    case 'individual':
      return symbol.concept?.name ?? null;
    case 'relation':
    case 'derive':
      return `(${symbol.endpoints.map(endpointWritten).join(', ')})`;
    case 'define':
      return `(${headText(
        analysis,
        symbol.clauses.slice(0, 1).map(({ parameter }) => parameter),
      )})`;
    case 'check':
      return `(${headText(analysis, symbol.item?.parameters ?? [])})`;
    case 'query':
    case 'mutation':
    case 'fn':
      return `(${parameterTexts(analysis, symbol).join(', ')})${resultText(symbol)}`;
  }
}

export function docOf(analysis: Analysis, target: LinkTarget): string | null {
  switch (target.kind) {
    case 'field':
      return target.doc;
    case 'member':
      return target.member.doc;
    case 'parameter':
      return target.parameter.doc;
    case 'endpoint':
      if (target.of.kind === 'concept') return null;
      return target.of.kind === 'define' ? target.of.parameter.doc : (target.of.endpoints[target.index]?.doc ?? null);
    case 'module':
      return analysis.program.modules.find(({ name }) => name === target.name)?.doc ?? null;
    case 'builtIn':
      return builtInDoc(target.name);
    case 'variable':
      return null;
    default:
      return target.doc;
  }
}

/** Sentences about where a symbol is declared. */
export function notesOf(target: LinkTarget): string[] {
  switch (target.kind) {
    case 'field':
      return [`Field of \`${target.concept.path}\`.`, ...navigationNote(target)];
    case 'member':
      return [`Member of \`${target.of.path}\`.`];
    case 'endpoint':
      return [
        target.of.kind === 'define' ? `Parameter of \`${target.of.path}\`.` : `Endpoint of \`${target.of.path}\`.`,
      ];
    case 'parameter':
      return [`Parameter of \`${target.of.path}\`.`];
    case 'context':
      return [`Sent with requests; declared in module \`${target.module}\`.`];
    case 'variable':
      return target.variable.implicit ? ['The refined value.'] : [];
    case 'module':
    case 'builtIn':
      return [];
    case 'derive':
      return [`Derived from ${counted(target.clauses.length, 'clause')}; declared in module \`${target.module}\`.`];
    case 'check':
      return [`${target.item?.severity === 'blocking' ? 'Blocking' : 'Warning'} check of module \`${target.module}\`.`];
    default:
      return [`${capitalised(KIND_TEXT[target.kind])} of module \`${target.module}\`.`];
  }
}

/** The parameters of a query, mutation or function in source form, one line each. */
export function parameterTexts(analysis: Analysis, symbol: CallableSymbol): string[] {
  return symbol.parameters.map((parameter) => written(analysis, parameter.span));
}

export function resultText(symbol: CallableSymbol): string {
  return symbol.result === null ? '' : ` -> ${typeText(symbol.result)}`;
}

export function endpointWritten(endpoint: EndpointSymbol): string {
  const keeps = endpoint.keeps === undefined ? '' : `${endpoint.keeps} `;
  return `${keeps}${endpoint.name}: ${typeText(endpoint.type)}${endpoint.functional ? ' [0..1]' : ''}`;
}

/** One line per overload. */
export function builtInSignature(form: 'function' | 'aggregate' | 'type', name: string): string {
  if (form === 'type') return name;
  if (form === 'aggregate') return name === 'count' ? 'count(for v where BODY)' : `${name}(EXPR for v where BODY)`;
  if (name === 'exists') return 'exists(e) -> Bool';
  if (name === 'range') return 'range(from: Int, to: Int, step: Int = 1) -> [Int]';
  if (name === 'text') return 'text(x) -> Text';
  const overloads = BUILT_INS.get(name) ?? [];
  const parameters = (i: number) =>
    builtInParameters(name).map(
      (each, p) => `${each}: ${typeText(overloads[i]?.parameters[p]?.type ?? { kind: 'error' })}`,
    );
  return overloads.map(({ result }, i) => `${name}(${parameters(i).join(', ')}) -> ${typeText(result)}`).join('\n');
}

/** Source text on one line. */
function written(analysis: Analysis, span: Span): string {
  const text = analysis.sources.find(({ file }) => file === span.file)?.text ?? '';
  return text
    .slice(span.start.offset, span.end.offset)
    .replace(/\/\/[^\n]*|\s+/g, ' ')
    .replace(/ {2,}/g, ' ');
}

function declarationText(analysis: Analysis, symbol: DeclaredSymbol): string {
  const keyword = symbol.kind === 'fn' && symbol.item?.kind === 'externFn' ? 'extern fn' : KEYWORDS[symbol.kind];
  const opening = `${symbol.public ? 'pub ' : ''}${keyword} ${symbol.name}`;
  const detail = detailOf(analysis, symbol);
  if (detail === null) return opening;
  if (symbol.kind === 'individual') return `${opening}: ${detail}`;
  return symbol.kind === 'enum' || symbol.kind === 'concept' ? `${opening} ${detail}` : `${opening}${detail}`;
}

const KEYWORDS: { readonly [K in DeclaredSymbol['kind']]: string } = {
  enum: 'enum',
  concept: 'concept',
  externType: 'extern type',
  relation: 'relation',
  derive: 'derive',
  define: 'define',
  individual: 'individual',
  check: 'check',
  query: 'query',
  mutation: 'mutation',
  fn: 'fn',
};

/** The documentation of a built-in function, aggregate or type. */
export function builtInDoc(name: string): string | null {
  return BUILT_IN_DOCS[name] ?? null;
}

const BUILT_IN_DOCS: Readonly<Record<string, string>> = {
  abs: 'The absolute value.',
  round: 'Rounded to `digits` decimal places, half away from zero.',
  floor: 'The largest Int not above `x`.',
  ceil: 'The smallest Int not below `x`.',
  min: 'The smaller of two values. As an aggregate, the smallest value, or none without bindings.',
  max: 'The larger of two values. As an aggregate, the largest value, or none without bindings.',
  length: 'The number of code points of a text, or of elements of a list.',
  append: 'The list with `x` at its end.',
  first: 'The first element, or none if the list is empty.',
  last: 'The last element, or none if the list is empty.',
  slice: 'The elements from place `from` up to, but not including, `to`.',
  lower: 'The text in lower case.',
  upper: 'The text in upper case.',
  trim: 'The text without white space at both ends.',
  contains: 'Whether `t` contains `s`: a part of a text, or an element of a list.',
  startsWith: 'Whether `t` starts with `s`.',
  endsWith: 'Whether `t` ends with `s`.',
  replace: 'The text with every `a` replaced by `b`.',
  substring: '`len` code points from position `from`, counted from 0.',
  text: 'A scalar, enum member or individual as Text.',
  year: 'The year of a date.',
  month: 'The month of a date, 1 to 12.',
  day: 'The day of the month, from 1.',
  addDays: 'The date `n` days later.',
  addMonths: 'The date `n` months later, or the last day of that month.',
  daysBetween: 'The number of days from `a` to `b`.',
  dateOf: 'The UTC date of an instant.',
  startOfDay: 'The start of the day in UTC.',
  addSeconds: 'The instant `n` seconds later.',
  secondsBetween: 'The number of whole seconds from `a` to `b`, truncated toward zero.',
  exists: 'Whether the value is not none.',
  range: 'The Ints from `from` up to, but not including, `to`. A negative `step` counts down.',
  pow: 'The `n`th power of `a`. An Int has no negative powers.',
  sqrt: 'The square root, with 34 digits.',
  bitAnd: 'The bits that both have, in two’s complement.',
  bitOr: 'The bits that one of both has, in two’s complement.',
  bitXor: 'The bits in which both differ, in two’s complement.',
  shiftLeft: '`a` times 2 to the `n`.',
  shiftRight: '`a` divided by 2 to the `n`, rounded down.',
  indexOf: 'The position of the first `part`, counted from 0, or none.',
  padStart: 'The text, with as much of `with` before it as makes it `length` code points long.',
  split: 'The parts between the separators. An empty separator gives the characters.',
  join: 'The texts, with the separator between them.',
  codePoint: 'The number of the first character in Unicode.',
  fromCodePoint: 'The character with this number in Unicode.',
  matches:
    'Whether the pattern (a regular expression in RE2 syntax) matches anywhere in the text. `^` and `$` tie it to the ends.',
  capture: 'Group `n` of the first match of the pattern, or none; 0 is the whole match.',
  replaceAll: 'The text with every match of the pattern replaced. `$1` in `with` is the first group.',
  int: 'The Int that the text writes, or none.',
  decimal: 'The Decimal that the text writes, or none.',
  date: 'The date that the text writes as `2026-01-31`, or none.',
  dateTime: 'The instant that the text writes as `2026-01-31T10:00:00Z`, or none.',
  count: 'The number of bindings of the variables that satisfy the body.',
  sum: 'The sum over the bindings of the variables, 0 without bindings.',
  avg: 'The mean over the bindings of the variables, none without bindings.',
  list: 'The values for the bindings of the variables, in order. Not allowed in rules.',
  Bool: '`true` or `false`.',
  Int: 'A whole number, exact up to 2⁵³−1.',
  Decimal: 'A decimal number of 34 significant digits.',
  Text: 'A Unicode string.',
  Date: 'A calendar date, `date "2026-01-31"`.',
  DateTime: 'An instant in UTC, `datetime "2026-01-31T10:00:00Z"`.',
};

function endpointText({ of, index }: LinkTarget & { kind: 'endpoint' }): string {
  if (of.kind === 'concept') return of.name;
  if (of.kind === 'define') return `${of.parameter.name}: ${of.base?.name ?? '?'}`;
  const endpoint = of.endpoints[index];
  return endpoint === undefined ? of.name : endpointWritten(endpoint);
}

function headText(analysis: Analysis, parameters: readonly HeadParameter[]): string {
  return parameters.map((parameter) => written(analysis, parameter.span)).join(', ');
}

function navigationNote(field: FieldSymbol): string[] {
  return field.navigation === null ? [] : [`Read through \`${field.navigation.relation.path}\`; it cannot be written.`];
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
