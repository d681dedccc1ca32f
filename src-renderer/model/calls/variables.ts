/** Variables in what is typed: `{{name}}` stands for a value, and behind a backslash for itself. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { VARIABLE_NAME } from '../../../src-runtime/api/schemas/wire-constants.js';
import { isMadeName, type MakeValue, madeVariable, unknownMadeWords } from './made-variables.js';

/** Values by name. */
export type Variables = Readonly<Record<string, string>>;

/** Any number of backslashes, and a name in braces: with an odd number of them it is plain text. */
const REFERENCE = /(\\*)\{\{\s*([^\s{}]+)\s*\}\}/g;

/** Whether a text is sent otherwise than it was typed, or names what is not defined. */
export function hasVariables(text: string): boolean {
  return references(text).length > 0;
}

/** The names that have to be defined, each once, in the order in which they stand. */
export function namesIn(text: string): string[] {
  return [...new Set(references(text).flatMap(({ name, isPlain }) => (isPlain ? [] : [name])))];
}

/** The name that is all of a text, whatever stands around it in spaces. */
export function nameThatIs(text: string): string | undefined {
  const [reference, ...others] = references(text);
  return reference !== undefined && others.length === 0 && !reference.isPlain && reference.whole === text.trim()
    ? reference.name
    : undefined;
}

function isKnown(name: string, variables: Variables): boolean {
  return isMadeName(name) ? madeVariable(name) !== undefined : variableValue(name, variables) !== undefined;
}

export function variableValue(name: string, variables: Variables): string | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

const nothingMade: MakeValue = () => undefined;

/** With the values in it. What is not defined stays as it was typed, and so does what is made as it is sent, unless it is said by what. */
export function resolvedText(text: string, variables: Variables, made: MakeValue = nothingMade): string {
  return replaced(text, ({ whole, slashes, name, isPlain }) => {
    const kept = '\\'.repeat(Math.floor(slashes / 2));
    if (isPlain) return kept + whole.slice(slashes);
    const value = isMadeName(name) ? made(name) : variableValue(name, variables);
    return value === undefined ? whole : kept + value;
  });
}

/** What has to be typed so that the text itself is sent. */
export function escapedText(text: string): string {
  return replaced(text, ({ whole, slashes }) => '\\'.repeat(2 * slashes + 1) + whole.slice(slashes));
}

/** The same in every text of a value. */
export function escapedValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return escapedText(value);
  if (Array.isArray(value)) return value.map(escapedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, escapedValue(member)]));
}

/** What is wrong with a text that names what is not defined; undefined where nothing is. */
export function unknownWords(text: string, variables: Variables, environment: string): string | undefined {
  const name = namesIn(text).find((each) => !isKnown(each, variables));
  if (name === undefined) return undefined;
  if (isMadeName(name)) return unknownMadeWords(name);
  return environment === ''
    ? `Unknown variable ${name}. Select an environment that defines it.`
    : `Environment ${environment} has no variable ${name}.`;
}

interface Reference {
  readonly whole: string;
  /** How many backslashes stand before it. */
  readonly slashes: number;
  readonly name: string;
  readonly isPlain: boolean;
}

function references(text: string): Reference[] {
  return [...text.matchAll(REFERENCE)].map(referenceOf).filter(({ name }) => isName(name));
}

function isName(name: string): boolean {
  return VARIABLE_NAME.test(name) || isMadeName(name);
}

function replaced(text: string, by: (reference: Reference) => string): string {
  return text.replace(REFERENCE, (...match: string[]) => {
    const reference = referenceOf(match);
    return isName(reference.name) ? by(reference) : reference.whole;
  });
}

function referenceOf([whole = '', slashes = '', name = '']: readonly string[]): Reference {
  return { whole, slashes: slashes.length, name, isPlain: slashes.length % 2 === 1 };
}
