/** Codes of ad-hoc sources, E09. */

import { error } from './row.js';

export const ADHOC_CODES = {
  E0901: error({
    title: 'not a single declaration',
    meaning: 'An ad-hoc source is one query, derive or mutation. Several clauses of one derive count as one.',
    failing: 'query all() -> Int { value 1 }\n⟦query more() -> Int { value 2 }⟧',
    fixed: 'query all() -> Int { value 1 }',
    fix: 'Send one declaration at a time.',
    adhoc: true,
  }),
};
