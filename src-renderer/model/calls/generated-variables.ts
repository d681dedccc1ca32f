/** Generated variables, which belong to no environment: each use gets its own value when the call is sent. */

import type { WireType } from '../../../src-runtime/api/schemas/schemas.js';
import { DAY_MS } from '../../../src-runtime/base/dates.js';
import { typeText } from '../facts/type-text.js';

type Gives = 'Text' | 'Date' | 'DateTime' | 'Int' | 'Decimal' | 'Bool';

export interface GeneratedVariable {
  /** As written between the braces. */
  readonly name: string;
  readonly gives: Gives;
  readonly meaning: string;
  /** An example value, which is stable while shown. */
  readonly example: string;
}

/** Generates the value for one use; undefined for an unknown name. */
export type GenerateValue = (name: string) => string | undefined;

interface Kind extends Omit<GeneratedVariable, 'example'> {
  readonly example: (now: Date, days: number) => string;
  readonly make: (now: Date, days: number) => string;
}

const TODAY = '$today';
const INTS = 1_000;

const dayText = (now: Date, days: number): string => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
const randomBelow = (limit: number): number => Math.floor(Math.random() * limit);

const KINDS: readonly Kind[] = [
  {
    name: TODAY,
    gives: 'Date',
    meaning: `the current day in UTC; ${TODAY}+7 is a week later`,
    example: dayText,
    make: dayText,
  },
  {
    name: '$now',
    gives: 'DateTime',
    meaning: 'the current time',
    example: () => '2026-01-31T10:00:00.000Z',
    make: (now) => now.toISOString(),
  },
  {
    name: '$timestamp',
    gives: 'Int',
    meaning: 'the current time in seconds since 1970',
    example: () => '1769853600',
    make: (now) => String(Math.floor(now.getTime() / 1_000)),
  },
  {
    name: '$uuid',
    gives: 'Text',
    meaning: 'a new UUID',
    example: () => 'f47ac10b-58cc-4372-a567-0e02b2c3d479',
    make: () => crypto.randomUUID(),
  },
  {
    name: '$randomInt',
    gives: 'Int',
    meaning: 'a random integer from 0 to 999',
    example: () => '417',
    make: () => String(randomBelow(INTS)),
  },
  {
    name: '$randomDecimal',
    gives: 'Decimal',
    meaning: 'a random decimal from 0.00 to 999.99',
    example: () => '417.50',
    make: () => (randomBelow(INTS * 100) / 100).toFixed(2),
  },
  {
    name: '$randomBool',
    gives: 'Bool',
    meaning: 'a random truth value',
    example: () => 'true',
    make: () => String(Math.random() < 0.5),
  },
];

/** Their names start with `$`, which names of an environment cannot. */
export function isGeneratedName(name: string): boolean {
  return /^\$[A-Za-z]/.test(name);
}

/** Undefined for an unknown name. */
export function generatedVariable(name: string): GeneratedVariable | undefined {
  const found = kindOf(name);
  return found === undefined ? undefined : variableOf(found.kind, name, found.days);
}

/** The values for one request: all times in it are equal. */
export function generatorAt(now: Date): GenerateValue {
  return (name) => {
    const found = kindOf(name);
    return found?.kind.make(now, found.days);
  };
}

/** The variables that fit the type; all of them if the type is unknown. */
export function generatedVariablesFor(type: WireType | undefined): readonly GeneratedVariable[] {
  return KINDS.filter((kind) => fits(kind, type)).map((kind) => variableOf(kind, kind.name, 0));
}

/** The same filtered by the typed prefix, with or without `$`; with examples for relative days. */
export function generatedCompletions(typed: string, type: WireType | undefined): readonly GeneratedVariable[] {
  const offered = generatedVariablesFor(type);
  const wanted = typed.toLowerCase();
  const begun = offered.filter(({ name }) =>
    [name, name.slice(1)].some((each) => each.toLowerCase().startsWith(wanted)),
  );
  if (begun.length > 0) return begun;
  const names = /^\$today[+-]$/.test(typed) ? ['1', '7', '30'].map((days) => typed + days) : [typed];
  return names.flatMap((name) => {
    const made = generatedVariable(name);
    return made !== undefined && offered.some(({ gives }) => gives === made.gives) ? [made] : [];
  });
}

/** Why the variable is not valid as the whole value of the type; undefined if it is. */
export function misfitWords(name: string, type: WireType): string | undefined {
  const kind = kindOf(name)?.kind;
  if (kind === undefined || fits(kind, type)) return undefined;
  return `Expected ${typeText(type)}, but ${name} is ${kind.gives}.`;
}

/** The error message for an unknown name. */
export function unknownGeneratedText(name: string): string {
  return `Unknown variable ${name}. Generated variables: ${KINDS.map((kind) => kind.name).join(', ')}.`;
}

function kindOf(name: string): { readonly kind: Kind; readonly days: number } | undefined {
  const [, word = '', days = '0'] = /^(\$[A-Za-z]+)([+-]\d{1,5})?$/.exec(name) ?? [];
  const kind = KINDS.find((each) => each.name === word);
  return kind === undefined || (name !== word && word !== TODAY) ? undefined : { kind, days: Number(days) };
}

function variableOf({ gives, meaning, example }: Kind, name: string, days: number): GeneratedVariable {
  const words =
    days === 0
      ? meaning
      : `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'} ${days < 0 ? 'before' : 'after'} the current day`;
  return { name, gives, meaning: words, example: example(new Date(), days) };
}

function fits({ gives }: Kind, type: WireType | undefined): boolean {
  if (type?.kind === 'optional') return fits({ gives } as Kind, type.of);
  if (type === undefined) return true;
  if (type.kind !== 'scalar') return false;
  return type.name === 'Text' || type.name === gives || (type.name === 'Decimal' && gives === 'Int');
}
