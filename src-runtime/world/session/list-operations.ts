/** What a session can list: facts, individuals and firings. */

import type { JsonValue } from '../../api/schemas/schemas.js';
import { type ListWish, PLAIN_LIST } from '../contract/requests.js';
import type { ListOperations } from '../contract/runtime.js';
import { listMentions } from '../explain/mentions.js';
import { listCheckStates } from '../read/check-states.js';
import { countFacts } from '../read/counts.js';
import { listIndividuals, oneIndividual } from '../read/individual-lists.js';
import { listFirings, listTuples } from '../read/lists.js';
import { reading } from '../state/forks.js';
import { pageRequest, type SessionParts } from '../state/session-parts.js';

type Arguments<Name extends keyof ListOperations> = Parameters<ListOperations[Name]>;

export class ListSession implements ListOperations {
  protected readonly parts: SessionParts;

  constructor(parts: SessionParts) {
    this.parts = parts;
  }

  individuals(...[classPath, paging, pacer, wish = PLAIN_LIST]: Arguments<'individuals'>) {
    return reading(this.parts, (view) => {
      const request = pageRequest(this.parts, paging, () => ['individuals', classPath ?? null, ...wishKey(wish)]);
      return listIndividuals(view, classPath, wish, request, pacer);
    });
  }

  individual(...[id, pacer]: Arguments<'individual'>) {
    return reading(this.parts, (view) => oneIndividual(view, id, pacer));
  }

  relation(...[path, paging, pacer, wish = PLAIN_LIST]: Arguments<'relation'>) {
    const { declared } = this.parts.scope;
    return reading(this.parts, (view) => {
      const request = pageRequest(this.parts, paging, () => ['relation', path, ...wishKey(wish)]);
      return listTuples({ view, declared }, path, wish, request, pacer);
    });
  }

  checks(...[check, paging, pacer]: Arguments<'checks'>) {
    return reading(this.parts, (view) => {
      const request = pageRequest(this.parts, paging, () => ['checks', check ?? null]);
      return listFirings(view, check, request, pacer);
    });
  }

  checkStates(...[paging, createPacer]: Arguments<'checkStates'>) {
    return reading(this.parts, (view) => {
      const request = pageRequest(this.parts, paging, () => ['checks/states']);
      return listCheckStates(view, request, createPacer);
    });
  }

  counts() {
    return reading(this.parts, async (view) => countFacts(view, this.parts.scope.declared));
  }

  mentions(...[id, paging, pacer]: Arguments<'mentions'>) {
    const { declared } = this.parts.scope;
    return reading(this.parts, (view) => {
      const request = pageRequest(this.parts, paging, () => ['mentions', id]);
      return listMentions({ view, declared }, id, 'derived', request, pacer);
    });
  }

  storedMentions(...[id, paging, pacer]: Arguments<'storedMentions'>) {
    const { declared } = this.parts.scope;
    return reading(this.parts, (view) => {
      const request = pageRequest(this.parts, paging, () => ['mentions/stored', id]);
      return listMentions({ view, declared }, id, 'stored', request, pacer);
    });
  }
}

/** What a cursor of a list is bound to. */
function wishKey({ sort, filter }: ListWish): JsonValue[] {
  return [[...sort], [...filter]];
}
