/** The facts that mention an individual, by relation. */

import type { ListedFact } from '../../src-runtime/api/schemas.js';
import type { RelationInfo } from '../data/relation-index.js';

/** Its own fields and classes stand above already. */
export function groupedMentions(
  facts: readonly ListedFact[],
  id: string,
  index: ReadonlyMap<string, Pick<RelationInfo, 'kind'>>,
): { readonly relation: string; readonly facts: ListedFact[] }[] {
  const groups = new Map<string, ListedFact[]>();
  for (const fact of facts) {
    const kind = index.get(fact.relation)?.kind;
    if (kind === 'concept' || kind === 'define' || (kind === 'field' && fact.tuple[0] === id)) continue;
    const group = groups.get(fact.relation) ?? [];
    group.push(fact);
    groups.set(fact.relation, group);
  }
  return [...groups].map(([relation, each]) => ({ relation, facts: each }));
}
