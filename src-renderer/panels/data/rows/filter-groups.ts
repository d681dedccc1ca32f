/** Filters combined with AND, each of which may be an OR group: positions and removal. */

import { alternativesOf, type ListCondition, type ListFilter } from '../../../../src-runtime/api/schemas/schemas.js';

export interface FilterPlace {
  /** Index in the AND list. */
  readonly at: number;
  /** Index in the OR group; the length of the group adds one. */
  readonly among: number;
}

/** Replaces a filter, adds to its OR group, or, if the position no longer exists, adds it separately. */
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
