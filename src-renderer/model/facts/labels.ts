/** What an individual is called: the text field a person would name it by, else its kind with its number. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { Entity, JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { NAMING_FIELDS, namingOrder, numberedName } from '../../../src-runtime/base/naming.js';
import { ownValue } from '../../state/own-value.js';

/**
 * What lists, sentences and tooltips show of one text. Longer texts are shown in brief: laying out a megabyte takes the browser
 * seconds. `LongText` shows the rest on request.
 */
export const SHOWN_LETTERS_MAX = 1_000;

export function entityLabel(entity: Entity): string {
  const field = namingField(entity);
  if (field !== undefined) return inBrief(String(entity[field]), SHOWN_LETTERS_MAX);
  return numberedName(entity.$meta.type, entity.$id) ?? idLabel(entity.$id);
}

/** Whether an individual of the concept is called by its kind. */
export function saysConcept(label: string, concept: string, id: string): boolean {
  return label === numberedName(concept, id);
}

/** The field that the label comes from. */
export function namingField(entity: Entity): string | undefined {
  return firstText(namingOrder(textFields.get(entity.$meta.type) ?? NAMING_FIELDS), entity);
}

/** The label of something with these fields; undefined where none of them names it. */
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

/** What tells one from another of the same name: the value of a unique field, else its id. */
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
 * By concept. On the wire a text looks like a date or a number; only the schema tells them apart, so what it says is learnt
 * whenever it is answered.
 */
let textFields: ReadonlyMap<string, readonly string[]> = new Map();
/** By concept, those of values, as a reference to another individual has to be told apart itself. */
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

/** An object, an individual too: neither a list nor a plain value. */
export function isJsonObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for the wire form of a reference. Texts may look like one; where the type is known, ask the type instead. */
export function looksLikeReference(value: JsonValue): value is string {
  return typeof value === 'string' && /^(#i\d+|@[A-Za-z_][\w:]*)$/.test(value);
}

/** A text in which some of these values stand, in pieces: each individual among them is a piece of its own. */
export function piecesOf(text: string, values: readonly JsonValue[]): readonly string[] {
  const ids = values.filter(looksLikeReference);
  return ids.length === 0 ? [text] : text.split(new RegExp(`((?:${ids.join('|')})(?![\\w:]))`));
}

/** A text in which ids may stand, in pieces likewise. Without a module, `@name` is how people are called in texts of all kinds. */
export function piecesByIds(text: string): readonly string[] {
  return text.split(/(?<![\w#@])(#i\d+(?!\w)|@[A-Za-z_]\w*(?:::\w+)+)/);
}

/** What a text takes of a line, in letters of the alphabets: those of East Asia are twice as wide. */
export function lettersWide(text: string): number {
  let wide = 0;
  for (const letter of text) wide += WIDE.test(letter) ? 2 : 1;
  return wide;
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u;

/** A name in so many letters: of a longer one the beginning and the end, as those that begin alike are told apart by their ends. */
export function inBrief(name: string, lettersMax: number): string {
  if (name.length * 2 <= lettersMax) return name;
  // A letter has at most two units, so what is longer is not looked through: it may have megabytes.
  const unitsMax = lettersMax * 2;
  if (name.length <= unitsMax && lettersWide(name) <= lettersMax) return name;
  const ending = Math.floor((lettersMax - 1) / 2);
  const end = fitting([...name.slice(-unitsMax)].reverse(), ending).reverse();
  return `${fitting([...name.slice(0, unitsMax)], lettersMax - 1 - ending).join('')}…${end.join('')}`;
}

/** As many of the first as fit into so many letters. */
function fitting(letters: readonly string[], lettersMax: number): string[] {
  let left = lettersMax;
  const over = letters.findIndex((letter) => {
    left -= lettersWide(letter);
    return left < 0;
  });
  return letters.slice(0, over < 0 ? letters.length : over);
}

/** A value as `plainText` gives it, in brief where it is long. */
export function shownText(value: JsonValue): string {
  return inBrief(plainText(value), SHOWN_LETTERS_MAX);
}

/** A value as one line, without quotes around text, except where there would be nothing to see. */
export function plainText(value: JsonValue): string {
  if (value === null) return 'none';
  if (typeof value === 'string' && value.trim() === '') return JSON.stringify(value);
  if (typeof value === 'string') return looksLikeReference(value) ? idLabel(value) : value;
  if (typeof value === 'object') return isEntity(value) ? entityLabel(value) : JSON.stringify(value);
  return String(value);
}
