/** Interns values as 32-bit codes, so that a fact is a row of integers. The endpoint's type says what a code means. */

import type { EnumDeclaration, Json, Type } from '../../artifact/types.js';
import { dateFromDays, daysOfDate } from '../../base/dates.js';
import { Decimal, type DecimalValue } from '../../base/decimal.js';
import { invariant } from '../../base/invariant.js';
import { TextMap } from '../../base/large-map.js';
import { NumberMap } from '../../base/number-map.js';
import { compositeOf, compositeText, isComposite, Mentions } from './composites.js';
import { Lasting, NUMBERS_MAX, type Numbered, Passing, Tried } from './numbered.js';
import { bare, type Value } from './value.js';

/** The code of a missing value. No stored or derived fact has it. */
export const NONE = -2147483648;

/** Ints of smaller magnitude are their own code; others are interned above it. */
export const INT_INLINE_LIMIT = 0x40000000;

/** A passing interner is full at this size of its tables. */
const PASSING_BYTES_MAX = 1 << 18;

/** What an interner needs to know of a program. */
export interface CodecSchema {
  readonly enums: ReadonlyMap<string, EnumDeclaration>;
  /** Declared individuals. Their codes are in the order of their paths. */
  readonly individuals: ReadonlyMap<string, unknown>;
}

/** Declared names by code. */
interface DeclaredNames {
  /** The first has code −1, the next −2, and so on. */
  readonly individuals: readonly string[];
  readonly individualCodes: ReadonlyMap<string, number>;
  readonly members: ReadonlyMap<string, readonly string[]>;
  readonly ordinals: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** For types whose values are numbered on first use. */
interface Tables {
  readonly ints: Numbered<number, number>;
  readonly decimals: Numbered<string, DecimalValue>;
  readonly texts: Numbered<string, string>;
  readonly dateTimes: Numbered<number, number>;
  /** Lists and records, by their text. Values of different types share a number only if they are equal in memory. */
  readonly composites: Numbered<string, Value>;
}

type LastingTables = ReturnType<typeof newTables>;

/** The tables whose values facts may have. */
export type LastingTable = 'ints' | 'decimals' | 'texts' | 'dateTimes' | 'composites';

function newTables() {
  return {
    ints: new Lasting<number, number>(new NumberMap()),
    decimals: new Lasting<string, DecimalValue>(new TextMap<number>()),
    texts: new Lasting<string, string>(new TextMap<number>()),
    dateTimes: new Lasting<number, number>(new NumberMap()),
    composites: new Lasting<string, Value>(new TextMap<number>()),
  };
}

function passingTables({ ints, decimals, texts, dateTimes, composites }: Tables) {
  return {
    ints: new Passing(ints),
    decimals: new Passing(decimals),
    texts: new Passing(texts),
    dateTimes: new Passing(dateTimes),
    composites: new Passing(composites),
  };
}

function triedTables({ ints, decimals, texts, dateTimes, composites }: LastingTables) {
  return {
    ints: new Tried(ints),
    decimals: new Tried(decimals),
    texts: new Tried(texts),
    dateTimes: new Tried(dateTimes),
    composites: new Tried(composites),
  };
}

/**
 * The code tables of one scope. Codes never leave the process, and keep their meaning while anything holds them. A passing interner
 * extends the scope's tables for a reader, and is dropped with its values. A trying interner adds to the scope's
 * tables, and can undo that.
 */
export class Interner {
  /** The scope's tables by code. Compiled plans read them. */
  readonly decimals: readonly (DecimalValue | undefined)[];
  readonly texts: readonly (string | undefined)[];
  /** The lists and records of facts that contain an individual, by number. */
  readonly mentions: Mentions;
  private readonly names: DeclaredNames;
  private readonly lasting: LastingTables;
  private readonly tables: Tables;

  /** Continues from `before`, except for declared names. */
  constructor(schema: CodecSchema | DeclaredNames, before?: Interner, tables?: Tables) {
    this.names = 'enums' in schema ? declaredNames(schema) : schema;
    this.lasting = before?.lasting ?? newTables();
    this.tables = tables ?? this.lasting;
    this.decimals = this.lasting.decimals.values;
    this.texts = this.lasting.texts.values;
    this.mentions = before?.mentions ?? new Mentions(this.lasting.composites.values);
  }

  /** Paths of declared individuals, by code from −1 down. */
  get declared(): readonly string[] {
    return this.names.individuals;
  }

  /**
   * For a plan over existing facts: a value met first there gets a code that no fact has. Values that are put into
   * facts are encoded by this interner.
   */
  passing(): PassingInterner {
    return new PassingInterner(this.names, this, passingTables(this.tables));
  }

  /** For facts that may be rolled back. */
  trying(): TryingInterner {
    return new TryingInterner(this.names, this, triedTables(this.lasting));
  }

  /** For another program of the same scope, in which declared individuals and enum members have the same codes. */
  under(schema: CodecSchema): Interner {
    return new Interner(schema, this);
  }

  /** The values of a table by number, as JSON. A number without a value has none. */
  valuesOf(table: LastingTable): readonly Json[] {
    if (table === 'decimals') return this.decimals.map((value) => value?.toString() ?? null);
    const { values } = this.lasting[table];
    if (table !== 'composites') return values as readonly Json[];
    return values.map((value) => (value === undefined ? null : compositeText(value as Value)));
  }

  /** Adds saved values, which have no numbers yet, in the order of their numbers. */
  restoreValues(table: LastingTable, values: readonly Json[]): void {
    const { ints, decimals, texts, dateTimes, composites } = this.lasting;
    switch (table) {
      case 'decimals':
        for (const text of values as string[]) decimals.add(text, new Decimal(text));
        return;
      case 'texts':
        for (const text of values as string[]) texts.add(text, text);
        return;
      case 'composites':
        for (const text of values as string[]) composites.add(text, compositeOf(text));
        return;
      case 'ints':
      case 'dateTimes':
        for (const value of values as number[]) (table === 'ints' ? ints : dateTimes).add(value, value);
    }
  }

  encode(type: Type, value: Value): number {
    if (value === null) return NONE;
    switch (type.kind) {
      case 'optional':
        return this.encode(type.of, value);
      case 'enum': {
        const ordinal = this.names.ordinals.get(type.path)?.get(value as string);
        invariant(ordinal !== undefined, `"${String(value)}" is a member of ${type.path}`);
        return ordinal;
      }
      case 'class':
        return this.encodeIndividual(value as string);
      case 'list':
      case 'record':
        return this.tables.composites.numberOf(compositeText(value), value);
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
            return this.tables.texts.numberOf(value as string, value as string);
          case 'Date':
            return daysOfDate(value as string);
          case 'DateTime':
            return this.tables.dateTimes.numberOf(value as number, value as number);
        }
    }
  }

  /** The code of a value; NONE if the value was never met, so that no fact can have it. */
  known(type: Type, value: Value): number {
    const plain = bare(type);
    if (value !== null && isComposite(plain)) return this.tables.composites.known(compositeText(value)) ?? NONE;
    if (value === null || plain.kind !== 'scalar') return this.encode(plain, value);
    switch (plain.name) {
      case 'Int':
        return isInline(value as number) ? (value as number) | 0 : intCode(this.tables.ints.known(value as number));
      case 'Decimal':
        return this.tables.decimals.known(value.toString()) ?? NONE;
      case 'Text':
        return this.tables.texts.known(value as string) ?? NONE;
      case 'DateTime':
        return this.tables.dateTimes.known(value as number) ?? NONE;
      default:
        return this.encode(plain, value);
    }
  }

  /**
   * The code of the Decimal with this text; NONE if it is unknown. Another text of the same number may have to be
   * parsed.
   */
  knownDecimal(text: string): number {
    return this.tables.decimals.known(text) ?? NONE;
  }

  decode(type: Type, code: number): Value {
    if (code === NONE) return null;
    switch (type.kind) {
      case 'optional':
        return this.decode(type.of, code);
      case 'enum':
        return this.names.members.get(type.path)?.[code] ?? unknownCode(type.path, code);
      case 'class':
        return this.decodeIndividual(code);
      case 'list':
      case 'record':
        return this.tables.composites.at(code) ?? unknownCode(type.kind, code);
      case 'extern':
        return unknownCode(type.path, code);
      case 'scalar':
        switch (type.name) {
          case 'Bool':
            return code === 1;
          case 'Int':
            return this.decodeInt(code);
          case 'Decimal':
            return this.tables.decimals.at(code) ?? unknownCode('Decimal', code);
          case 'Text':
            return this.tables.texts.at(code) ?? unknownCode('Text', code);
          case 'Date':
            return dateFromDays(code);
          case 'DateTime':
            return this.tables.dateTimes.at(code) ?? unknownCode('DateTime', code);
        }
    }
  }

  encodeInt(value: number): number {
    return isInline(value) ? value | 0 : intCode(this.tables.ints.numberOf(value, value));
  }

  decodeInt(code: number): number {
    if (code < INT_INLINE_LIMIT) return code;
    const number = code - INT_INLINE_LIMIT;
    const value = this.tables.ints.at(number < NUMBERS_MAX ? number : NUMBERS_MAX - 1 - number);
    return value ?? unknownCode('Int', code);
  }

  /** The code of the Decimal with this text, which is its shortest plain notation with at most 34 digits. */
  encodeDecimalText(text: string): number {
    const { decimals } = this.tables;
    return decimals.known(text) ?? decimals.add(text, new Decimal(text));
  }

  encodeDecimal(value: DecimalValue): number {
    return this.tables.decimals.numberOf(value.toString(), value);
  }

  encodeIndividual(id: string): number {
    if (id.startsWith('#i')) return Number(id.slice(2));
    const code = this.names.individualCodes.get(id);
    invariant(code !== undefined, `"${id}" is a declared individual`);
    return code;
  }

  decodeIndividual(code: number): string {
    if (code >= 0) return `#i${code}`;
    return `@${this.names.individuals[-code - 1] ?? unknownCode('individual', code)}`;
  }
}

export class PassingInterner extends Interner {
  private readonly own: ReturnType<typeof passingTables>;

  constructor(names: DeclaredNames, before: Interner, own: ReturnType<typeof passingTables>) {
    super(names, before, own);
    this.own = own;
  }

  /** Itself: its numbers leave no room for those of another. */
  override passing(): PassingInterner {
    return this;
  }

  /** True once a new one should be made, because this one has met too many values. */
  get isFull(): boolean {
    const { ints, decimals, texts, dateTimes, composites } = this.own;
    return ints.bytes + decimals.bytes + texts.bytes + dateTimes.bytes + composites.bytes > PASSING_BYTES_MAX;
  }
}

export class TryingInterner extends Interner {
  private readonly own: ReturnType<typeof triedTables>;

  constructor(names: DeclaredNames, before: Interner, own: ReturnType<typeof triedTables>) {
    super(names, before, own);
    this.own = own;
  }

  /** Keeps the values that only this interner has met. Ends it, as `drop` does. */
  keep(): void {
    for (const table of Object.values(this.own)) table.keep();
  }

  /**
   * Drops the values that only this interner has met. No fact may have them any more. If nobody else may hold their
   * codes either, they can get another meaning.
   */
  drop(isHeld = true): void {
    for (const table of Object.values(this.own)) table.drop(isHeld);
  }
}

function declaredNames({ individuals, enums }: CodecSchema): DeclaredNames {
  const paths = [...individuals.keys()].sort();
  const members = new Map([...enums].map(([path, declaration]) => [path, declaration.members.map(({ name }) => name)]));
  const ordinals = [...members].map(([path, names]) => [path, new Map(names.map((name, at) => [name, at]))] as const);
  return {
    individuals: paths,
    individualCodes: new Map(paths.map((path, at) => [`@${path}`, -(at + 1)])),
    members,
    ordinals: new Map(ordinals),
  };
}

function isInline(int: number): boolean {
  return int < INT_INLINE_LIMIT && int > -INT_INLINE_LIMIT;
}

/** The code of an interned int. */
function intCode(number: number | undefined): number {
  if (number === undefined) return NONE;
  return INT_INLINE_LIMIT + (number >= 0 ? number : NUMBERS_MAX - 1 - number);
}

function unknownCode(what: string, code: number): never {
  invariant(false, `${code} is a code of ${what}`);
}
