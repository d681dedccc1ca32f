/** The facts that mention an individual, by relation. */

import type { ListedFact } from '../../../src-runtime/api/schemas/schemas.js';
import { dataLocation } from '../../model/facts/locations.js';
import type { RelationInfo } from '../../model/facts/relation-index.js';
import { columnName } from './rows/grid-columns.js';
import { listLocation } from './rows/list-state.js';

/** Its own fields and classes are shown above. */
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

/** The list of a relation filtered by the individual, if it is always at the same endpoint. */
export function mentionsLocation(
  relation: string,
  facts: readonly ListedFact[],
  id: string,
  index: ReadonlyMap<string, Pick<RelationInfo, 'kind' | 'endpoints'>>,
): string {
  const at = facts[0]?.tuple.indexOf(id) ?? -1;
  const info = index.get(relation);
  const endpoint = info && columnName(info, at);
  if (endpoint === undefined || !facts.every(({ tuple }) => tuple[at] === id)) return dataLocation(relation);
  return listLocation({
    path: relation,
    individual: id,
    sort: undefined,
    filters: [[endpoint, '=', id]],
    find: '',
  });
}
