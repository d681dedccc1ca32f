/** Wire values as they are written in a module. */

import type { JsonValue, WireType } from '../../src-runtime/api/schemas.js';
import { plainDecimal } from './decimal-text.js';
import { typeText } from './type-text.js';

/** How an individual that is no declared one is written, such as the name that a test gave it; undefined where it has none. */
export type NameOf = (id: string) => string | undefined;

/** Undefined where the value cannot be written: an individual that a mutation made and that has no name. */
export function literalText(type: WireType, value: JsonValue, nameOf: NameOf = () => undefined): string | undefined {
  if (type.kind === 'optional') return value === null ? 'none' : literalText(type.of, value, nameOf);
  if (type.kind === 'list') {
    const items = (Array.isArray(value) ? value : []).map((item) => literalText(type.of, item, nameOf));
    return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
  }
  if (type.kind === 'record') {
    const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
    const parts = type.fields.map(({ name, type: of }) => {
      const text = literalText(of, members[name] ?? null, nameOf);
      return text === undefined ? undefined : `${name}: ${text}`;
    });
    return parts.includes(undefined) ? undefined : `{ ${parts.join(', ')} }`;
  }
  if (type.kind === 'class') return individualText(value, nameOf);
  if (type.kind === 'enum') return `${typeText(type)}::${String(value)}`;
  return type.kind === 'scalar' ? scalarText(type.name, value) : undefined;
}

function individualText(value: JsonValue, nameOf: NameOf): string | undefined {
  const id = typeof value === 'object' && value !== null && !Array.isArray(value) ? value['$id'] : value;
  if (typeof id !== 'string') return undefined;
  const named = nameOf(id);
  if (named !== undefined) return named;
  if (id.startsWith('#')) return undefined;
  const name = id.replace(/^@/, '');
  return `@${name.slice(name.lastIndexOf(':') + 1)}`;
}

function scalarText(name: string, value: JsonValue): string {
  const text = String(value);
  if (name === 'Text') return quoted(text);
  if (name === 'Decimal') return plainDecimal(text);
  if (name === 'Date') return `date "${text}"`;
  return name === 'DateTime' ? `datetime "${text}"` : text;
}

/** The escapes that the language has; any other control character by its code point. */
export function quoted(text: string): string {
  const escaped = text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return `"${escaped.replace(/[\u0000-\u001f]/g, (mark) => `\\u{${mark.charCodeAt(0).toString(16)}}`)}"`;
}
