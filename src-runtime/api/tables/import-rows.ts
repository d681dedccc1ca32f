/** Turns the records of a file into rows of arguments: maps columns to parameters, and finds what does not fit. */

import { bareRecord } from '../../base/bare-record.js';
import type { ServedSchema } from '../schemas/module-schemas.js';
import type { JsonValue, WireType } from '../schemas/schemas.js';
import { type CellReading, type CellTerms, isJsonList, listItems, readCell } from './cell-values.js';
import type { ParsedFile, RowProblem } from './import-file.js';
import { dateNotation, type Notation, notationKind, numberNotation, PLAIN_NOTATION } from './notation.js';
import { similarColumns } from './similar-columns.js';

export type Parameter = ServedSchema['mutations'][number]['parameters'][number];
type Field = ServedSchema['concepts'][number]['fields'][number];

/** The column of each parameter; null if the parameter is left out. */
export type Mapping = Readonly<Record<string, string | null>>;

/** The field whose values the cells of each parameter are; null if they are ids. */
export type Keys = Readonly<Record<string, string | null>>;

/** Maps columns to parameters of similar names. `concepts` are the names of the concepts that the rows describe. */
export function guessMapping(
  parameters: readonly Parameter[],
  columns: readonly string[],
  concepts: readonly string[] = [],
): Mapping {
  const found = similarColumns(parameters, columns, concepts);
  return Object.fromEntries(parameters.map(({ name }) => [name, found.get(name) ?? null]));
}

/** The parameters of an import into a concept or stored relation: its stored fields or its endpoints. Undefined for other paths. */
export function insertParameters(
  { concepts, relations }: ServedSchema,
  path: string,
): readonly Parameter[] | undefined {
  const concept = concepts.find((each) => each.path === path);
  if (concept !== undefined) return concept.fields.filter(({ navigation }) => navigation === undefined);
  const relation = relations.find((each) => each.path === path && each.kind === 'stored');
  return relation?.endpoints.map((endpoint) => ({ ...endpoint, required: true }));
}

/** The fields whose values can identify individuals of the type. */
export function keyFields(schema: ServedSchema, type: WireType): readonly Field[] {
  if (type.kind === 'optional' || type.kind === 'list') return keyFields(schema, type.of);
  if (type.kind !== 'class') return [];
  const define = schema.defines.find(({ path }) => path === type.path);
  if (define !== undefined) return keyFields(schema, { kind: 'class', path: define.class });
  const fields = schema.concepts.find(({ path }) => path === type.path)?.fields ?? [];
  return fields.filter((field) => {
    const plain = field.type.kind === 'optional' ? field.type.of : field.type;
    return field.navigation === undefined && (plain.kind === 'scalar' || plain.kind === 'enum');
  });
}

/** The parameters with the types of their cells: that of the field where a field's values identify individuals. */
export function keyedParameters(
  schema: ServedSchema,
  parameters: readonly Parameter[],
  keys: Keys,
): readonly Parameter[] {
  return parameters.map((parameter) => {
    const key = Object.hasOwn(keys, parameter.name) ? keys[parameter.name] : null;
    const field = keyFields(schema, parameter.type).find(({ name }) => name === key);
    if (field === undefined) return parameter;
    const plain = field.type.kind === 'optional' ? field.type.of : field.type;
    return { ...parameter, type: inPlaceOf(parameter.type, plain) };
  });
}

function inPlaceOf(type: WireType, value: WireType): WireType {
  return type.kind === 'optional' || type.kind === 'list' ? { ...type, of: inPlaceOf(type.of, value) } : value;
}

/** The notation of numbers and dates in the mapped columns; undefined if it differs between them. */
export function foundNotation(
  file: ParsedFile,
  parameters: readonly Parameter[],
  mapping: Mapping,
): { readonly [Kind in keyof Notation]: Notation[Kind] | undefined } {
  const fed = fedBy(parameters, mapping);
  const notations = columnNotations(file, fed, {});
  const only = <Kind extends keyof Notation>(kind: Kind): Notation[Kind] | undefined => {
    const found = fed.flatMap(({ parameter: { type } }, at) =>
      notationKind(type) === kind ? [notations[at]?.[kind] ?? PLAIN_NOTATION[kind]] : [],
    );
    return new Set(found).size > 1 ? undefined : (found[0] ?? PLAIN_NOTATION[kind]);
  };
  return { numbers: only('numbers'), dates: only('dates') };
}

/** A parameter and the column that feeds it. */
export interface Fed {
  readonly parameter: Parameter;
  readonly column: string;
}

export function fedBy(parameters: readonly Parameter[], mapping: Mapping): readonly Fed[] {
  return parameters.flatMap((parameter) => {
    const column = columnOf(mapping, parameter.name);
    return column === null ? [] : [{ parameter, column }];
  });
}

/** The notation of each column: the given one, or the one that its cells prove, or the one that all cells prove. */
export function columnNotations(file: ParsedFile, fed: readonly Fed[], chosen: PartialNotation): readonly Notation[] {
  function* cellsOf(kind: keyof Notation, among: readonly Fed[]): Generator<string> {
    for (const { parameter, column } of among) {
      if (notationKind(parameter.type) !== kind) continue;
      for (const record of file.records) {
        const cell = valueIn(record, column);
        if (typeof cell !== 'string') continue;
        if (!isList(parameter.type)) yield cell;
        else if (!isJsonList(cell)) yield* listItems(cell);
      }
    }
  }
  const allNumbers = chosen.numbers ?? numberNotation(cellsOf('numbers', fed));
  const allDates = chosen.dates ?? dateNotation(cellsOf('dates', fed));
  return fed.map((each) => {
    const numbers = chosen.numbers ?? numberNotation(cellsOf('numbers', [each]));
    const dates = chosen.dates ?? dateNotation(cellsOf('dates', [each]));
    return { numbers: numbers === 'plain' ? allNumbers : numbers, dates: dates === 'iso' ? allDates : dates };
  });
}

function isList(type: WireType): boolean {
  return type.kind === 'list' || (type.kind === 'optional' && isList(type.of));
}

export interface ImportRows {
  /** Required parameters without a column. */
  readonly missing: readonly string[];
  readonly rows: readonly Record<string, JsonValue>[];
  readonly problems: readonly RowProblem[];
}

/** Absent options are detected. */
export type PartialNotation = { readonly [Kind in keyof Notation]?: Notation[Kind] | undefined };

export interface RowTerms extends Omit<CellTerms, 'notation'> {
  readonly notation: PartialNotation;
}

export const ROW_TERMS: RowTerms = {
  notation: {},
  enums: [],
  remedies: { numbers: 'choose above how numbers are written', dates: 'choose above how dates are written' },
};

/** Each record as the arguments of one call. A cell that cannot be read keeps its text, and gets a problem. */
export function readRows(
  file: ParsedFile,
  parameters: readonly Parameter[],
  mapping: Mapping,
  given: Partial<RowTerms> = {},
): ImportRows {
  const terms = { ...ROW_TERMS, ...given };
  const problems = [...file.problems];
  // The columns of a row with too many or too few cells are unknown.
  const ragged = new Set(problems.map(({ row }) => row));
  const fed = fedBy(parameters, mapping);
  const termsOf = columnNotations(file, fed, terms.notation).map((notation): CellTerms => ({ ...terms, notation }));
  const rows = file.records.map((record, row) => {
    const args = bareRecord<JsonValue>();
    for (const [at, { parameter, column }] of fed.entries()) {
      const reading = readValue(file.format, parameter, valueIn(record, column), termsOf[at] as CellTerms);
      if (reading === undefined) continue;
      args[parameter.name] = reading.value;
      if (reading.message === undefined || ragged.has(row)) continue;
      problems.push({ row, field: parameter.name, message: reading.message });
    }
    return args;
  });
  const missing = parameters.filter(({ name, required }) => required && columnOf(mapping, name) === null);
  return { missing: missing.map(({ name }) => name), rows, problems: problems.sort((a, b) => a.row - b.row) };
}

/** Undefined to leave the argument out. */
export function readValue(
  format: ParsedFile['format'],
  parameter: Parameter,
  value: JsonValue | undefined,
  terms: CellTerms,
): CellReading | undefined {
  const { type, required } = parameter;
  if (format === 'csv') return readCell(parameter, (value ?? null) as string | null, terms);
  if (value === undefined) return required ? { value: null, message: 'A value is needed.' } : undefined;
  if (value === null) {
    if (type.kind === 'optional') return { value };
    return required ? { value, message: 'A value is needed.' } : undefined;
  }
  // JSON has its own numbers, lists and records. The server checks them.
  return typeof value === 'string' ? readCell(parameter, value, terms) : { value };
}

function columnOf(mapping: Mapping, name: string): string | null {
  return (Object.hasOwn(mapping, name) ? mapping[name] : null) ?? null;
}

export function valueIn(record: Readonly<Record<string, JsonValue>>, column: string): JsonValue | undefined {
  return Object.hasOwn(record, column) ? record[column] : undefined;
}
