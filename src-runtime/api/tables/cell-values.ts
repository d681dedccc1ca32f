/** Cells of tables as wire values and back, by type. What `cellOf` writes, `readCell` reads back equal. */

import { parseWithAllDigits } from '../../base/exact-json.js';
import type { ServedSchema } from '../schemas/module-schemas.js';
import type { JsonValue, WireType } from '../schemas/schemas.js';
import type { Cell } from './delimited-text.js';
import { misfit } from './enum-members.js';
import { ambiguousNumber, isAmbiguousDate, isoDate, type Notation, notationKind, plainNumber } from './notation.js';
import { readScalar, truthOf } from './scalar-values.js';

/** How to read a cell, besides its type. */
export interface CellTerms {
  readonly notation: Notation;
  readonly enums: ServedSchema['enums'];
  /** What the user can do about an ambiguous number or date. */
  readonly remedies: Readonly<Record<keyof Notation, string>>;
}

export interface CellReading {
  readonly value: JsonValue;
  /** Why the cell has no value of the type. */
  readonly message?: string;
}

export interface CellTarget {
  readonly type: WireType;
  readonly required: boolean;
}

/** Reads the argument in a cell. Undefined, for an empty cell, leaves the parameter out; a required text is then empty. */
export function readCell({ type, required }: CellTarget, cell: Cell, terms: CellTerms): CellReading | undefined {
  const plain = type.kind === 'optional' ? type.of : type;
  const isText = plain.kind === 'scalar' && plain.name === 'Text';
  // Only texts can be blank: many programs quote every cell.
  const isEmpty = cell === null || (!isText && cell.trim() === '');
  if (isEmpty && !required) return undefined;
  return readText(plain, cell ?? '', terms);
}

/** Writes a value as a cell: an individual as its id, a list of plain items with semicolons, anything else as JSON. */
export function cellOf(value: JsonValue): Cell {
  if (value === null) return null;
  if (typeof value !== 'object') return String(value);
  if (!Array.isArray(value)) return idOf(value) ?? JSON.stringify(value);
  const items = value.map((item) => idOf(item) ?? item);
  return items.length > 0 && items.every(isPlainItem) ? items.map(String).join(';') : JSON.stringify(items);
}

/** The items of a list that is not JSON. */
export function listItems(text: string): string[] {
  return text.trim() === '' ? [] : text.split(';').map((item) => item.trim());
}

export function isJsonList(text: string): boolean {
  return text.trimStart().startsWith('[');
}

/** The id of an entity. */
export function idOf(value: JsonValue): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return typeof value['$id'] === 'string' ? value['$id'] : undefined;
}

/** Whether `listItems` reads the item back. */
function isPlainItem(item: JsonValue): boolean {
  if (typeof item === 'object') return false;
  const text = String(item);
  return text !== '' && text === text.trim() && !/^\[|;/.test(text);
}

function readText(type: WireType, text: string, terms: CellTerms): CellReading {
  switch (type.kind) {
    case 'optional':
      return readText(type.of, text, terms);
    case 'list':
      return isJsonList(text) ? readJson(text) : readList(type.of, text, terms);
    case 'record':
      return readJson(text);
    case 'enum':
      return readEnum(type.path, text.trim(), terms);
    case 'class':
      if (text.trimStart().startsWith('{')) return readJson(text);
      return wordOr(text.trim(), 'An individual is needed.');
    case 'extern':
      return { value: text, message: 'This runtime provides no values of this type.' };
    case 'scalar':
      return type.name === 'Bool' ? readBool(text) : readWritten(type, type.name, text, terms);
  }
}

function readList(of: WireType, text: string, terms: CellTerms): CellReading {
  const items = listItems(text).map((item) => readText(of, item, terms));
  const wrong = items.find(({ message }) => message !== undefined)?.message;
  return { value: items.map(({ value }) => value), ...(wrong !== undefined && { message: wrong }) };
}

function readJson(text: string): CellReading {
  try {
    return { value: parseWithAllDigits(text) as JsonValue };
  } catch {
    return { value: text, message: 'This is not JSON.' };
  }
}

function readEnum(path: string, name: string, { enums }: CellTerms): CellReading {
  const message = name === '' ? 'Choose a member.' : misfit(path, name, enums);
  return { value: name, ...(message !== undefined && { message }) };
}

function wordOr(word: string, message: string): CellReading {
  return { value: word, ...(word === '' && { message }) };
}

function readBool(text: string): CellReading {
  if (text.trim() === '') return { value: text, message: 'A truth value is needed.' };
  const value = truthOf(text);
  return value === undefined ? { value: text, message: `"${text.trim()}" is neither true nor false.` } : { value };
}

/** Numbers and dates in the notation of the file, and texts. */
function readWritten(type: WireType, name: string, text: string, { notation, remedies }: CellTerms): CellReading {
  const kind = notationKind(type);
  const word = text.trim();
  if (kind === 'dates' && isAmbiguousDate(text, notation.dates)) {
    return { value: text, message: `"${word}" may mean two days; ${remedies.dates}.` };
  }
  const numbers = kind === 'numbers' ? ambiguousNumber(text, notation.numbers) : undefined;
  if (numbers !== undefined) {
    const [first, second] = numbers;
    const problem =
      second === undefined ? `"${word}" is not written like other numbers` : `"${word}" may mean ${first} or ${second}`;
    return { value: text, message: `${problem}; ${remedies.numbers}.` };
  }
  const plain =
    kind === 'numbers' ? plainNumber(text, notation.numbers) : kind === 'dates' ? isoDate(text, notation.dates) : text;
  const reading = readScalar(name, plain);
  if (reading.ok) return { value: reading.value };
  const isWrongDate = name === 'Date' && word !== '';
  return { value: text, message: isWrongDate ? `"${word}" is no date of the calendar.` : reading.message };
}
