/** What a session can list: facts, individuals and firings. */

import type { JsonValue } from '../api/schemas.js';
import { listCheckStates } from './check-states.js';
import { countFacts } from './counts.js';
import { reading } from './forks.js';
import { listIndividuals, oneIndividual } from './individual-lists.js';
import { listFirings, listTuples } from './lists.js';
import { listMentions } from './mentions.js';
import { type ListOperations, type ListWish, PLAIN_LIST } from './runtime.js';
import { pageRequest, type SessionParts } from './session-parts.js';

export function createListOperations(parts: SessionParts): ListOperations {
  const { declared } = parts.scope;
  return {
    individuals: (classPath, paging, pacer, wish = PLAIN_LIST) =>
      reading(parts, (view) => {
        const request = pageRequest(parts, paging, ['individuals', classPath ?? null, ...wishKey(wish)]);
        return listIndividuals(view, classPath, wish, request, pacer);
      }),
    individual: (id, pacer) => reading(parts, (view) => oneIndividual(view, id, pacer)),
    relation: (path, paging, pacer, wish = PLAIN_LIST) =>
      reading(parts, (view) => {
        const request = pageRequest(parts, paging, ['relation', path, ...wishKey(wish)]);
        return listTuples({ view, declared }, path, wish, request, pacer);
      }),
    checks: (check, paging, pacer) =>
      reading(parts, (view) => listFirings(view, check, pageRequest(parts, paging, ['checks', check ?? null]), pacer)),
    checkStates: (paging, createPacer) =>
      reading(parts, (view) => listCheckStates(view, pageRequest(parts, paging, ['checks/states']), createPacer)),
    counts: () => reading(parts, async (view) => countFacts(view, declared)),
    mentions: (id, paging, pacer) =>
      reading(parts, (view) => {
        const request = pageRequest(parts, paging, ['mentions', id]);
        return listMentions({ view, declared }, id, 'derived', request, pacer);
      }),
    storedMentions: (id, paging, pacer) =>
      reading(parts, (view) => {
        const request = pageRequest(parts, paging, ['mentions/stored', id]);
        return listMentions({ view, declared }, id, 'stored', request, pacer);
      }),
  };
}

/** What a cursor of a list is bound to. */
function wishKey({ sort, filter }: ListWish): JsonValue[] {
  return [[...sort], filter.map((each) => [...each])];
}
