/** Conditions that all hold, each of which may be several that any has to hold: where one stands, and what stands without it. */

import { alternativesOf, type ListCondition, type ListFilter } from '../../../../src-runtime/api/schemas/schemas.js';

export interface FilterPlace {
  /** Among those that all hold. */
  readonly at: number;
  /** Among those of which any has to; behind the last it is one more of them. */
  readonly among: number;
}

/** In the place of another one, as one more of several, or where it has no place, or what it stood with is gone, by itself. */
export function withFilter(
  conditions: readonly ListCondition[],
  place: FilterPlace | undefined,
  filter: ListFilter,
): ListCondition[] {
  const before = place === undefined ? undefined : conditions[place.at];
  if (place === undefined || before === undefined) return [...conditions, filter];
  const others = alternativesOf(before);
  return conditions.with(
    place.at,
    conditionOf([...others.slice(0, place.among), filter, ...others.slice(place.among + 1)]),
  );
}

export function withoutFilter(conditions: readonly ListCondition[], { at, among }: FilterPlace): ListCondition[] {
  return conditions.flatMap((condition, index) => {
    if (index !== at) return [condition];
    const left = alternativesOf(condition).filter((_, place) => place !== among);
    return left.length === 0 ? [] : [conditionOf(left)];
  });
}

function conditionOf(alternatives: readonly ListFilter[]): ListCondition {
  const [only] = alternatives;
  return only !== undefined && alternatives.length === 1 ? only : { any: [...alternatives] };
}
