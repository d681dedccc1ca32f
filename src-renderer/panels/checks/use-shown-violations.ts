/** The violations of one check as far as they have been loaded, narrowed to what is looked for, with what is new about them. */

import { useEffect, useMemo } from 'react';
import type { Firing } from '../../../src-runtime/api/schemas/schemas.js';
import { ApiFailure, statusOfCode } from '../../model/facts/failure.js';
import { plainText } from '../../model/facts/labels.js';
import { useFirings } from '../../server-state/checks.js';
import { useLabels } from '../../ui/reference-label.js';
import type { ShownCheck } from './check-groups.js';
import { type SeenViolations, unseenOf } from './unseen.js';

/** More than these are not looked through; another word finds fewer. */
const LOOKED_THROUGH_MAX = 10_000;

/** With `through`, what is looked for is looked for in all violations, however many pages they are. */
export function useShownViolations(
  { state }: ShownCheck,
  seen: SeenViolations | undefined,
  filter: string,
  through = false,
) {
  const query = useFirings(state.check, state.failure === undefined);
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

/** A failure that stands in an answer, as what a request would have failed with. */
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

/** By message, and by the labels of those it fires for. */
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
