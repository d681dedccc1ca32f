/** The loaded violations of one check, filtered, with those that are new. */

import { useEffect, useMemo } from 'react';
import type { Firing } from '../../../src-runtime/api/schemas/schemas.js';
import { ApiFailure, statusOfCode } from '../../model/facts/failure.js';
import { plainText } from '../../model/facts/labels.js';
import { useViolations } from '../../server-state/checks.js';
import { useLabels } from '../../ui/reference-label.js';
import type { ShownCheck } from './check-groups.js';
import { type SeenViolations, unseenOf } from './unseen.js';

/** A filter loads at most this many violations. */
const LOOKED_THROUGH_MAX = 10_000;

/** With `through`, a filter loads all pages. */
export function useShownViolations(
  { state }: ShownCheck,
  seen: SeenViolations | undefined,
  filter: string,
  through = false,
) {
  const query = useViolations(state.check, state.failure === undefined);
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const loaded = data?.pages.reduce((sum, page) => sum + page.result.length, 0) ?? 0;
  const looking =
    through && filter.trim() !== '' && hasNextPage && loaded < LOOKED_THROUGH_MAX && !isFetchNextPageError;
  useEffect(() => {
    if (looking && !isFetchingNextPage) void fetchNextPage();
  }, [looking, isFetchingNextPage, fetchNextPage]);
  const violations = useMemo(() => data?.pages.flatMap((page) => page.result) ?? [], [data]);
  const shown = useFiltered(violations, filter);
  const unseen = useMemo(
    () => unseenOf(seen, { violations, whole: data !== undefined && !hasNextPage }),
    [seen, violations, data, hasNextPage],
  );
  const queryError = query.isError && data === undefined ? query.error : undefined;
  const error: unknown = state.failure === undefined ? queryError : stateFailure(state.failure);
  return { query, violations, shown, unseen, error, looking, pending: query.isPending };
}

/** A failure inside a response, as the error of a request. */
function stateFailure(error: {
  readonly code: string;
  readonly message: string;
  readonly details: object;
}): ApiFailure {
  const { code, message, details } = error;
  return new ApiFailure(statusOfCode(code) ?? 500, {
    error: { code, message, details: { ...details } },
    requestId: '',
    moduleHash: '',
  });
}

/** Matches messages and labels. */
function useFiltered(violations: readonly Firing[], filter: string): readonly Firing[] {
  const labels = useLabels();
  return useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    if (wanted === '') return violations;
    const text = ({ message, tuple }: Firing): string =>
      [message, ...Object.values(tuple).map((value) => `${plainText(value)} ${labels.get(String(value)) ?? ''}`)].join(
        ' ',
      );
    return violations.filter((violation) => text(violation).toLowerCase().includes(wanted));
  }, [violations, filter, labels]);
}
