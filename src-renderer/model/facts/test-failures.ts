/** What a test that failed has to say, in words that stand wherever it is told. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import type { TestResult } from '../../../src-runtime/api/schemas/test-schemas.js';
import { entityLabel, idLabel, isEntity, isJsonObject, looksLikeReference, piecesByIds, shownText } from './labels.js';

export type TestFailure = NonNullable<TestResult['failure']>;

interface FailureWords {
  /** What the statement is: one that expects something, or any other. */
  readonly wanted: 'Expected' | 'Statement';
  /** As written, of an expectation without the word `expect`. */
  readonly statement: string;
  readonly found: string;
}

export function failureWords({ text, message }: Pick<TestFailure, 'text' | 'message'>): FailureWords {
  if (!text.startsWith('expect ')) return { wanted: 'Statement', statement: text, found: message };
  const statement = text.slice('expect '.length);
  // What was expected is not said twice, and a part of it as it is written.
  const found = message.replace(
    /^`(.*)` (?=does not hold$)/s,
    (_, part: string) => `${part === statement ? 'it' : part} `,
  );
  return { wanted: 'Expected', statement, found };
}

/** What was found where no component is at hand: individuals by the names that are known, else by those of their declarations. */
export function foundText(failure: Pick<TestFailure, 'text' | 'message' | 'names'>): string {
  const { names = {} } = failure;
  return piecesByIds(failureWords(failure).found)
    .map((piece) => (looksLikeReference(piece) ? (names[piece] ?? idLabel(piece)) : piece))
    .join('');
}

/** What the names and sides in the statement stood for: `twice(2) = 4`, individuals by their names. */
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
