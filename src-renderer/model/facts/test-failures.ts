/** The text of a test failure, shared by all places that show it. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import type { TestResult } from '../../../src-runtime/api/schemas/test-schemas.js';
import { entityLabel, idLabel, isEntity, isJsonObject, looksLikeReference, piecesByIds, shownText } from './labels.js';

export type TestFailure = NonNullable<TestResult['failure']>;

interface FailureWords {
  /** The kind of the statement: an expectation or another statement. */
  readonly wanted: 'Expected' | 'Statement';
  /** As written, without the keyword `expect`. */
  readonly statement: string;
  readonly found: string;
}

export function failureWords({ text, message }: Pick<TestFailure, 'text' | 'message'>): FailureWords {
  if (!text.startsWith('expect ')) return { wanted: 'Statement', statement: text, found: message };
  const statement = text.slice('expect '.length);
  // Without repeating the expectation; parts as written.
  const found = message.replace(/^`(.*)` (?=is false$)/s, (_, part: string) => `${part === statement ? 'it' : part} `);
  return { wanted: 'Expected', statement, found };
}

/** The actual value as plain text: individuals by label, else by the name of their declaration. */
export function foundText(failure: Pick<TestFailure, 'text' | 'message' | 'names'>): string {
  const { names = {} } = failure;
  return piecesByIds(failureWords(failure).found)
    .map((piece) => (looksLikeReference(piece) ? (names[piece] ?? idLabel(piece)) : piece))
    .join('');
}

/** The values of names and operands in the statement: `twice(2) = 4`, with individuals by label. */
export function valueWords({ values = {}, names = {} }: Pick<TestFailure, 'values' | 'names'>): string[] {
  return Object.entries(values).map(([name, value]) => `${name} = ${valueText(value, names)}`);
}

function valueText(value: JsonValue, names: Readonly<Record<string, string>>): string {
  if (Array.isArray(value)) return `[${value.map((item) => valueText(item, names)).join(', ')}]`;
  if (isEntity(value)) return entityLabel(value);
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([name, member]) => `${name}: ${valueText(member, names)}`);
    return `{ ${members.join(', ')} }`;
  }
  return looksLikeReference(value) ? (names[value] ?? idLabel(value)) : shownText(value);
}
