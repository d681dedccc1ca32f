/** Deletes the selected rows of a list: one mutation for all, or the reason why none can be deleted. */

import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { type AdhocCall, textOf } from '../../../model/calls/calls.js';
import { pastReason } from '../../../model/calls/place.js';
import { type EnclosingModule, ONLY_MODULE } from '../../../model/facts/enclosing-module.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { typeText } from '../../../model/facts/type-text.js';
import type { GridRow } from '../rows/use-rows.js';

/** `forget` also erases the individual from the history. */
export type RemovalKind = 'delete' | 'forget';

export interface Removal extends Omit<AdhocCall, 'kind'> {
  readonly rows: number;
  /** Selected rows that the module declares, which are kept. */
  readonly declared: number;
}

export function removalOf(
  info: RelationInfo,
  selected: readonly GridRow[],
  kind: RemovalKind,
  { module, named }: EnclosingModule = ONLY_MODULE,
): Removal | { readonly reason: string } {
  const rows = removableRows(info, selected, kind);
  if ('reason' in rows) return rows;
  const isClass = info.kind === 'concept';
  const type = isClass ? named(info.path) : typeText({ kind: 'record', fields: [...info.endpoints] }, named);
  const members = info.endpoints.map(({ name }) => `row.${name}`).join(', ');
  const statement = isClass ? `${kind} row` : `delete ${named(info.path)}(${members})`;
  return {
    ...textOf({
      source: `mutation removeRows(rows: [${type}]) {\n  for row in rows {\n    ${statement}\n  }\n}`,
      module,
    }),
    args: { rows: rows.map((row) => (isClass ? (row.individual ?? null) : tupleOf(info, row))) },
    rows: rows.length,
    declared: selected.length - rows.length,
  };
}

/** The rows that are not declared in the module, or the reason why none can be deleted. */
export function removableRows(
  info: RelationInfo,
  selected: readonly GridRow[],
  kind: RemovalKind,
): readonly GridRow[] | { readonly reason: string } {
  const reason = pastReason() ?? noRemovalReason(info, kind);
  if (reason !== undefined) return { reason };
  const rows = selected.filter(({ origin }) => origin !== 'declared');
  return rows.length > 0 ? rows : { reason: 'These rows are declared in the module. Remove them there.' };
}

function noRemovalReason({ kind }: RelationInfo, removal: RemovalKind): string | undefined {
  if (kind === 'field') return 'Field values are removed with their individual.';
  if (kind !== 'concept' && kind !== 'stored') {
    return 'Conclusions disappear with the facts they are based on. Use Why? to see which.';
  }
  return removal === 'forget' && kind === 'stored' ? 'Only individuals can be erased.' : undefined;
}

function tupleOf({ endpoints }: RelationInfo, { cells }: GridRow): JsonValue {
  return Object.fromEntries(endpoints.map(({ name }, at) => [name, cells[at] ?? null]));
}
