/**
 * Converts values to JSON and back, by type (LANGUAGE "Types"). Strict on input. Individuals are written as references.
 */

import { localName } from '../../artifact/expression-text.js';
import type { Json, Type } from '../../artifact/types.js';
import { articleFor } from '../../base/articles.js';
import { dateTimeText, isDate, isFinerThanMilliseconds, parseDateTime } from '../../base/dates.js';
import { type DecimalValue, decimalLimit, decimalText, parseDecimal } from '../../base/decimal.js';
import { invariant } from '../../base/invariant.js';
import { jsonPath, jsonWords } from '../../base/json-words.js';
import { nearest } from '../../base/nearest.js';
import { Numeral } from '../../base/numeral.js';
import type { Program } from '../types.js';
import { bare, typeText, type Value } from './value.js';

/** How input individuals are resolved and checked. */
export interface WireEnvironment {
  readonly program: Pick<Program, 'enums'>;
  /**
   * Resolves `#i3`, `@m::n`, `m::n`, `@n` or `n` to an id and checks that it is an instance of the class. Otherwise
   * returns what was received, and a suggestion (`; did you mean "x"?`).
   */
  resolveIndividual(reference: string, classPath: string): { readonly id: string } | Unresolved;
}

export interface Unresolved {
  readonly received: string;
  readonly hint?: string;
  /** A similar value that would be accepted. */
  readonly nearest?: string;
  /** The id of an individual that does not exist. */
  readonly absent?: string;
}

export type FromWire = { readonly ok: true; readonly value: Value } | Mismatch;

/** A rejected value: its path, and what was expected and received. */
interface Mismatch extends Unresolved {
  readonly ok: false;
  readonly path: string;
  readonly expected: string;
  /** The path of the class if an individual was expected. */
  readonly classPath?: string;
}

/** `Expected a Meeting, got "Review", which does not exist ($.args.m).` `place` says where. */
export function mismatchText({ expected, received, hint }: Omit<Mismatch, 'ok' | 'path'>, place: string): string {
  return `Expected ${expected}, got ${received} (${place})${hint ?? '.'}`;
}

/** Text is Unicode, so it has no lone surrogates. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Reads a wire value. `path` is a JSON path from the value down: `""`, `.tenants[2]`. */
export function fromWire(type: Type, json: unknown, environment: WireEnvironment): FromWire {
  return read(type, json, environment, '');
}

function read(type: Type, json: unknown, environment: WireEnvironment, path: string): FromWire {
  switch (type.kind) {
    case 'optional':
      return json === null || json === undefined ? good(null) : read(type.of, json, environment, path);
    case 'scalar':
      return readScalar(type.name, json, path);
    case 'enum': {
      const members = environment.program.enums.get(type.path)?.members.map((member) => member.name) ?? [];
      if (typeof json === 'string' && members.includes(json)) return good(json);
      const similar = typeof json === 'string' ? nearest(json, members) : undefined;
      return {
        ...bad(path, `one of ${members.join(', ')}`, json),
        ...(similar !== undefined && { nearest: similar }),
      };
    }
    case 'class':
      return readIndividual(type.path, json, environment, path);
    case 'list':
      return readList(type.of, json, environment, path);
    case 'record':
      return readRecord(type.fields, json, environment, path);
    case 'extern':
      return bad(path, `a value of ${typeText(type)}, which has no wire form`, json);
  }
}

function readScalar(name: string, json: unknown, path: string): FromWire {
  switch (name) {
    case 'Bool':
      return typeof json === 'boolean' ? good(json) : bad(path, 'true or false', json);
    case 'Int':
      if (typeof json === 'number' && Number.isSafeInteger(json)) return good(json === 0 ? 0 : json);
      return bad(path, 'a whole number within ±(2⁵³−1)', json);
    case 'Decimal': {
      const text = json instanceof Numeral ? json.text : json;
      if (typeof text !== 'string' && typeof text !== 'number')
        return bad(path, 'a decimal number such as "12.5"', json);
      // Results of arithmetic are rounded; an input number is kept exactly or rejected.
      const limit = decimalLimit(String(text));
      const value = limit === undefined ? parseDecimal(String(text)) : undefined;
      return value === undefined ? bad(path, limit ?? 'a decimal number such as "12.5"', json) : good(value);
    }
    case 'Text':
      return typeof json === 'string' && !LONE_SURROGATE.test(json) ? good(json) : bad(path, 'a Unicode string', json);
    case 'Date':
      if (typeof json === 'string' && isDate(json)) return good(json);
      return bad(path, 'a date such as "2026-01-31"', json);
    default: {
      const instant = typeof json === 'string' ? parseDateTime(json) : undefined;
      if (instant === undefined) return bad(path, 'an instant such as "2026-01-31T10:00:00Z"', json);
      if (!isFinerThanMilliseconds(json as string)) return good(instant);
      return bad(path, 'an instant without digits below a millisecond, such as "2026-01-31T10:00:00.123Z"', json);
    }
  }
}

function readIndividual(classPath: string, json: unknown, environment: WireEnvironment, path: string): FromWire {
  const reference = isObject(json) && typeof json['$id'] === 'string' ? json['$id'] : json;
  const name = localName(classPath);
  const expected = `${articleFor(name)} ${name}`;
  if (typeof reference !== 'string') return { ...bad(path, expected, json), classPath };
  const resolved = environment.resolveIndividual(reference, classPath);
  return 'id' in resolved ? good(resolved.id) : { ok: false, path, expected, classPath, ...resolved };
}

function readList(of: Type, json: unknown, environment: WireEnvironment, path: string): FromWire {
  if (!Array.isArray(json)) return bad(path, 'an array', json);
  const values: Value[] = [];
  for (const [index, element] of json.entries()) {
    const item = read(of, element, environment, `${path}[${index}]`);
    if (!item.ok) return item;
    values.push(item.value);
  }
  return good(values);
}

function readRecord(
  fields: readonly { readonly name: string; readonly type: Type }[],
  json: unknown,
  environment: WireEnvironment,
  path: string,
): FromWire {
  if (!isObject(json)) return bad(path, 'an object', json);
  const known = new Set(fields.map((field) => field.name));
  for (const key of Object.keys(json)) {
    if (!known.has(key)) return bad(jsonPath([key], path), `one of the keys ${[...known].join(', ')}`, key);
  }
  const record: Record<string, Value> = Object.create(null);
  for (const field of fields) {
    const present = Object.hasOwn(json, field.name) ? json[field.name] : undefined;
    const item = read(field.type, present, environment, `${path}.${field.name}`);
    if (!item.ok) return item;
    record[field.name] = item.value;
  }
  return good(record);
}

/** The wire form of a value. */
export function toWire(type: Type, value: Value): Json {
  if (value === null) return null;
  switch (type.kind) {
    case 'optional':
      return toWire(type.of, value);
    case 'list':
      return (value as readonly Value[]).map((item) => toWire(type.of, item));
    case 'record': {
      const record = value as { readonly [key: string]: Value };
      return Object.fromEntries(
        type.fields.map((field) => [field.name, toWire(field.type, record[field.name] ?? null)]),
      );
    }
    case 'scalar':
      if (type.name === 'Decimal') return decimalText(value as DecimalValue);
      if (type.name === 'DateTime') return dateTimeText(value as number);
      return value as Json;
    default:
      return value as Json;
  }
}

/** A constant of the artifact, already checked when it was compiled. */
export function constantValue(type: Type, json: Json): Value {
  if (json === null) return null;
  const plain = bare(type);
  switch (plain.kind) {
    case 'list':
      return (json as readonly Json[]).map((item) => constantValue(plain.of, item));
    case 'record': {
      const record: Record<string, Value> = Object.create(null);
      const source = json as { readonly [key: string]: Json };
      for (const { name, type: of } of plain.fields) {
        record[name] = constantValue(of, Object.hasOwn(source, name) ? (source[name] ?? null) : null);
      }
      return record;
    }
    case 'scalar': {
      if (plain.name !== 'Decimal' && plain.name !== 'DateTime') return json as Value;
      const value = plain.name === 'Decimal' ? parseDecimal(String(json)) : parseDateTime(String(json));
      invariant(value !== undefined, `${JSON.stringify(json)} is a ${plain.name}`);
      return value;
    }
    default:
      return json as Value;
  }
}

function good(value: Value): FromWire {
  return { ok: true, value };
}

function bad(path: string, expected: string, json: unknown): Mismatch {
  return { ok: false, path, expected, received: jsonWords(json) };
}

function isObject(json: unknown): json is { readonly [key: string]: unknown } {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof Numeral);
}
