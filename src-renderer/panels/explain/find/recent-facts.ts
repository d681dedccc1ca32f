/** Recently explained facts, kept in the browser. */

import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { createKeptStore } from '../../../state/store.js';

export interface Question {
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
}

const RECENT_MAX = 20;

function isQuestion(value: unknown): value is Question {
  if (typeof value !== 'object' || value === null) return false;
  const { relation, tuple } = value as Partial<Record<keyof Question, unknown>>;
  return typeof relation === 'string' && Array.isArray(tuple);
}

/** Newest first. */
export const recentQuestions = createKeptStore<readonly Question[]>(
  'entail.explained',
  [],
  (value): value is Question[] => Array.isArray(value) && value.every(isQuestion),
);

export function rememberQuestion(question: Question): void {
  recentQuestions.update((current) => withQuestion(current, question));
}

/** Without duplicates. Drops the oldest. */
export function withQuestion(questions: readonly Question[], question: Question): readonly Question[] {
  const key = keyOf(question);
  if (questions[0] !== undefined && keyOf(questions[0]) === key) return questions;
  return [question, ...questions.filter((each) => keyOf(each) !== key)].slice(0, RECENT_MAX);
}

function keyOf({ relation, tuple }: Question): string {
  return JSON.stringify([relation, tuple]);
}
