/**
 * The outcome of a sheet. It is kept for the entry of the browser history, so that it is shown again after a look at one of its
 * proofs.
 */

import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { useLocation } from 'react-router';

/** By the key of the history entry. Bounded, because responses may be long. */
const kept = new Map<string, unknown>();
const KEPT_MAX = 20;

interface Mutation<Result, Request> {
  readonly isSuccess: boolean;
  readonly data: Result | undefined;
  readonly variables: Request | undefined;
}

export interface Outcome<Result, Request> {
  readonly result: Result;
  readonly request: Request;
  /** False after navigating back to it. */
  readonly isNew: boolean;
}

/** Undefined before the write, also in a sheet that is opened again for the same fork. */
export function useOutcome<Result, Request>({
  isSuccess,
  data,
  variables,
}: Mutation<Result, Request>): Outcome<Result, Request> | undefined {
  const { key } = useLocation();
  const outcome = useMemo(
    () => (isSuccess ? { result: data as Result, request: variables as Request, isNew: true } : undefined),
    [isSuccess, data, variables],
  );
  useEffect(() => {
    if (outcome === undefined) return;
    kept.delete(key);
    kept.set(key, { ...outcome, isNew: false });
    for (const oldest of [...kept.keys()].slice(0, -KEPT_MAX)) kept.delete(oldest);
  }, [key, outcome]);
  return outcome ?? (kept.get(key) as Outcome<Result, Request> | undefined);
}

/** For a button of a new outcome: takes the focus if that was lost with the button that wrote. */
export function useFocusIfLost(isNew: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isNew && document.activeElement === document.body) button.current?.focus();
  }, [isNew]);
  return button;
}
