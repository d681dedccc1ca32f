/** The firings of one check as far as they have been loaded, narrowed to what is looked for, with what is new about them. */

import { useMemo } from 'react';
import type { Firing } from '../../src-runtime/api/schemas.js';
import { useLabels } from '../components/reference-label.js';
import { useFirings } from '../data/checks.js';
import { ApiFailure, registryRow } from '../data/failure.js';
import { plainText } from '../data/labels.js';
import type { ShownCheck } from './check-groups.js';
import { newsOf, type Seen } from './news.js';

export function useShownFirings({ state }: ShownCheck, seen: Seen | undefined, filter: string) {
  const query = useFirings(state.check, state.failure === undefined);
  const { data, hasNextPage } = query;
  const firings = useMemo(() => data?.pages.flatMap((page) => page.result) ?? [], [data]);
  const shown = useFiltered(firings, filter);
  const news = useMemo(
    () => newsOf(seen, { firings, whole: data !== undefined && !hasNextPage }),
    [seen, firings, data, hasNextPage],
  );
  const queryError = query.isError && data === undefined ? query.error : undefined;
  const error: unknown = state.failure === undefined ? queryError : stateFailure(state.failure);
  return { query, firings, shown, news, error, pending: query.isPending };
}

/** A failure that stands in an answer, as what a request would have failed with. */
function stateFailure(error: {
  readonly code: string;
  readonly message: string;
  readonly details: object;
}): ApiFailure {
  const { code, message, details } = error;
  return new ApiFailure(registryRow(code)?.status ?? 500, {
    error: { code, message, details: { ...details } },
    requestId: '',
    moduleHash: '',
  });
}

/** By message, and by the labels of those it fires for. */
function useFiltered(firings: readonly Firing[], filter: string): readonly Firing[] {
  const labels = useLabels();
  return useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    if (wanted === '') return firings;
    const text = ({ message, tuple }: Firing): string =>
      [message, ...Object.values(tuple).map((value) => `${plainText(value)} ${labels.get(String(value)) ?? ''}`)].join(
        ' ',
      );
    return firings.filter((firing) => text(firing).toLowerCase().includes(wanted));
  }, [firings, filter, labels]);
}
