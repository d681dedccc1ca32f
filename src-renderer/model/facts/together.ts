/** Several facts explained together, encoded in the URL. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { explainLocation, parseTuple, tupleInUrl } from './locations.js';

export interface NamedFact {
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
}

/** Several facts in one explanation; the first is encoded as for a single one. */
export function explainTogetherLocation([first, ...others]: readonly NamedFact[]): string {
  const location = explainLocation(first?.relation, first?.tuple);
  if (others.length === 0) return location;
  const more = others.map(({ relation, tuple }) => [relation, tupleInUrl(tuple)]);
  return `${location}&${new URLSearchParams({ [TOGETHER_PARAMETER]: JSON.stringify(more) })}`;
}

/** URL parameter: the other facts. */
export const TOGETHER_PARAMETER = 'with';

/** Empty if the text is not a list of facts. */
export function parseFacts(text: string | null): readonly NamedFact[] {
  return (parseTuple(text) ?? []).flatMap((pair) => {
    const [relation, given] = Array.isArray(pair) ? pair : [];
    const tuple = typeof given === 'string' ? parseTuple(given) : given;
    return typeof relation === 'string' && Array.isArray(tuple) ? [{ relation, tuple }] : [];
  });
}

/** All facts of the explanation at this location. */
export function factsAt(location: string): readonly NamedFact[] {
  const search = new URLSearchParams(location.slice(location.indexOf('?') + 1));
  const [relation, tuple] = [search.get('relation'), parseTuple(search.get('tuple'))];
  if (relation === null || tuple === undefined) return [];
  return [{ relation, tuple }, ...parseFacts(search.get(TOGETHER_PARAMETER))];
}

/** Identifies a fact. */
export function keyOfFact({ relation, tuple }: NamedFact): string {
  return JSON.stringify([relation, tuple]);
}

/** Without duplicates; the first of each is kept. */
export function distinctFacts(facts: readonly NamedFact[]): readonly NamedFact[] {
  return [...new Map(facts.map((fact) => [keyOfFact(fact), fact])).values()].slice(0, TOGETHER_MAX);
}

/** The graph is not readable with more, and the URL would be too long for some browsers. */
export const TOGETHER_MAX = 20;
