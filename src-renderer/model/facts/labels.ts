/** The label of an individual: the text field that names it, else its concept and number. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { Entity, JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { NAMING_FIELDS, namingOrder, numberedName } from '../../../src-runtime/base/naming.js';
import { ownValue } from '../../state/own-value.js';

/**
 * The length of text in lists, sentences and tooltips. Longer texts are shortened, because laying out a megabyte takes browsers
 * seconds. `LongText` shows the rest on request.
 */
export const SHOWN_LETTERS_MAX = 1_000;

export function entityLabel(entity: Entity): string {
  const field = namingField(entity);
  if (field !== undefined) return inBrief(String(entity[field]), SHOWN_LETTERS_MAX);
  return numberedName(entity.$meta.type, entity.$id) ?? idLabel(entity.$id);
}

/** Whether individuals of the concept are labelled by their concept. */
export function saysConcept(label: string, concept: string, id: string): boolean {
  return label === numberedName(concept, id);
}

/** The field that the label comes from. */
export function namingField(entity: Entity): string | undefined {
  return firstText(namingOrder(textFields.get(entity.$meta.type) ?? NAMING_FIELDS), entity);
}

/** The label of an individual with these fields; undefined if none of them names it. */
export function labelOfFields(fields: Readonly<Record<string, unknown>>): string | undefined {
  const field = firstText(NAMING_FIELDS, fields);
  return field === undefined ? undefined : inBrief(String(fields[field]), SHOWN_LETTERS_MAX);
}

function firstText(names: readonly string[], fields: Readonly<Record<string, unknown>>): string | undefined {
  return names.find((name) => {
    const value = ownValue(fields, name);
    return typeof value === 'string' && value.trim() !== '';
  });
}

/** What distinguishes individuals with the same label: the value of a unique field, else the id. */
export function markOf(entity: Entity): string {
  const values = (uniqueFields.get(entity.$meta.type) ?? []).map((name) => ownValue(entity, name));
  const value = values.find((each) => each !== null && each !== undefined);
  return value === undefined ? shortId(entity.$id) : inBrief(String(value), SHOWN_LETTERS_MAX);
}

/** A declared individual without its module. */
export function shortId(id: string): string {
  return id.startsWith('@') ? `@${idLabel(id)}` : id;
}

/**
 * By concept. On the wire a text may look like a date or a number; only the schema distinguishes them, so it is recorded with
 * each response.
 */
let textFields: ReadonlyMap<string, readonly string[]> = new Map();
/** Value fields by concept; references need their own check. */
let uniqueFields: ReadonlyMap<string, readonly string[]> = new Map();

export function learnNamingFields({ concepts }: Pick<ServedSchema, 'concepts'>): void {
  textFields = new Map(concepts.map(({ path, fields }) => [path, textFieldsOf(fields)]));
  uniqueFields = new Map(concepts.map(({ path, fields }) => [path, uniqueFieldsOf(fields)]));
}

function uniqueFieldsOf(fields: ServedSchema['concepts'][number]['fields']): readonly string[] {
  return fields.flatMap(({ name, type, unique }) => {
    const plain = type.kind === 'optional' ? type.of : type;
    return unique && plain.kind === 'scalar' ? [name] : [];
  });
}

export function textFieldsOf(fields: ServedSchema['concepts'][number]['fields']): readonly string[] {
  return fields.flatMap(({ name, type, navigation }) => {
    const plain = type.kind === 'optional' ? type.of : type;
    return navigation === undefined && plain.kind === 'scalar' && plain.name === 'Text' ? [name] : [];
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

/** An object, including individuals, as opposed to lists and plain values. */
export function isJsonObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value looks like a reference. Texts may too; use the type if it is known. */
export function looksLikeReference(value: JsonValue): value is string {
  return typeof value === 'string' && /^(#i\d+|@[A-Za-z_][\w:]*)$/.test(value);
}

/** A text that contains some of these values, split so that each individual is a separate part. */
export function piecesOf(text: string, values: readonly JsonValue[]): readonly string[] {
  const ids = values.filter(looksLikeReference);
  return ids.length === 0 ? [text] : text.split(new RegExp(`((?:${ids.join('|')})(?![\\w:]))`));
}

/** A text that may contain ids, split the same way. Without a module, `@name` in a text may be a person's handle. */
export function piecesByIds(text: string): readonly string[] {
  return text.split(/(?<![\w#@])(#i\d+(?!\w)|@[A-Za-z_]\w*(?:::\w+)+)/);
}

/** The width of a text in characters; East Asian characters count twice. */
export function lettersWide(text: string): number {
  let wide = 0;
  for (const letter of text) wide += WIDE.test(letter) ? 2 : 1;
  return wide;
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u;

/** A label of limited length. Longer ones keep start and end, because labels with the same start usually differ at the end. */
export function inBrief(name: string, lettersMax: number): string {
  if (name.length * 2 <= lettersMax) return name;
  // A character has at most two code units, so longer text, which may be megabytes, is not scanned.
  const unitsMax = lettersMax * 2;
  if (name.length <= unitsMax && lettersWide(name) <= lettersMax) return name;
  const ending = Math.floor((lettersMax - 1) / 2);
  const end = fitting([...name.slice(-unitsMax)].reverse(), ending).reverse();
  return `${fitting([...name.slice(0, unitsMax)], lettersMax - 1 - ending).join('')}…${end.join('')}`;
}

/** The longest prefix of this width. */
function fitting(letters: readonly string[], lettersMax: number): string[] {
  let left = lettersMax;
  const over = letters.findIndex((letter) => {
    left -= lettersWide(letter);
    return left < 0;
  });
  return letters.slice(0, over < 0 ? letters.length : over);
}

/** `plainText` of a value, shortened if it is long. */
export function shownText(value: JsonValue): string {
  return inBrief(plainText(value), SHOWN_LETTERS_MAX);
}

/** A value on one line, without quotes around text unless it would be invisible. */
export function plainText(value: JsonValue): string {
  if (value === null) return 'none';
  if (typeof value === 'string' && value.trim() === '') return JSON.stringify(value);
  if (typeof value === 'string') return looksLikeReference(value) ? idLabel(value) : value;
  if (typeof value === 'object') return isEntity(value) ? entityLabel(value) : JSON.stringify(value);
  return String(value);
}
