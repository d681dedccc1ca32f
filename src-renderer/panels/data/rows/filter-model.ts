/** Column filters: the operators of a column, parsing and text. */

import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { FilterOperator, JsonValue, ListFilter } from '../../../../src-runtime/api/schemas/schemas.js';
import { readDelimited, writeDelimited } from '../../../../src-runtime/api/tables/delimited-text.js';
import { misfit } from '../../../../src-runtime/api/tables/enum-members.js';
import { truthOf } from '../../../../src-runtime/api/tables/scalar-values.js';
import { readValue } from '../../../model/calls/form-model.js';
import { idLabel } from '../../../model/facts/labels.js';
import type { GridColumn } from './grid-columns.js';

export interface OperatorChoice {
  readonly value: string;
  readonly label: string;
}

/** Operators of a column, most common first. */
export function operatorsOf({ type }: Pick<GridColumn, 'type'>): OperatorChoice[] {
  const texts = [
    { value: 'contains', label: 'contains' },
    { value: 'notContains', label: 'does not contain' },
    { value: 'startsWith', label: 'starts with' },
  ];
  const equal = [
    { value: '=', label: 'is' },
    { value: '!=', label: 'is not' },
  ];
  const several = [
    { value: 'in', label: 'is one of' },
    { value: 'notIn', label: 'is not one of' },
  ];
  const ordered = [
    { value: '<', label: 'below' },
    { value: '<=', label: 'at most' },
    { value: '>', label: 'above' },
    { value: '>=', label: 'at least' },
  ];
  const absent = [
    { value: 'none', label: 'is empty' },
    { value: 'some', label: 'is not empty' },
  ];
  if (type.kind === 'class') return [...texts, ...equal, ...absent];
  if (type.kind === 'scalar' && type.name === 'Text') return [...texts, ...equal, ...several, ...absent];
  if (type.kind === 'scalar' && type.name === 'Bool') return [...equal, ...absent];
  return [...equal, ...several, ...ordered, ...absent];
}

/** A filter as text: `rent at least 900`. Individuals are named by `nameOf`. */
export function filterWords(
  columns: readonly GridColumn[],
  [name, operator, value]: ListFilter,
  nameOf: (id: string) => string | undefined = idLabel,
): string {
  const column = columns.find((candidate) => candidate.filter === name);
  const title = column?.title ?? name;
  if (value === null) return `${title} ${operator === '=' ? 'is empty' : 'is not empty'}`;
  const words = column && operatorsOf(column).find((choice) => choice.value === operator)?.label;
  const isIndividual = column?.type.kind === 'class' && (operator === '=' || operator === '!=');
  const text = Array.isArray(value) ? value.map(wordOf).join(', ') : wordOf(value);
  return `${title} ${words ?? operator} ${isIndividual ? (nameOf(text) ?? idLabel(text)) : text}`;
}

function wordOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A filter as typed. */
export function typedFilter([column, operator, value]: ListFilter): {
  readonly column: string;
  readonly operator: string;
  readonly text: string;
} {
  if (value === null) return { column, operator: operator === '=' ? 'none' : 'some', text: '' };
  const text = Array.isArray(value) ? writeDelimited([value.map(wordOf)], ',').trimEnd() : wordOf(value);
  return { column, operator, text };
}

/** Input is read by the type of the column, like an argument; an enum as its member. */
export function readFilter(
  column: GridColumn,
  operator: string,
  text: string,
  enums: ServedSchema['enums'] = [],
): { readonly filter: ListFilter } | { readonly message: string } {
  const name = column.filter ?? column.id;
  if (operator === 'none') return { filter: [name, '=', null] };
  if (operator === 'some') return { filter: [name, '!=', null] };
  if (operator === 'contains' || operator === 'notContains' || operator === 'startsWith')
    return { filter: [name, operator, text] };
  if (operator === 'in' || operator === 'notIn') {
    const read = listedTexts(text).map((each) => readFilter(column, '=', each, enums));
    const wrong = read.find((each) => 'message' in each);
    if (wrong !== undefined) return wrong;
    return { filter: [name, operator, read.flatMap((each) => ('filter' in each ? [each.filter[2]] : []))] };
  }
  if (column.type.kind === 'scalar' && column.type.name === 'Bool') {
    const truth = truthOf(text);
    if (truth === undefined) return { message: `Expected true or false, got "${text.trim()}".` };
    return { filter: [name, operator as FilterOperator, truth] };
  }
  const reading = readValue(column.type, text, name);
  if (!reading.ok) return { message: reading.message };
  const wrong = column.type.kind === 'enum' ? misfit(column.type.path, text.trim(), enums) : undefined;
  if (wrong !== undefined) return { message: wrong };
  return { filter: [name, operator as FilterOperator, reading.value] };
}

/** Separated by commas; values with a comma are quoted. */
export function listedTexts(text: string): string[] {
  const { rows, problem } = readDelimited(text.replace(/(^|,)\s+(?=")/g, '$1'), { delimiter: ',' });
  // An unclosed quote is part of the input.
  const cells = problem === undefined ? (rows[0]?.cells ?? []) : text.split(',');
  const texts = cells.map((cell) => cell?.trim() ?? '');
  return texts.length > 1 ? texts.filter((each) => each !== '') : [texts[0] ?? ''];
}
