/** Explanations of facts as hooks, and the changes suggested to make a fact true or false. */

import { useQuery } from '@tanstack/react-query';
import type { ExplainRequest } from '../../src-runtime/api/schemas/explain-request.js';
import type { Suggestions } from '../../src-runtime/api/schemas/explanation-schemas.js';
import type { JsonValue } from '../../src-runtime/api/schemas/schemas.js';
import { readDryRun } from '../model/calls/dry-run-url.js';
import { optionsAt, type PagePlace, usePlace } from '../model/calls/place.js';
import type { OtherState } from '../model/facts/locations.js';
import { keyHash } from '../state/plain-values.js';
import { api } from './api.js';

/** The start of the query key of an explanation, whatever its options. */
export function explanationKey(
  relation: string | undefined,
  tuple: readonly JsonValue[] | undefined,
  place: PagePlace,
  { before, rules, after }: OtherState = {},
): readonly unknown[] {
  return ['facts', 'explain', relation ?? null, tuple ?? null, place, before ?? null, rules ?? null, after ?? null];
}

interface ExplainOptions extends Pick<ExplainRequest, 'given'> {
  readonly other?: OtherState | undefined;
}

/** With up to `proofs` different proofs. Those already known stay as placeholders while more are searched. */
export function useExplanation(
  relation: string | undefined,
  tuple: readonly JsonValue[] | undefined,
  proofs = 1,
  { given, other: { before, rules, after } = {} }: ExplainOptions = {},
) {
  const place = usePlace();
  const key = explanationKey(relation, tuple, place, { before, rules, after });
  const tried = after === undefined ? undefined : readDryRun(after);
  return useQuery({
    queryKey: [...key, proofs, given ?? null],
    queryFn: ({ signal }) =>
      api
        .explain(
          {
            relation: relation ?? '',
            tuple: [...(tuple ?? [])],
            ...(given !== undefined && { given }),
            ...(before !== undefined && { before }),
            ...(rules !== undefined && { moduleHash: rules }),
            ...(tried !== undefined && { after: tried.call }),
          },
          {
            ...optionsAt(place, signal),
            ...(tried !== undefined && { context: { ...tried.context } }),
            ...(proofs > 1 && { proofs }),
          },
        )
        .then(({ result, moduleHash }) => ({ explanation: result, moduleHash })),
    enabled: relation !== undefined && tuple !== undefined && (after === undefined || tried !== undefined),
    placeholderData: (previous, query) =>
      query !== undefined && keyHash(query.queryKey.slice(0, key.length)) === keyHash(key) ? previous : undefined,
  });
}

/** Changes that make a missing fact true, or with `ending` a fact false. A separate request, because it takes longer than the proof. */
export function useSuggestions(relation: string, tuple: readonly JsonValue[], ending = false) {
  const place = usePlace();
  return useQuery({
    queryKey: ['facts', 'suggest', relation, tuple, place, ending],
    queryFn: ({ signal }) =>
      api
        .explain({ relation, tuple: [...tuple] }, { ...optionsAt(place, signal), suggest: !ending, ending })
        .then(({ result }) => result.suggestions ?? NO_SUGGESTIONS),
  });
}

const NO_SUGGESTIONS: Suggestions = { sets: [], complete: true };
