/** Values as 32-bit codes, so that a fact is a row of integers. What a code means its endpoint's type says. */

import type { EnumDeclaration, Type } from '../../artifact/types.js';
import { dateFromDays, daysOfDate } from '../../base/dates.js';
import { Decimal, type DecimalValue, decimalText } from '../../base/decimal.js';
import { invariant } from '../../base/invariant.js';
import type { Value } from './value.js';

/** The code of none. No stored or derived fact holds it. */
export const NONE = -2147483648;

/** Ints below this in magnitude are their own code; the others are interned above it. */
export const INT_INLINE_LIMIT = 0x40000000;

/** What an interner needs to know of a program. */
export interface CodecSchema {
  readonly enums: ReadonlyMap<string, EnumDeclaration>;
  /** Declared individuals; their order of codes is that of their paths. */
  readonly individuals: ReadonlyMap<string, unknown>;
}

/** The code tables of one scope. Codes never leave the process and never change their meaning. */
export class Interner {
  readonly ints: number[] = [];
  readonly decimals: DecimalValue[] = [];
  readonly texts: string[] = [];
  readonly dateTimes: number[] = [];
  /** Lists and records; they live in registers only, never in facts. */
  readonly composites: Value[] = [];
  readonly declared: readonly string[];
  readonly enumMembers: ReadonlyMap<string, readonly string[]>;
  private readonly enumOrdinals: ReadonlyMap<string, ReadonlyMap<string, number>>;
  private readonly declaredCodes: ReadonlyMap<string, number>;
  private readonly intCodes = new Map<number, number>();
  private readonly decimalCodes = new Map<string, number>();
  private readonly textCodes = new Map<string, number>();
  private readonly dateTimeCodes = new Map<number, number>();
  private readonly compositeCodes = new Map<string, number>();

  constructor(schema: CodecSchema) {
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
        return intern(this.compositeCodes, this.composites, compositeKey(value), value);
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
            return intern(this.textCodes, this.texts, value as string, value as string);
          case 'Date':
            return daysOfDate(value as string);
          case 'DateTime':
            return intern(this.dateTimeCodes, this.dateTimes, value as number, value as number);
        }
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
        return this.composites[code] ?? unknownCode(type.kind, code);
      case 'extern':
        return unknownCode(type.path, code);
      case 'scalar':
        switch (type.name) {
          case 'Bool':
            return code === 1;
          case 'Int':
            return this.decodeInt(code);
          case 'Decimal':
            return this.decimals[code] ?? unknownCode('Decimal', code);
          case 'Text':
            return this.texts[code] ?? unknownCode('Text', code);
          case 'Date':
            return dateFromDays(code);
          case 'DateTime':
            return this.dateTimes[code] ?? unknownCode('DateTime', code);
        }
    }
  }

  encodeInt(value: number): number {
    if (value < INT_INLINE_LIMIT && value > -INT_INLINE_LIMIT) return value | 0;
    return INT_INLINE_LIMIT + intern(this.intCodes, this.ints, value, value);
  }

  decodeInt(code: number): number {
    return code < INT_INLINE_LIMIT ? code : (this.ints[code - INT_INLINE_LIMIT] ?? unknownCode('Int', code));
  }

  encodeDecimal(value: DecimalValue): number {
    return intern(this.decimalCodes, this.decimals, value.toString(), value);
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

function intern<K, V>(codes: Map<K, number>, values: V[], key: K, value: V): number {
  const known = codes.get(key);
  if (known !== undefined) return known;
  const code = values.length;
  invariant(code < INT_INLINE_LIMIT, 'fewer than a billion distinct values are interned');
  codes.set(key, code);
  values.push(value);
  return code;
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
