/** The transaction that the address names, before which the facts are to be as they were. */

import { useSearchParams } from 'react-router';
import { BEFORE_PARAMETER } from '../data/locations.js';

/** Undefined for the facts as they are. */
export function useBefore(): number | undefined {
  const [search] = useSearchParams();
  const txn = Number(search.get(BEFORE_PARAMETER));
  return Number.isSafeInteger(txn) && txn > 0 ? txn : undefined;
}
