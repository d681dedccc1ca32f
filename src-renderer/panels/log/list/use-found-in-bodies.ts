/** Which requests of the log have what is typed in what was sent or answered: the server, which has the bodies, is asked. */

import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../../server-state/api.js';
import { PAGE_ROWS } from '../../../server-state/queries.js';
import type { LogView } from '../log-address.js';
import type { Feed } from './feed-news.js';

/** How soon what has come since is looked through. */
const PAUSE_MS = 500;

interface FoundInBodies {
  /** Their ids; undefined where nothing is looked for there, or is not known yet. */
  readonly found: ReadonlySet<string> | undefined;
  readonly isPending: boolean;
  /** Null unless it failed. */
  readonly error: Error | null;
  readonly retry: () => void;
}

export function useFoundInBodies({ filter, bodies }: LogView, { rows }: Feed): FoundInBodies {
  const text = bodies ? (filter.text?.trim() ?? '') : '';
  const [newest] = useDebouncedValue(rows[0]?.seq ?? 0, PAUSE_MS);
  // What failed is told until somebody tries again, whatever has come since.
  const failed = useRef<{ readonly text: string; readonly newest: number } | undefined>(undefined);
  const at = failed.current?.text === text ? failed.current.newest : newest;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['requests', 'content', text, at],
    queryFn: ({ signal }) => readFound(text, signal),
    // The same text, in requests that have come since.
    placeholderData: (previous, query) => (query?.queryKey[2] === text ? previous : undefined),
    enabled: text !== '',
    retry: false,
  });
  failed.current = error === null ? undefined : { text, newest: at };
  const retry = (): void => void refetch();
  if (text === '') return { found: undefined, isPending: false, error: null, retry };
  return { found: data, isPending, error, retry };
}

async function readFound(text: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let page: string | undefined, more = true; more; more = page !== undefined) {
    const answer: Awaited<ReturnType<typeof api.requests>> = await api.requests({
      filter: { content: text },
      limit: PAGE_ROWS,
      ...(page !== undefined && { page }),
      signal,
    });
    for (const { requestId } of answer.result) found.add(requestId);
    page = answer.nextCursor;
  }
  return found;
}
