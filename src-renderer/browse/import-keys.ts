/** Rows may name individuals by a field, as files from elsewhere do: which fields can be meant, and which ones a file means. */

import type { ParsedFile } from '../../src-runtime/api/import-file.js';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { WireType } from '../../src-runtime/api/schemas.js';
import { shortName } from '../data/locations.js';
import { ownValue } from '../data/own-value.js';
import type { Mapping, Parameter } from './import-model.js';

type Field = ServedSchema['concepts'][number]['fields'][number];

/** By parameter, the field that its cells are values of; null where they are references. */
export type Keys = Readonly<Record<string, string | null>>;

/** The fields of what the type refers to that hold a value of their own. */
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

/** What was chosen before, else the unique field of what a column refers to whose first cell is no reference. */
export function fittedKeys(
  schema: ServedSchema,
  parameters: readonly Parameter[],
  file: ParsedFile,
  mapping: Mapping,
  kept: Keys,
): Keys {
  return Object.fromEntries(
    parameters.map(({ name, type }) => {
      const fields = keyFields(schema, type);
      const chosen = ownValue(kept, name);
      if (chosen === null || fields.some((field) => field.name === chosen)) return [name, chosen ?? null];
      const column = mapping[name] ?? null;
      const cell = column === null ? undefined : file.records.find((record) => record[column] !== '')?.[column];
      const isKey = typeof cell === 'string' && !isReference(schema, cell);
      return [name, (isKey && fields.find(({ unique }) => unique)?.name) || null];
    }),
  );
}

function isReference(schema: ServedSchema, cell: string): boolean {
  const name = cell.trim();
  return /^[#@]/.test(name) || schema.individuals.some(({ path }) => path === name || shortName(path) === name);
}

/** The parameters as a file feeds them: what is named by a field takes values of the field. */
export function keyedParameters(
  schema: ServedSchema,
  parameters: readonly Parameter[],
  keys: Keys,
): readonly Parameter[] {
  return parameters.map((parameter) => {
    const field = keyFields(schema, parameter.type).find(({ name }) => name === keys[parameter.name]);
    if (field === undefined) return parameter;
    const plain = field.type.kind === 'optional' ? field.type.of : field.type;
    return { ...parameter, type: inPlaceOf(parameter.type, plain) };
  });
}

function inPlaceOf(type: WireType, value: WireType): WireType {
  return type.kind === 'optional' || type.kind === 'list' ? { ...type, of: inPlaceOf(type.of, value) } : value;
}

/** As an import is sent them. */
export function sentKeys(keys: Keys): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(keys).filter((entry): entry is [string, string] => entry[1] !== null));
}
