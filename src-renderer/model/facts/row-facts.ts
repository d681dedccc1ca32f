/** The facts shown by a result row, so that each cell links to its explanation. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { isEntity } from './labels.js';

export interface ShownFact {
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
}

/** For one cell: its value, its facts, and its individual. */
export interface RowCell {
  readonly column: string;
  readonly value: JsonValue;
  readonly individual: string | undefined;
  readonly facts: readonly ShownFact[];
}

/** The cells of a row; the row itself first if it is an individual. */
export function cellsOfRow(schema: ServedSchema, row: JsonValue): readonly RowCell[] {
  if (isEntity(row)) {
    const fields = Object.entries(row).filter(([name]) => !name.startsWith('$'));
    return [
      entityCell('', row),
      ...fields.map(([name, value]) => fieldCell(schema, row, name, (value ?? null) as JsonValue)),
    ];
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return [plainCell('value', row)];
  return Object.entries(row).map(([name, value]) => plainCell(name, value ?? null));
}

function plainCell(column: string, value: JsonValue): RowCell {
  if (isEntity(value)) return entityCell(column, value);
  return { column, value, individual: undefined, facts: [] };
}

/** Its class memberships, including derived classes (defines). */
function entityCell(column: string, entity: JsonValue & { $id: string; $meta: { classes: string[] } }): RowCell {
  const facts = entity.$meta.classes.map((path) => ({ relation: path, tuple: [entity.$id] }));
  return { column, value: entity, individual: entity.$id, facts };
}

function fieldCell(
  schema: ServedSchema,
  entity: { $id: string; $meta: { type: string } },
  name: string,
  value: JsonValue,
): RowCell {
  const field = fieldOf(schema, entity, name);
  const values = (Array.isArray(value) ? value : [value]).filter((each) => each !== null);
  const individual =
    typeof value === 'string' && field?.type.kind !== 'scalar' && /^[#@]/.test(value) ? value : undefined;
  if (field === undefined) return { column: name, value, individual, facts: [] };
  if (field.navigation === undefined) {
    return {
      column: name,
      value,
      individual,
      facts: values.map((each) => ({ relation: field.path, tuple: [entity.$id, each] })),
    };
  }
  const facts = values.map((each) => navigationFact(schema, entity, name, each));
  return { column: name, value, individual, facts: facts.filter((fact) => fact !== undefined) };
}

/** The tuple of a navigation field, if its relation has exactly two endpoints. */
export function navigationFact(
  schema: ServedSchema,
  entity: FieldsOwner,
  name: string,
  value: JsonValue,
): ShownFact | undefined {
  const { navigation } = fieldOf(schema, entity, name) ?? {};
  const relation = schema.relations.find(({ path }) => path === navigation?.relation);
  if (relation === undefined || relation.endpoints.length !== 2) return undefined;
  const tuple = relation.endpoints.map((endpoint) => (endpoint.name === navigation?.endpoint ? value : entity.$id));
  return { relation: relation.path, tuple };
}

interface FieldsOwner {
  readonly $id: string;
  readonly $meta: { readonly type: string };
}

function fieldOf(schema: ServedSchema, { $meta }: FieldsOwner, name: string) {
  return schema.concepts.find(({ path }) => path === $meta.type)?.fields.find((each) => each.name === name);
}
