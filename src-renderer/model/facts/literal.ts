/** Wire values as Entail literals. */

import type { JsonValue, WireType } from '../../../src-runtime/api/schemas/schemas.js';
import { isDate, parseDateTime } from '../../../src-runtime/base/dates.js';
import { wireDecimal } from '../../../src-runtime/base/decimal.js';
import { ownValue } from '../../state/own-value.js';
import { plainDecimal } from '../text/decimal-text.js';
import type { Named } from './enclosing-module.js';
import { shortName } from './locations.js';

/** How to write an individual that is not declared, such as by the name a test gave it, or undefined if none exists. */
export type NameOf = (id: string) => string | undefined;

/** Undefined if there is no literal: an unnamed individual created by a mutation, or a value not of the type. */
export function literalText(
  type: WireType,
  value: JsonValue,
  nameOf: NameOf = () => undefined,
  named: Named = shortName,
): string | undefined {
  const part = (of: WireType, inner: JsonValue) => literalText(of, inner, nameOf, named);
  switch (type.kind) {
    case 'optional':
      return value === null ? 'none' : part(type.of, value);
    case 'list': {
      const items = Array.isArray(value) ? value.map((item) => part(type.of, item)) : [undefined];
      return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
    }
    case 'record':
      return recordText(type.fields, value, part);
    case 'class':
      return individualText(value, nameOf, named);
    case 'enum':
      return typeof value === 'string' ? `${named(type.path)}::${value}` : undefined;
    default:
      return type.kind === 'scalar' ? scalarText(type.name, value) : undefined;
  }
}

function recordText(
  fields: readonly { readonly name: string; readonly type: WireType }[],
  value: JsonValue,
  part: (type: WireType, value: JsonValue) => string | undefined,
): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (Object.keys(value).some((key) => !fields.some(({ name }) => name === key))) return undefined;
  const parts = fields.map(({ name, type }) => {
    const text = part(type, ownValue(value, name) ?? null);
    return text === undefined ? undefined : `${name}: ${text}`;
  });
  return parts.includes(undefined) ? undefined : `{ ${parts.join(', ')} }`;
}

function individualText(value: JsonValue, nameOf: NameOf, named: Named): string | undefined {
  const id = typeof value === 'object' && value !== null && !Array.isArray(value) ? value['$id'] : value;
  if (typeof id !== 'string') return undefined;
  return nameOf(id) ?? (id.startsWith('#') ? undefined : `@${named(id.replace(/^@/, ''))}`);
}

function scalarText(name: string, value: JsonValue): string | undefined {
  const text = typeof value === 'object' ? '' : String(value);
  switch (name) {
    case 'Bool':
      return typeof value === 'boolean' ? text : undefined;
    case 'Int':
      return Number.isSafeInteger(value) ? text : undefined;
    case 'Decimal':
      return typeof value !== 'boolean' && wireDecimal(text) !== undefined ? plainDecimal(text) : undefined;
    case 'Text':
      return typeof value === 'string' ? quoted(text) : undefined;
    case 'Date':
      return isDate(text) ? `date "${text}"` : undefined;
    default:
      return parseDateTime(text) === undefined ? undefined : `datetime "${text}"`;
  }
}

/** Escape sequences of the language; other control characters by code point. */
export function quoted(text: string): string {
  const escaped = text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
  return `"${escaped.replace(/[\u0000-\u001f]/g, (mark) => `\\u{${mark.charCodeAt(0).toString(16)}}`)}"`;
}
