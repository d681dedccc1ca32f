/** The state that the address names where it is not that of now: before a transaction, or under the module that was replaced. */

import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { BEFORE_PARAMETER, type Past, RULES_PARAMETER } from '../data/locations.js';

/** Undefined for the facts as they are. */
export function usePast(): Past | undefined {
  const [search] = useSearchParams();
  const txn = Number(search.get(BEFORE_PARAMETER));
  const before = Number.isSafeInteger(txn) && txn > 0 ? txn : undefined;
  const rules = search.get(RULES_PARAMETER) ?? undefined;
  return useMemo(() => (before === undefined && rules === undefined ? undefined : { before, rules }), [before, rules]);
}
