/** What came of a sheet, for who looks at one of its proofs and comes back: it stays with its entry in the history of the page. */

import { useEffect, useMemo } from 'react';
import { useLocation } from 'react-router';

/** By the key of the entry; of the last few of them, as an answer may be long. */
const kept = new Map<string, unknown>();
const KEPT_MAX = 20;

interface Mutation<Answer, Wish> {
  readonly isSuccess: boolean;
  readonly data: Answer | undefined;
  readonly variables: Wish | undefined;
}

export interface Outcome<Answer, Wish> {
  readonly answer: Answer;
  readonly wish: Wish;
  /** False where one has come back to it. */
  readonly isNew: boolean;
}

/** Undefined until there is one. A sheet that is opened anew, of the same fork say, has none yet. */
export function useOutcome<Answer, Wish>({
  isSuccess,
  data,
  variables,
}: Mutation<Answer, Wish>): Outcome<Answer, Wish> | undefined {
  const { key } = useLocation();
  const outcome = useMemo(
    () => (isSuccess ? { answer: data as Answer, wish: variables as Wish, isNew: true } : undefined),
    [isSuccess, data, variables],
  );
  useEffect(() => {
    if (outcome === undefined) return;
    kept.delete(key);
    kept.set(key, { ...outcome, isNew: false });
    for (const oldest of [...kept.keys()].slice(0, -KEPT_MAX)) kept.delete(oldest);
  }, [key, outcome]);
  return outcome ?? (kept.get(key) as Outcome<Answer, Wish> | undefined);
}
