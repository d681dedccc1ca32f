/** The codes of items that stand outside the sources, E09: what an ad-hoc source holds. */

import { error } from './row.js';

export const ADHOC_CODES = {
  E0901: error({
    title: 'not one item',
    meaning:
      'An ad-hoc source holds one query, derive or mutation: several clauses of one derive are one, and everything else belongs into the module.',
    failing: 'query all() -> Int { value 1 }\n⟦query more() -> Int { value 2 }⟧',
    cured: 'query all() -> Int { value 1 }',
    cure: 'Send one item alone.',
    adhoc: true,
  }),
};
