/** Which fields of individuals can be set on the page, and why others cannot. */

import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { Entity } from '../../../../src-runtime/api/schemas/schemas.js';
import { pastReason } from '../../../model/calls/place.js';
import { entityLabel } from '../../../model/facts/labels.js';
import { shortName } from '../../../model/facts/locations.js';
import type { CellContent } from '../rows/grid-columns.js';
import { fieldsOfClass } from '../rows/grid-columns.js';
import { viaOf } from '../rows/set-statements.js';
import { stagedRowOf } from '../rows/staged.js';
import type { Staged } from './use-staged.js';

export type Field = ServedSchema['concepts'][number]['fields'][number];

/** Undefined for a field that can be set. */
export function whyNotSet(schema: ServedSchema, entity: Entity, field: Field): string | undefined {
  const past = pastReason();
  if (past !== undefined) return past;
  const { name, navigation } = field;
  if (navigation !== undefined && viaOf(schema, field) === undefined) {
    return `${name} is read from ${shortName(navigation.relation)}. Edit it there.`;
  }
  if (entity.$id.startsWith('@')) return `${entityLabel(entity)} is declared in the module. Edit it there.`;
  return undefined;
}

/** The field shown by a grid cell, or the reason why it cannot be set. */
export function settableOf(
  schema: ServedSchema,
  deletions: Staged['deletions'],
  { column, row }: CellContent,
): { readonly entity: Entity; readonly field: Field } | { readonly whyNot: string } | undefined {
  if (column === undefined || row === undefined) return undefined;
  const { entity } = row;
  if (deletions.has(stagedRowOf(row))) return { whyNot: 'This row will be deleted. Press Delete to keep it.' };
  if (entity === undefined) return { whyNot: 'Only fields of individuals can be edited.' };
  const name = 'field' in column.source ? column.source.field : undefined;
  const field = fieldsOfClass(schema, entity.$meta.type).find((candidate) => candidate.name === name);
  if (field === undefined) return { whyNot: 'An id cannot be changed.' };
  const whyNot = whyNotSet(schema, entity, field);
  return whyNot === undefined ? { entity, field } : { whyNot };
}

export function isReferenceField(type: Field['type']): boolean {
  return type.kind === 'class' || ((type.kind === 'optional' || type.kind === 'list') && isReferenceField(type.of));
}
