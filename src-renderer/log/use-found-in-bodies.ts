/** Which requests of the log have what is typed in what was sent or answered: the server, which has the bodies, is asked. */

import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../data/api.js';
import { PAGE_ROWS } from '../data/queries.js';
import type { Feed } from './feed-news.js';
import type { LogView } from './log-address.js';

/** How soon what has come since is looked through. */
const PAUSE_MS = 500;

/** Their ids; undefined where nothing is looked for there, or is not known yet. */
export function useFoundInBodies({ filter, bodies }: LogView, { rows }: Feed): ReadonlySet<string> | undefined {
  const text = bodies ? (filter.text?.trim() ?? '') : '';
  const [newest] = useDebouncedValue(rows[0]?.seq ?? 0, PAUSE_MS);
  const { data } = useQuery({
    queryKey: ['requests', 'content', text, newest],
    queryFn: ({ signal }) => readFound(text, signal),
    placeholderData: keepPreviousData,
    enabled: text !== '',
    retry: false,
  });
  return text === '' ? undefined : data;
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
