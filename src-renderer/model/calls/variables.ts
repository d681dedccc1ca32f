/** Variables in input: `{{name}}` is replaced with a value; a backslash escapes it. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { VARIABLE_NAME } from '../../../src-runtime/api/schemas/wire-constants.js';
import { type GenerateValue, generatedVariable, isGeneratedName, unknownGeneratedText } from './generated-variables.js';

/** Values by name. */
export type Variables = Readonly<Record<string, string>>;

/** Backslashes and a name in braces: an odd number of backslashes escapes it. */
const REFERENCE = /(\\*)\{\{\s*([^\s{}]+)\s*\}\}/g;

/** Whether resolving changes the text or fails. */
export function hasVariables(text: string): boolean {
  return references(text).length > 0;
}

/** The names that must be defined, without duplicates, in order. */
export function namesIn(text: string): string[] {
  return [...new Set(references(text).flatMap(({ name, isPlain }) => (isPlain ? [] : [name])))];
}

/** The name if the text is a single reference, ignoring spaces around it. */
export function nameThatIs(text: string): string | undefined {
  const [reference, ...others] = references(text);
  return reference !== undefined && others.length === 0 && !reference.isPlain && reference.whole === text.trim()
    ? reference.name
    : undefined;
}

function isKnown(name: string, variables: Variables): boolean {
  return isGeneratedName(name) ? generatedVariable(name) !== undefined : variableValue(name, variables) !== undefined;
}

export function variableValue(name: string, variables: Variables): string | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

const noGenerator: GenerateValue = () => undefined;

/** The resolved text. Undefined variables stay as typed, and so do generated ones without a generator. */
export function resolvedText(text: string, variables: Variables, made: GenerateValue = noGenerator): string {
  return replaced(text, ({ whole, slashes, name, isPlain }) => {
    const kept = '\\'.repeat(Math.floor(slashes / 2));
    if (isPlain) return kept + whole.slice(slashes);
    const value = isGeneratedName(name) ? made(name) : variableValue(name, variables);
    return value === undefined ? whole : kept + value;
  });
}

/** The text escaped so that it is sent literally. */
export function escapedText(text: string): string {
  return replaced(text, ({ whole, slashes }) => '\\'.repeat(2 * slashes + 1) + whole.slice(slashes));
}

/** The same for all texts in a value. */
export function escapedValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return escapedText(value);
  if (Array.isArray(value)) return value.map(escapedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, escapedValue(member)]));
}

/** The error for undefined variables in a text, or undefined if none exists. */
export function unknownWords(text: string, variables: Variables, environment: string): string | undefined {
  const name = namesIn(text).find((each) => !isKnown(each, variables));
  if (name === undefined) return undefined;
  if (isGeneratedName(name)) return unknownGeneratedText(name);
  return environment === ''
    ? `Unknown variable ${name}. Select an environment that defines it.`
    : `Environment ${environment} has no variable ${name}.`;
}

interface Reference {
  readonly whole: string;
  /** The number of backslashes before it. */
  readonly slashes: number;
  readonly name: string;
  readonly isPlain: boolean;
}

function references(text: string): Reference[] {
  return [...text.matchAll(REFERENCE)].map(referenceOf).filter(({ name }) => isName(name));
}

function isName(name: string): boolean {
  return VARIABLE_NAME.test(name) || isGeneratedName(name);
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
