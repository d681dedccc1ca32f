/** Recently explained facts, kept in the browser. */

import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { isLongTuple } from '../../../model/facts/locations.js';
import { createPersistentStore } from '../../../state/store.js';

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
export const recentFacts = createPersistentStore<readonly FactReference[]>(
  'entail.explained',
  [],
  (value): value is FactReference[] => Array.isArray(value) && value.every(isQuestion),
);

export function rememberQuestion(fact: FactReference): void {
  // A browser keeps 5 MB in all.
  if (isLongTuple(fact.tuple)) return;
  recentFacts.update((current) => withQuestion(current, fact));
}

/** Without duplicates. Drops the oldest. */
export function withQuestion(facts: readonly FactReference[], fact: FactReference): readonly FactReference[] {
  const key = keyOf(fact);
  if (facts[0] !== undefined && keyOf(facts[0]) === key) return facts;
  return [fact, ...facts.filter((each) => keyOf(each) !== key)].slice(0, RECENT_MAX);
}

function keyOf({ relation, tuple }: FactReference): string {
  return JSON.stringify([relation, tuple]);
}
