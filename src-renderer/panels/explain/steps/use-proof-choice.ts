/** The proof selected in the address, and how many to request: `?proof=2&proofs=10`. */

import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { PROOFS_MAX } from './proof-choice.js';

export interface ProofChoice {
  /** From 0. */
  readonly place: number;
  readonly requested: number;
  readonly select: (place: number, requested?: number) => void;
}

export function useProofChoice(): ProofChoice {
  const [search, setSearch] = useSearchParams();
  const place = numberIn(search.get('proof')) - 1;
  const requested = Math.max(numberIn(search.get('proofs')), place > 0 ? PROOFS_LEAST : 1);
  const select = useCallback(
    (nextPlace: number, nextRequested?: number) =>
      setSearch(
        (current) => {
          setOrDelete(current, 'proof', nextPlace + 1);
          if (nextRequested !== undefined) setOrDelete(current, 'proofs', nextRequested);
          return current;
        },
        { replace: true },
      ),
    [setSearch],
  );
  return { place, requested, select };
}

/** A link to the second proof works without a count. */
const PROOFS_LEAST = 10;

/** 1 if absent or invalid. */
function numberIn(text: string | null): number {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 ? Math.min(number, PROOFS_MAX) : 1;
}

function setOrDelete(search: URLSearchParams, name: string, number: number): void {
  if (number > 1) search.set(name, String(number));
  else search.delete(name);
}
