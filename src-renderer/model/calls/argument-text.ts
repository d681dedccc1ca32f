/** The arguments and the result of a call on one line, with individuals by label, whether sent as references or expanded. */

import type { Entity, JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { entityLabel, idLabel, isEntity, isJsonObject, looksLikeReference } from '../facts/labels.js';
import { valueText } from '../facts/value-text.js';

type Arguments = Readonly<Record<string, JsonValue>>;

/** `nameOf` also receives the entity if it was sent. */
export function argumentText(args: Arguments, nameOf: (id: string, sent?: Entity) => string): string {
  const membersText = (members: Arguments): string =>
    Object.entries(members)
      .map(([name, value]) => `${name} ${textOf(value)}`)
      .join(', ');
  const textOf = (value: JsonValue): string => {
    if (Array.isArray(value)) return value.length === 0 ? '[]' : value.map(textOf).join(', ');
    if (isEntity(value)) return nameOf(value.$id, value);
    if (value === '') return '""';
    if (isJsonObject(value)) return stepText(value) ?? `(${membersText(value)})`;
    return valueText(value, looksLikeReference(value), nameOf);
  };
  return membersText(args);
}

/** For a placeholder of an earlier batch step's result. */
function stepText({ $step, ...others }: Arguments): string | undefined {
  return typeof $step === 'number' && Object.keys(others).length === 0 ? `result of step ${$step}` : undefined;
}

/** A single result, with the labels included in the response. */
export function resultText(result: JsonValue): string {
  if (isEntity(result)) return entityLabel(result);
  if (!isJsonObject(result)) return JSON.stringify(result);
  return argumentText(result, (id, sent) => (sent === undefined ? idLabel(id) : entityLabel(sent)));
}

/** The ids of all individuals in the values. */
export function referencesIn(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (isEntity(value)) return [value.$id];
  if (isJsonObject(value)) return Object.values(value).flatMap(referencesIn);
  return looksLikeReference(value) ? [value] : [];
}
