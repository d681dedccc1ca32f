/** Rows may refer to individuals by a key field instead of an id: the possible fields, and the default for a file. */

import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import type { ParsedFile } from '../../../../src-runtime/api/tables/import-file.js';
import { type Keys, keyFields, type Mapping, type Parameter } from '../../../../src-runtime/api/tables/import-rows.js';
import { shortName } from '../../../model/facts/locations.js';
import { ownValue } from '../../../state/own-value.js';

/** The previous selection, else the unique field of the referenced concept if the first cell is not a reference. */
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
      const selected = ownValue(kept, name);
      if (selected === null || fields.some((field) => field.name === selected)) return [name, selected ?? null];
      const column = mapping[name] ?? null;
      const cell = column === null ? undefined : file.records.find((record) => !isEmpty(record[column]))?.[column];
      const isKey = typeof cell === 'string' && !isReference(schema, cell);
      return [name, (isKey && fields.find(({ unique }) => unique)?.name) || null];
    }),
  );
}

function isEmpty(cell: JsonValue | undefined): boolean {
  return cell === undefined || cell === null || cell === '';
}

function isReference(schema: ServedSchema, cell: string): boolean {
  const name = cell.trim();
  return /^[#@]/.test(name) || schema.individuals.some(({ path }) => path === name || shortName(path) === name);
}

/** In the format of the request. */
export function sentKeys(keys: Keys): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(keys).filter((entry): entry is [string, string] => entry[1] !== null));
}
