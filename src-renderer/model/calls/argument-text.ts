/** What a call was given and what it gave as one line: individuals by what they are called, as references or whole. */

import type { Entity, JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { entityLabel, idLabel, isEntity, isJsonObject, looksLikeReference } from '../facts/labels.js';
import { valueText } from '../text/value-text.js';

type Arguments = Readonly<Record<string, JsonValue>>;

/** `nameOf` has the entity too where that was sent. */
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

/** Of what stands for the result of an earlier step of a batch. */
function stepText({ $step, ...others }: Arguments): string | undefined {
  return typeof $step === 'number' && Object.keys(others).length === 0 ? `result of step ${$step}` : undefined;
}

/** A result that is no list, with the names that it brings itself. */
export function resultText(result: JsonValue): string {
  if (isEntity(result)) return entityLabel(result);
  if (!isJsonObject(result)) return JSON.stringify(result);
  return argumentText(result, (id, sent) => (sent === undefined ? idLabel(id) : entityLabel(sent)));
}

/** The ids of all individuals among them. */
export function referencesIn(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (isEntity(value)) return [value.$id];
  if (isJsonObject(value)) return Object.values(value).flatMap(referencesIn);
  return looksLikeReference(value) ? [value] : [];
}
