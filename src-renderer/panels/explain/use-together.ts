/** The explanations of several facts, asked one by one. */

import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import type { Explanation } from '../../../src-runtime/api/schemas/explanation-schemas.js';
import { optionsAt, usePlace } from '../../model/calls/place.js';
import type { NamedFact } from '../../model/facts/together.js';
import { api } from '../../server-state/api.js';
import { explanationKey } from '../../server-state/queries.js';

interface Answer {
  /** Undefined until it is there. */
  readonly explanation: Explanation | undefined;
  /** Null unless it failed. */
  readonly error: Error | null;
}

/** Each with its own failure, and asked of the server as it is alone, so that what is known of one is not asked again. */
export function useExplanations(facts: readonly NamedFact[]): readonly Answer[] {
  const place = usePlace();
  return useQueries({
    queries: facts.map(({ relation, tuple }) => ({
      queryKey: [...explanationKey(relation, tuple, place), 1, null],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api
          .explain({ relation, tuple: [...tuple] }, optionsAt(place, signal))
          .then(({ result, moduleHash }) => ({ explanation: result, moduleHash })),
    })),
    combine: answersOf,
  });
}

/** The same list for as long as the answers are the same. */
function answersOf(results: readonly UseQueryResult<{ readonly explanation: Explanation }>[]): readonly Answer[] {
  return results.map(({ data, error }) => ({ explanation: data?.explanation, error }));
}
