/** Several facts that are explained together, as an address says them. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { explainLocation, parseTuple } from './locations.js';

export interface NamedFact {
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
}

/** Several facts in one explanation; the first as if it were the only one. */
export function explainTogetherLocation([first, ...others]: readonly NamedFact[]): string {
  const location = explainLocation(first?.relation, first?.tuple);
  if (others.length === 0) return location;
  const more = others.map(({ relation, tuple }) => [relation, tuple]);
  return `${location}&${new URLSearchParams({ [TOGETHER_PARAMETER]: JSON.stringify(more) })}`;
}

/** In the address of an explanation, the facts beside the first. */
export const TOGETHER_PARAMETER = 'with';

/** None where the text is no list of facts. */
export function parseFacts(text: string | null): readonly NamedFact[] {
  return (parseTuple(text) ?? []).flatMap((pair) => {
    const [relation, tuple] = Array.isArray(pair) ? pair : [];
    return typeof relation === 'string' && Array.isArray(tuple) ? [{ relation, tuple }] : [];
  });
}

/** All facts that an explanation at this location is about. */
export function factsAt(location: string): readonly NamedFact[] {
  const search = new URLSearchParams(location.slice(location.indexOf('?') + 1));
  const [relation, tuple] = [search.get('relation'), parseTuple(search.get('tuple'))];
  if (relation === null || tuple === undefined) return [];
  return [{ relation, tuple }, ...parseFacts(search.get(TOGETHER_PARAMETER))];
}

/** Tells a fact from every other. */
export function keyOfFact({ relation, tuple }: NamedFact): string {
  return JSON.stringify([relation, tuple]);
}

/** Each once, the first of them. */
export function distinctFacts(facts: readonly NamedFact[]): readonly NamedFact[] {
  return [...new Map(facts.map((fact) => [keyOfFact(fact), fact])).values()].slice(0, TOGETHER_MAX);
}

/** More of them are no picture any more, and no address that every browser takes. */
export const TOGETHER_MAX = 20;
