/** Lists and records: which types they are, their text, by which they are interned, and what they mention. */

import type { Type } from '../../artifact/types.js';
import { Decimal, type DecimalValue } from '../../base/decimal.js';
import { bare, type Value } from './value.js';

/** Whether values of the type are lists, records, or of an extern type. */
export function isComposite(type: Type): boolean {
  const { kind } = bare(type);
  return kind === 'list' || kind === 'record' || kind === 'extern';
}

/**
 * The value as JSON. Equal for equal values of a type, and different for values that differ in memory, so that values of all types share
 * one table: a Decimal is `{"": "12.5"}`, since no record has a field without a name.
 */
export function compositeText(value: Value): string {
  if (typeof value === 'number') return `${value}`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) {
    let text = '';
    for (const item of value) text += text === '' ? compositeText(item) : `,${compositeText(item)}`;
    return `[${text}]`;
  }
  if (Decimal.isDecimal(value)) return `{"":"${(value as DecimalValue).toString()}"}`;
  const record = value as { readonly [key: string]: Value };
  let text = '';
  for (const key of sortedKeys(record)) {
    text += `${text === '' ? '' : ','}${quoted(key)}:${compositeText(record[key] ?? null)}`;
  }
  return `{${text}}`;
}

/** Most records of a type have their keys in the same order, so few need to be sorted. */
function sortedKeys(record: object): readonly string[] {
  const keys = Object.keys(record);
  for (let at = 1; at < keys.length; at++) if ((keys[at - 1] as string) > (keys[at] as string)) return keys.sort();
  return keys;
}

/** Names of fields as JSON: few, and read again for each record. */
const QUOTED = new Map<string, string>();

function quoted(key: string): string {
  const known = QUOTED.get(key);
  if (known !== undefined) return known;
  const text = JSON.stringify(key);
  if (QUOTED.size < QUOTED_MAX) QUOTED.set(key, text);
  return text;
}

const QUOTED_MAX = 10_000;

/** The value with this text. */
export function compositeOf(text: string): Value {
  return fromJson(JSON.parse(text));
}

function fromJson(json: unknown): Value {
  if (json === null || typeof json !== 'object') return json as Value;
  if (Array.isArray(json)) return json.map(fromJson);
  const fields = json as { readonly [key: string]: unknown };
  if (typeof fields[''] === 'string') return new Decimal(fields['']);
  const record: Record<string, Value> = Object.create(null);
  for (const key of Object.keys(fields)) record[key] = fromJson(fields[key]);
  return record;
}

/** Whether the type's values are individuals, or lists or records that may contain some. */
export function holdsIndividuals(type: Type): boolean {
  const plain = bare(type);
  if (plain.kind === 'list') return holdsIndividuals(plain.of);
  if (plain.kind === 'record') return plain.fields.some((field) => holdsIndividuals(field.type));
  return plain.kind === 'class';
}

/** The individuals in a value, with the class that its type names. */
export function* individualsIn(
  type: Type,
  value: Value,
): Generator<{ readonly id: string; readonly classPath: string }> {
  const plain = bare(type);
  if (value === null) return;
  if (plain.kind === 'class') yield { id: value as string, classPath: plain.path };
  else if (plain.kind === 'list' && Array.isArray(value)) {
    for (const item of value) yield* individualsIn(plain.of, item);
  } else if (plain.kind === 'record' && typeof value === 'object') {
    const record = value as { readonly [key: string]: Value };
    for (const field of plain.fields) yield* individualsIn(field.type, record[field.name] ?? null);
  }
}

/** Values that are indexed between two yields. */
const BLOCK_VALUES = 1 << 13;

/** Finds the lists and records that contain an individual. Texts that look like one are found too. */
export class Mentions {
  private readonly values: readonly (Value | undefined)[];
  private readonly numbers = new Map<string, number[]>();
  private end = 0;

  /** `values` by number. It may grow. */
  constructor(values: readonly (Value | undefined)[]) {
    this.values = values;
  }

  /** Indexes new values. Yields between blocks of them. */
  *extend(): Generator<void, void> {
    for (; this.end < this.values.length; this.end++) {
      const value = this.values[this.end];
      if (value !== undefined) for (const id of new Set(idsIn(value))) this.add(id, this.end);
      if (this.end % BLOCK_VALUES === BLOCK_VALUES - 1) yield;
    }
  }

  /** The numbers of the values that contain it and are still there. */
  of(id: string): readonly number[] {
    for (const _ of this.extend());
    return (this.numbers.get(id) ?? []).filter((number) => this.values[number] !== undefined);
  }

  private add(id: string, number: number): void {
    const numbers = this.numbers.get(id);
    if (numbers === undefined) this.numbers.set(id, [number]);
    else numbers.push(number);
  }
}

function* idsIn(value: Value): Generator<string> {
  if (typeof value === 'string') {
    if (value.startsWith('#i') || value.startsWith('@')) yield value;
  } else if (value !== null && typeof value === 'object' && !Decimal.isDecimal(value)) {
    for (const part of Object.values(value) as readonly Value[]) yield* idsIn(part);
  }
}
