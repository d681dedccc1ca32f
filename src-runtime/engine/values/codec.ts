/** Values as 32-bit codes, so that a fact is a row of integers. What a code means its endpoint's type says. */

import type { EnumDeclaration, Type } from '../../artifact/types.js';
import { dateFromDays, daysOfDate } from '../../base/dates.js';
import { Decimal, type DecimalValue, decimalText } from '../../base/decimal.js';
import { invariant } from '../../base/invariant.js';
import { bare, type Value } from './value.js';

/** The code of none. No stored or derived fact holds it. */
export const NONE = -2147483648;

/** Ints below this in magnitude are their own code; the others are interned above it. */
export const INT_INLINE_LIMIT = 0x40000000;

/** Of the values of one type. */
const NUMBERS_MAX = 0x20000000;

/** Of a short value with its place in the tables, about. */
const VALUE_BYTES = 128;

const PASSING_BYTES_MAX = 1 << 18;

/** What an interner needs to know of a program. */
export interface CodecSchema {
  readonly enums: ReadonlyMap<string, EnumDeclaration>;
  /** Declared individuals; their order of codes is that of their paths. */
  readonly individuals: ReadonlyMap<string, unknown>;
}

/**
 * The code tables of one scope. Codes never leave the process and never change their meaning. A passing interner goes on from
 * that of a scope for what is read there: the values that only it has met go with it.
 */
export class Interner {
  readonly declared: readonly string[];
  readonly enumMembers: ReadonlyMap<string, readonly string[]>;
  /** Of the scope, by their codes; compiled plans read them. */
  readonly decimals: readonly DecimalValue[];
  readonly texts: readonly string[];
  private readonly enumOrdinals: ReadonlyMap<string, ReadonlyMap<string, number>>;
  private readonly declaredCodes: ReadonlyMap<string, number>;
  private readonly numberedInts: Numbered<number, number>;
  private readonly numberedDecimals: Numbered<string, DecimalValue>;
  private readonly numberedTexts: Numbered<string, string>;
  private readonly numberedDateTimes: Numbered<number, number>;
  /** Lists and records; they live in registers only, never in facts. */
  private readonly numberedComposites: Numbered<string, Value>;

  constructor(schema: CodecSchema | Interner, before?: Interner) {
    const lasting = schema instanceof Interner ? schema : null;
    this.numberedInts = before?.numberedInts ?? new Numbered(lasting?.numberedInts);
    this.numberedDecimals = before?.numberedDecimals ?? new Numbered(lasting?.numberedDecimals);
    this.numberedTexts = before?.numberedTexts ?? new Numbered(lasting?.numberedTexts);
    this.numberedDateTimes = before?.numberedDateTimes ?? new Numbered(lasting?.numberedDateTimes);
    this.numberedComposites = before?.numberedComposites ?? new Numbered(lasting?.numberedComposites);
    this.decimals = (lasting?.numberedDecimals ?? this.numberedDecimals).values;
    this.texts = (lasting?.numberedTexts ?? this.numberedTexts).values;
    if (schema instanceof Interner) {
      this.declared = schema.declared;
      this.enumMembers = schema.enumMembers;
      this.enumOrdinals = schema.enumOrdinals;
      this.declaredCodes = schema.declaredCodes;
      return;
    }
    this.declared = [...schema.individuals.keys()].sort();
    this.declaredCodes = new Map(this.declared.map((path, index) => [`@${path}`, -(index + 1)]));
    const members = new Map<string, readonly string[]>();
    const ordinals = new Map<string, ReadonlyMap<string, number>>();
    for (const [path, declaration] of schema.enums) {
      const names = declaration.members.map((member) => member.name);
      members.set(path, names);
      ordinals.set(path, new Map(names.map((name, index) => [name, index])));
    }
    this.enumMembers = members;
    this.enumOrdinals = ordinals;
  }

  /**
   * One for a plan over facts that are all there: a value that it meets first has a code of its own there, which no fact has.
   * What is put into facts is encoded by this one.
   */
  passing(): Interner {
    return new Interner(this);
  }

  /** For another program of the same scope, in which declared individuals and the members of enums have the same codes. */
  under(schema: CodecSchema): Interner {
    return new Interner(schema, this);
  }

  /** True of a passing one that has met so much that another one is better made. */
  get isFull(): boolean {
    const { numberedInts, numberedDecimals, numberedTexts, numberedDateTimes, numberedComposites } = this;
    const bytes = numberedInts.bytes + numberedDecimals.bytes + numberedTexts.bytes + numberedDateTimes.bytes;
    return bytes + numberedComposites.bytes > PASSING_BYTES_MAX;
  }

  encode(type: Type, value: Value): number {
    if (value === null) return NONE;
    switch (type.kind) {
      case 'optional':
        return this.encode(type.of, value);
      case 'enum': {
        const ordinal = this.enumOrdinals.get(type.path)?.get(value as string);
        invariant(ordinal !== undefined, `"${String(value)}" is a member of ${type.path}`);
        return ordinal;
      }
      case 'class':
        return this.encodeIndividual(value as string);
      case 'list':
      case 'record':
        return this.numberedComposites.numberOf(compositeKey(value), value);
      case 'extern':
        invariant(false, `no value of the extern type ${type.path} exists`);
        break;
      case 'scalar':
        switch (type.name) {
          case 'Bool':
            return value === true ? 1 : 0;
          case 'Int':
            return this.encodeInt(value as number);
          case 'Decimal':
            return this.encodeDecimal(value as DecimalValue);
          case 'Text':
            return this.numberedTexts.numberOf(value as string, value as string);
          case 'Date':
            return daysOfDate(value as string);
          case 'DateTime':
            return this.numberedDateTimes.numberOf(value as number, value as number);
        }
    }
  }

  /** The code of a value that has one; NONE where no fact can have the value, as it has never been met. */
  known(type: Type, value: Value): number {
    const plain = bare(type);
    if (value === null || plain.kind !== 'scalar') return this.encode(plain, value);
    switch (plain.name) {
      case 'Int':
        return isInline(value as number) ? (value as number) | 0 : intCode(this.numberedInts.known(value as number));
      case 'Decimal':
        return this.numberedDecimals.known(value.toString()) ?? NONE;
      case 'Text':
        return this.numberedTexts.known(value as string) ?? NONE;
      case 'DateTime':
        return this.numberedDateTimes.known(value as number) ?? NONE;
      default:
        return this.encode(plain, value);
    }
  }

  decode(type: Type, code: number): Value {
    if (code === NONE) return null;
    switch (type.kind) {
      case 'optional':
        return this.decode(type.of, code);
      case 'enum':
        return this.enumMembers.get(type.path)?.[code] ?? unknownCode(type.path, code);
      case 'class':
        return this.decodeIndividual(code);
      case 'list':
      case 'record':
        return this.numberedComposites.at(code) ?? unknownCode(type.kind, code);
      case 'extern':
        return unknownCode(type.path, code);
      case 'scalar':
        switch (type.name) {
          case 'Bool':
            return code === 1;
          case 'Int':
            return this.decodeInt(code);
          case 'Decimal':
            return this.numberedDecimals.at(code) ?? unknownCode('Decimal', code);
          case 'Text':
            return this.numberedTexts.at(code) ?? unknownCode('Text', code);
          case 'Date':
            return dateFromDays(code);
          case 'DateTime':
            return this.numberedDateTimes.at(code) ?? unknownCode('DateTime', code);
        }
    }
  }

  encodeInt(value: number): number {
    return isInline(value) ? value | 0 : intCode(this.numberedInts.numberOf(value, value));
  }

  decodeInt(code: number): number {
    if (code < INT_INLINE_LIMIT) return code;
    const number = code - INT_INLINE_LIMIT;
    const value = this.numberedInts.at(number < NUMBERS_MAX ? number : NUMBERS_MAX - 1 - number);
    return value ?? unknownCode('Int', code);
  }

  encodeDecimal(value: DecimalValue): number {
    return this.numberedDecimals.numberOf(value.toString(), value);
  }

  encodeIndividual(id: string): number {
    if (id.startsWith('#i')) return Number(id.slice(2));
    const code = this.declaredCodes.get(id);
    invariant(code !== undefined, `"${id}" is a declared individual`);
    return code;
  }

  decodeIndividual(code: number): string {
    if (code >= 0) return `#i${code}`;
    return `@${this.declared[-code - 1] ?? unknownCode('individual', code)}`;
  }
}

function isInline(int: number): boolean {
  return int < INT_INLINE_LIMIT && int > -INT_INLINE_LIMIT;
}

/** Of an int that is interned under this number. */
function intCode(number: number | undefined): number {
  if (number === undefined) return NONE;
  return INT_INLINE_LIMIT + (number >= 0 ? number : NUMBERS_MAX - 1 - number);
}

/** Values of one type, numbered from 0; those of a passing interner that the lasting one did not have, from −1 down. */
class Numbered<Key extends string | number, V> {
  readonly values: V[] = [];
  /** What the values take, about. */
  bytes = 0;
  private numbers: Map<Key, number> | undefined;
  private readonly lasting: Numbered<Key, V> | undefined;

  constructor(lasting: Numbered<Key, V> | undefined) {
    this.lasting = lasting;
  }

  /** Its own first: the lasting one may have met the value since, and a value has one code for whoever reads it. */
  known(key: Key): number | undefined {
    return this.numbers?.get(key) ?? this.lasting?.numbers?.get(key);
  }

  numberOf(key: Key, value: V): number {
    const known = this.known(key);
    if (known !== undefined) return known;
    const count = this.values.length;
    invariant(count < NUMBERS_MAX, 'fewer than half a billion distinct values are interned');
    const number = this.lasting === undefined ? count : -1 - count;
    this.numbers ??= new Map();
    this.numbers.set(key, number);
    this.values.push(value);
    this.bytes += VALUE_BYTES + (typeof key === 'string' ? key.length : 0);
    return number;
  }

  at(number: number): V | undefined {
    if (this.lasting === undefined) return this.values[number];
    return number >= 0 ? this.lasting.values[number] : this.values[-1 - number];
  }
}

/** Injective on values of one type. */
function compositeKey(value: Value): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof Decimal || Decimal.isDecimal(value)) return decimalText(value as DecimalValue);
  if (Array.isArray(value)) return `[${value.map(compositeKey).join(',')}]`;
  const record = value as { readonly [key: string]: Value };
  return `{${Object.keys(record)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${compositeKey(record[key] ?? null)}`)
    .join(',')}}`;
}

function unknownCode(what: string, code: number): never {
  invariant(false, `${code} is a code of ${what}`);
}
