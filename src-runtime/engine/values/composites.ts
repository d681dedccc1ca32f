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
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(compositeText).join(',')}]`;
  if (Decimal.isDecimal(value)) return `{"":"${(value as DecimalValue).toString()}"}`;
  const record = value as { readonly [key: string]: Value };
  const fields = Object.keys(record).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${compositeText(record[key] ?? null)}`).join(',')}}`;
}

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
