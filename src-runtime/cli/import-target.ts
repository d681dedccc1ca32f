/** What takes the rows of `entail import`, which column feeds which parameter, and hints for refused rows. */

import type { ApiFailure } from '../api/failures.js';
import type { ImportTarget } from '../api/schemas/import-schemas.js';
import type { ServedSchema } from '../api/schemas/module-schemas.js';
import type { WireType } from '../api/schemas/schemas.js';
import { columnsLike, columnsNamed } from '../api/tables/import-file.js';
import { insertParameters, type Mapping, type Parameter } from '../api/tables/import-rows.js';
import { didYouMean } from '../base/nearest.js';
import { type Assignment, meantOrListed } from './connect.js';
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

/** Maps parameters to columns. Throws if a required parameter has no column, or several candidates. */
export function columnMapping(
  { path, parameters }: Taker,
  columns: readonly string[],
  assigned: readonly Assignment[],
): Mapping {
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
