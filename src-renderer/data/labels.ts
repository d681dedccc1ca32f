/** What an individual is called: the text field a person would name it by, else its id. */

import type { Entity, JsonValue } from '../../src-runtime/api/schemas.js';
import { NAMING_FIELDS } from '../../src-runtime/base/naming.js';

export function entityLabel(entity: Entity): string {
  const field = namingField(entity);
  return field === undefined ? idLabel(entity.$id) : String(entity[field]);
}

/** The field that the label comes from. */
export function namingField(entity: Entity): string | undefined {
  return namingFieldOf(entity);
}

/** The label of something with these fields; undefined where none of them names it. */
export function labelOfFields(fields: Readonly<Record<string, unknown>>): string | undefined {
  const field = namingFieldOf(fields);
  return field === undefined ? undefined : String(fields[field]);
}

function namingFieldOf(fields: Readonly<Record<string, unknown>>): string | undefined {
  return NAMING_FIELDS.find((field) => {
    const value = fields[field];
    return typeof value === 'string' && value.trim() !== '';
  });
}

/** `@lease::acme` → `acme`; `#i3` as it is. */
export function idLabel(id: string): string {
  if (!id.startsWith('@')) return id;
  const at = id.lastIndexOf('::');
  return at < 0 ? id.slice(1) : id.slice(at + 2);
}

export function isEntity(value: unknown): value is Entity {
  return typeof value === 'object' && value !== null && typeof (value as { $id?: unknown }).$id === 'string';
}

/** True for the wire form of a reference. Texts may look like one; where the type is known, ask the type instead. */
export function looksLikeReference(value: JsonValue): value is string {
  return typeof value === 'string' && /^(#i\d+|@[A-Za-z_][\w:]*)$/.test(value);
}

/** A value as one short line, without quotes around text. */
export function plainText(value: JsonValue): string {
  if (value === null) return 'none';
  if (typeof value === 'string') return looksLikeReference(value) ? idLabel(value) : value;
  if (typeof value === 'object') return isEntity(value) ? entityLabel(value) : JSON.stringify(value);
  return String(value);
}
