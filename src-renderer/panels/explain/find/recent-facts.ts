/** Recently explained facts, kept in the browser. */

import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { createKeptStore } from '../../../state/store.js';

export interface FactReference {
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
}

const RECENT_MAX = 20;

function isQuestion(value: unknown): value is FactReference {
  if (typeof value !== 'object' || value === null) return false;
  const { relation, tuple } = value as Partial<Record<keyof FactReference, unknown>>;
  return typeof relation === 'string' && Array.isArray(tuple);
}

/** Newest first. */
export const recentFacts = createKeptStore<readonly FactReference[]>(
  'entail.explained',
  [],
  (value): value is FactReference[] => Array.isArray(value) && value.every(isQuestion),
);

export function rememberQuestion(question: FactReference): void {
  recentFacts.update((current) => withQuestion(current, question));
}

/** Without duplicates. Drops the oldest. */
export function withQuestion(questions: readonly FactReference[], question: FactReference): readonly FactReference[] {
  const key = keyOf(question);
  if (questions[0] !== undefined && keyOf(questions[0]) === key) return questions;
  return [question, ...questions.filter((each) => keyOf(each) !== key)].slice(0, RECENT_MAX);
}

function keyOf({ relation, tuple }: FactReference): string {
  return JSON.stringify([relation, tuple]);
}
