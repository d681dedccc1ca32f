/** Adds a row to a list: the mutation for the form values, or the reason why rows cannot be added. */

import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { type AdhocCall, textOf } from '../../../model/calls/calls.js';
import { emptyForm, type Form, type FormParameter, formValue } from '../../../model/calls/form-model.js';
import { type EnclosingModule, ONLY_MODULE } from '../../../model/facts/enclosing-module.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { typeText } from '../../../model/facts/type-text.js';
import { ownValue } from '../../../state/own-value.js';
import { fieldsOfClass } from '../rows/grid-columns.js';
import type { GridRow } from '../rows/use-rows.js';

/** Undefined if rows can be added. */
export function noAdditionReason({ kind }: RelationInfo): string | undefined {
  return kind === 'concept' || kind === 'stored' ? undefined : 'Conclusions cannot be added.';
}

/** The fields of a concept, the endpoints of a relation. */
export function parametersOfRow(
  schema: ServedSchema,
  info: RelationInfo,
): readonly (FormParameter & { doc?: string })[] {
  if (info.kind === 'stored') return info.endpoints.map(({ name, type }) => ({ name, type, required: true }));
  return fieldsOfClass(schema, info.path)
    .filter(({ navigation }) => navigation === undefined)
    .map(({ name, type, required, default: value, doc }) => ({
      name,
      type,
      required,
      ...(value !== undefined && { default: value }),
      ...(doc !== undefined && { doc }),
    }));
}

/** With the values of a row to copy, or of a staged row. */
export function formOfRow(parameters: readonly FormParameter[], info: RelationInfo, row: GridRow | undefined): Form {
  if (row === undefined) return emptyForm(parameters);
  const { inserted } = row;
  if (inserted !== undefined) {
    const values = new Map(inserted.values.map(({ name, value }) => [name, value]));
    return Object.fromEntries(parameters.map(({ name, type }) => [name, formValue(type, values.get(name) ?? null)]));
  }
  const fields = (row.entity ?? {}) as Readonly<Record<string, JsonValue>>;
  return Object.fromEntries(
    parameters.map(({ name, type }, at) => [
      name,
      formValue(type, (info.kind === 'stored' ? row.cells[at] : ownValue(fields, name)) ?? null),
    ]),
  );
}

/** Omitted fields get their default, or none. */
export function additionOf(
  info: RelationInfo,
  parameters: readonly FormParameter[],
  args: Readonly<Record<string, JsonValue>>,
  { module, named }: EnclosingModule = ONLY_MODULE,
): AdhocCall {
  const given = parameters.filter(({ name }) => ownValue(args, name) !== undefined);
  const signature = given.map(({ type }, at) => `value${at}: ${typeText(type, named)}`).join(', ');
  const name = named(info.path);
  const body =
    info.kind === 'stored'
      ? `insert ${name}(${given.map((_, at) => `value${at}`).join(', ')})`
      : `return insert ${name} { ${given.map((each, at) => `${each.name}: value${at}`).join(', ')} }`;
  return {
    kind: 'adhoc',
    ...textOf({
      source: `mutation addRow(${signature})${info.kind === 'stored' ? '' : ` -> ${name}`} {\n  ${body}\n}`,
      module,
    }),
    args: Object.fromEntries(given.map((each, at) => [`value${at}`, args[each.name] ?? null])),
  };
}
