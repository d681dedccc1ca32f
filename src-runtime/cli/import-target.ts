/** What takes the rows of `entail import`, how its file is read, and which column feeds which parameter. */

import type { ApiFailure } from '../api/failures.js';
import type { ImportTarget } from '../api/schemas/import-schemas.js';
import type { ServedSchema } from '../api/schemas/module-schemas.js';
import type { WireType } from '../api/schemas/schemas.js';
import { columnsLike, columnsNamed, type ParsedFile, type Table, UnreadableTable } from '../api/tables/import-file.js';
import {
  fedBy,
  foundNotation,
  insertParameters,
  type Mapping,
  type Parameter,
  type RowTerms,
} from '../api/tables/import-rows.js';
import { type DateNotation, type NumberNotation, notationKind } from '../api/tables/notation.js';
import { openTable } from '../api/tables/open-table.js';
import { createRowLines, type RowLines } from '../api/tables/row-lines.js';
import { didYouMean } from '../base/nearest.js';
import { type Assignment, meantOrListed } from './connect.js';
import type { ImportOptions } from './import-options.js';
import type { ImportSource } from './import-source.js';
import { CommandFailure } from './terminal.js';

/** The mutation, concept or relation that takes the rows. */
export interface Taker {
  readonly path: string;
  readonly target: ImportTarget;
  readonly parameters: readonly Parameter[];
}

export function takerOf(schema: ServedSchema, path: string): Taker {
  const open = schema.mutations.filter((mutation) => mutation.public);
  const mutation = open.find((each) => each.path === path);
  if (mutation !== undefined) return { path, target: { mutation: path }, parameters: mutation.parameters };
  const parameters = insertParameters(schema, path);
  if (parameters !== undefined) return { path, target: { into: path }, parameters };
  const names = [...open, ...schema.concepts, ...schema.relations.filter(({ kind }) => kind === 'stored')];
  throw new CommandFailure(
    `The module has no public mutation, concept or stored relation "${path}"${meantOrListed(
      path,
      names.map((each) => each.path),
    )}`,
  );
}

type Reading = Pick<ImportOptions, 'header' | 'columns' | 'delimiter' | 'encoding' | 'null'>;

export async function openFile(
  source: ImportSource,
  file: string,
  { header, columns, delimiter, encoding, null: nullWord }: Reading,
): Promise<Table> {
  try {
    return await openTable(source.bytes, {
      fileName: file,
      hasHead: header,
      ...{ columns, separator: delimiter, encoding, nullWord },
      encodingRemedy: 'add --encoding with its name, such as windows-1252',
    });
  } catch (cause) {
    if (!(cause instanceof UnreadableTable)) throw cause;
    throw new CommandFailure(`${file} cannot be imported. ${cause.message}`, { cause });
  }
}

/** How a file of text is read: its encoding, delimiter and notations. Undefined for a database. */
export function formatText(
  { encoding, sample }: Table,
  fed: readonly Parameter[],
  mapping: Mapping,
  { decimal, dates }: Pick<ImportOptions, 'decimal' | 'dates'>,
): string | undefined {
  const { format, separator } = sample;
  if (format === 'csv' && separator === undefined) return undefined;
  const found = foundNotation(sample, fed, mapping);
  const numbers = decimal === undefined ? found.numbers : NUMBER_NOTATIONS[decimal];
  const order = dates === undefined ? found.dates : DATE_NOTATIONS[dates];
  const kinds = new Set(fedBy(fed, mapping).map(({ parameter: { type } }) => notationKind(type)));
  const parts = [
    encoding,
    separator === undefined ? [] : `cells separated by ${DELIMITER_NAMES[separator] ?? `"${separator}"`}`,
    kinds.has('numbers') ? `numbers ${exampleOf(NUMBER_EXAMPLES, numbers)}` : [],
    kinds.has('dates') ? `dates ${exampleOf(DATE_EXAMPLES, order)}` : [],
  ];
  return parts.flat().join(', ');
}

const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
};
const NUMBER_EXAMPLES: Readonly<Record<NumberNotation, string>> = {
  plain: '1234.50',
  point: '1,234.50',
  comma: '1.234,50',
};
const DATE_EXAMPLES: Readonly<Record<DateNotation, string>> = {
  iso: '2026-01-31',
  dayFirst: '31/01/2026',
  monthFirst: '01/31/2026',
};

function exampleOf<Kind extends string>(examples: Readonly<Record<Kind, string>>, kind: Kind | undefined): string {
  return kind === undefined ? 'of each column in its own form' : `like ${examples[kind]}`;
}

/**
 * Maps parameters to columns. Throws if a required parameter has no column, or several candidates. Objects of JSON may have a member
 * that the first ones lack, so each parameter has a column there.
 */
export function columnMapping(taker: Taker, sample: ParsedFile, assigned: readonly Assignment[]): Mapping {
  const mapping = columnsFor(taker, sample.columns, assigned);
  if (sample.format === 'csv') return mapping;
  return Object.fromEntries(Object.entries(mapping).map(([name, column]) => [name, column ?? name]));
}

function columnsFor({ path, parameters }: Taker, columns: readonly string[], assigned: readonly Assignment[]): Mapping {
  for (const { name } of assigned) {
    const names = parameters.map((parameter) => parameter.name);
    if (!names.includes(name)) {
      throw new CommandFailure(`"${path}" has no parameter "${name}"${didYouMean(name, names) || '.'}`);
    }
  }
  const isAssigned = (parameter: Parameter) => assigned.some(({ name }) => name === parameter.name);
  const names = parameters.filter((parameter) => !isAssigned(parameter)).map(({ name }) => name);
  const alike = columnsNamed(names, columns);
  const taken = new Set([...alike.values(), ...assigned.map(({ text }) => text)]);
  return Object.fromEntries(
    parameters.map((parameter): [string, string | null] => {
      const named = assigned.find(({ name }) => name === parameter.name)?.text;
      const column = named === undefined ? alike.get(parameter.name) : columns.find((each) => each === named);
      if (named === undefined && column !== undefined && column !== parameter.name) {
        const others = columnsLike(parameter.name, columns).filter((each) => each === column || !taken.has(each));
        if (others.length > 1) {
          throw new CommandFailure(
            `Columns ${others.map((each) => `"${each}"`).join(' and ')} both match "${parameter.name}". Choose one with --column ${parameter.name}=COLUMN.`,
          );
        }
      }
      if (column !== undefined) return [parameter.name, column];
      if (!parameter.required && named === undefined) return [parameter.name, null];
      throw new CommandFailure(
        `No column for "${parameter.name}" of "${path}". Choose one with --column ${parameter.name}=COLUMN. Columns: ${columns.join(', ')}.`,
      );
    }),
  );
}

/** `fed` are the parameters of the taker with the types of their cells. */
export function linesOf(
  { sample }: Table,
  { enums }: ServedSchema,
  fed: readonly Parameter[],
  mapping: Mapping,
  { decimal, dates }: Pick<ImportOptions, 'decimal' | 'dates'>,
): RowLines {
  // Databases write numbers and dates in one way.
  const isText = sample.format === 'json' || sample.separator !== undefined;
  const terms: RowTerms = {
    notation: {
      numbers: decimal === undefined ? (isText ? undefined : 'plain') : NUMBER_NOTATIONS[decimal],
      dates: dates === undefined ? (isText ? undefined : 'iso') : DATE_NOTATIONS[dates],
    },
    enums,
    remedies: { numbers: 'add --decimal "," or --decimal "."', dates: 'add --dates dmy or --dates mdy' },
  };
  const lines = createRowLines(sample, fed, mapping, terms);
  if (sample.format === 'csv') return lines;
  // A member without a parameter would be lost silently. Names with `$` are those that exports add.
  const used = new Set(Object.values(mapping));
  const isLost = (name: string): boolean => !used.has(name) && !name.startsWith('$');
  return {
    columns: lines.columns,
    write(row) {
      const lost = 'record' in row ? Object.keys(row.record).find(isLost) : undefined;
      return lost === undefined ? lines.write(row) : [{ field: '', message: `No parameter takes "${lost}".` }];
    },
  };
}

const NUMBER_NOTATIONS: Readonly<Record<',' | '.', NumberNotation>> = { ',': 'comma', '.': 'point' };

const DATE_NOTATIONS: Readonly<Record<'ymd' | 'dmy' | 'mdy', DateNotation>> = {
  ymd: 'iso',
  dmy: 'dayFirst',
  mdy: 'monthFirst',
};

/** The option that helps if the rows name individuals by a field instead of an id. */
export function keyHint(schema: ServedSchema, { parameters }: Taker, { details }: ApiFailure): string | undefined {
  const { parameter: name, class: wanted, received } = details;
  if (typeof wanted !== 'string' || typeof received !== 'string') return undefined;
  const parameter = parameters.find((each) => each.name === name);
  const key = parameter && uniqueField(schema, parameter.type);
  return key === undefined ? undefined : `Add --key ${String(name)}=${key} if the rows contain its ${key}.`;
}

function uniqueField(schema: ServedSchema, type: WireType): string | undefined {
  if (type.kind === 'optional' || type.kind === 'list') return uniqueField(schema, type.of);
  if (type.kind !== 'class') return undefined;
  const concept = schema.defines.find((define) => define.path === type.path)?.class ?? type.path;
  return schema.concepts.find((each) => each.path === concept)?.fields.find((field) => field.unique)?.name;
}
