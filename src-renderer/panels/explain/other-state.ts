/**
 * The state in the address, if it is not the current one: before a transaction, under the previous module, or after a
 * trial.
 */

import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { AFTER_PARAMETER, BEFORE_PARAMETER, type OtherState, RULES_PARAMETER } from '../../model/facts/locations.js';

/** Undefined for the current state. */
export function useOtherState(): OtherState | undefined {
  const [search] = useSearchParams();
  const txn = Number(search.get(BEFORE_PARAMETER));
  const before = Number.isSafeInteger(txn) && txn > 0 ? txn : undefined;
  const rules = search.get(RULES_PARAMETER) ?? undefined;
  const after = search.get(AFTER_PARAMETER) ?? undefined;
  return useMemo(
    () => ([before, rules, after].every((each) => each === undefined) ? undefined : { before, rules, after }),
    [before, rules, after],
  );
}
