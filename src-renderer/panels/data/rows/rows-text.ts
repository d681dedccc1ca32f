/** Selected rows as text for the clipboard: cells, CSV, JSON, or Entail facts. */

import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { exportText } from '../../../../src-runtime/api/tables/export-text.js';
import { idLabel } from '../../../model/facts/labels.js';
import { literalText } from '../../../model/facts/literal.js';
import { shortName } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import type { GridColumn } from './grid-columns.js';
import type { GridRow } from './use-rows.js';

export const ROW_FORMATS = ['tsv', 'csv', 'json', 'facts'] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];

export const FORMATS: Readonly<
  Record<RowFormat, { readonly words: string; readonly ending: string; readonly type: string }>
> = {
  tsv: { words: 'spreadsheet cells', ending: 'tsv', type: 'text/tab-separated-values' },
  csv: { words: 'CSV', ending: 'csv', type: 'text/csv' },
  json: { words: 'JSON', ending: 'json', type: 'application/json' },
  facts: { words: 'module source', ending: 'entail', type: 'text/plain' },
};

export interface TextOfRows {
  readonly info: RelationInfo;
  readonly schema: ServedSchema;
  /** Visible columns in order. */
  readonly columns: readonly GridColumn[];
  /** Index of a visible column's value in the cells of a row. */
  readonly positions: readonly number[];
  readonly rows: readonly GridRow[];
}

export function textOfRows(format: RowFormat, { info, schema, columns, positions, rows }: TextOfRows): string {
  if (format === 'facts') return factsText(schema, info, rows);
  return exportText(
    rows.map((row) => recordOf(columns, row, positions)),
    format,
  );
}

/** Values by column; individuals by id, so that they can be imported again. */
export function recordOf(
  columns: readonly GridColumn[],
  row: GridRow,
  positions: readonly number[] = columns.map((_, position) => position),
): Record<string, JsonValue> {
  return Object.fromEntries(columns.map((column, at) => [nameInText(column), row.cells[positions[at] ?? -1] ?? null]));
}

/** Column names: the field or endpoint, else a name that no field can have. */
export function nameInText({ source, id }: GridColumn): string {
  return (source.kind === 'individual' ? source.field : undefined) ?? id;
}

export interface CopiedRows {
  readonly format: RowFormat;
  readonly text: string;
  /** Header line, if the format has one. */
  readonly names: readonly string[];
}

let copied: CopiedRows | undefined;

/** Remembers what was copied, because the text alone does not identify it. */
export function rememberCopied(rows: CopiedRows): void {
  copied = rows;
}

/** The rows copied last, if the text equals theirs. */
export function copiedRows(text: string): CopiedRows | undefined {
  return copied?.text.replaceAll('\r\n', '\n') === text.replaceAll('\r\n', '\n') ? copied : undefined;
}

/** Why rows of this list cannot be written as facts; undefined if they can. */
export function noFactsReason({ kind }: RelationInfo): string | undefined {
  if (kind === 'concept' || kind === 'stored') return undefined;
  if (kind === 'field') return 'A field is declared with its individual.';
  return 'Conclusions cannot be declared as facts.';
}

/** `fact` items for a relation, `individual` items for a concept. Individuals created by mutations are named by number. */
function factsText(schema: ServedSchema, info: RelationInfo, rows: readonly GridRow[]): string {
  const mentioned = new Map<string, string>();
  const stated = new Set(rows.flatMap(({ individual }) => individual ?? []));
  const lines = rows.map((row) => {
    const nameOf = (id: string): string | undefined => {
      if (!id.startsWith('#')) return undefined;
      if (!stated.has(id)) mentioned.set(id, row.labels[id] ?? id);
      return `@${nameOfId(id)}`;
    };
    return info.kind === 'concept' ? individualLine(schema, row, nameOf) : factLine(info, row, nameOf);
  });
  const notes = [...mentioned].map(([id, label]) => `// @${nameOfId(id)} is ${label}: declare it too\n`);
  return `${notes.join('')}${lines.join('\n')}\n`;
}

type NameOf = (id: string) => string | undefined;

function factLine(info: RelationInfo, row: GridRow, nameOf: NameOf): string {
  const values = info.endpoints.map(({ type }, at) => literalText(type, row.cells[at] ?? null, nameOf));
  return `fact ${shortName(info.path)}(${values.join(', ')})`;
}

/** With the fields of its own concept; relations are written as facts. */
function individualLine(schema: ServedSchema, { entity, individual = '' }: GridRow, nameOf: NameOf): string {
  const type = entity?.$meta.type ?? '';
  const fields = schema.concepts.find(({ path }) => path === type)?.fields ?? [];
  const values = (entity ?? {}) as Readonly<Record<string, JsonValue>>;
  const texts = fields.flatMap((field) => {
    const value = values[field.name] ?? null;
    if (field.navigation !== undefined || value === null) return [];
    return `${field.name}: ${literalText(field.type, value, nameOf)}`;
  });
  return `pub individual ${nameOfId(individual)}: ${shortName(type)} { ${texts.join(', ')} }`;
}

/** `#i3` → `i3`, `@lease::acme` → `acme`. */
function nameOfId(id: string): string {
  return id.startsWith('#') ? id.slice(1) : idLabel(id);
}
