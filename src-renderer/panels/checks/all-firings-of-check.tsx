/** All firings of one check, and those among them that have what is looked for. */

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { useUrlText } from '../../state/url-text.js';
import { ListFilter } from '../../ui/list-filter.js';
import type { ShownCheck } from './check-groups.js';
import { FiringRow, GoneRows } from './firing-row.js';
import { FiringScroll } from './firing-scroll.js';
import { firingKey, type Seen } from './news.js';
import { useShownFirings } from './use-shown-firings.js';

export function AllFiringsOfCheck({ check, seen }: { check: ShownCheck; seen: Seen | undefined }) {
  const client = useQueryClient();
  const [filter, setFilter] = useUrlText('firing');
  const { query, firings, shown, error, pending, news, looking } = useShownFirings(check, seen, filter, true);
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  if (error !== undefined) {
    return (
      <LoadFailure error={error} onRetry={() => void client.invalidateQueries({ queryKey: ['facts', 'checks'] })} />
    );
  }
  if (pending) return <LoadingRows rows={6} />;
  const isWhole = filter.trim() === '';
  const all = hasNextPage ? Math.max(check.state.firings ?? 0, firings.length) : firings.length;
  return (
    <>
      {firings.length > 0 && <ListFilter label="Filter violations" value={filter} onChange={setFilter} />}
      {firings.length === 0 && <p className="pane-padded dim">Passing: no violations.</p>}
      {firings.length > 0 && shown.length === 0 && !looking && (
        <p className="pane-padded dim">{hasNextPage ? 'No matches in the violations loaded so far.' : 'No matches'}</p>
      )}
      <FiringScroll
        firings={shown}
        count={isWhole ? all : shown.length}
        onMore={isWhole && hasNextPage && !isFetching && !isFetchNextPageError ? more : undefined}
        renderRow={(firing) => <FiringRow firing={firing} check={check} fresh={news.fresh.has(firingKey(firing))} />}
      >
        <ul>
          <GoneRows news={news} check={check} />
        </ul>
      </FiringScroll>
      {hasNextPage && (!isWhole || isFetchNextPageError) && (
        <div className="firing-load">
          {looking ? (
            <span role="status">Searching all violations…</span>
          ) : (
            <Button variant="default" loading={isFetching} onClick={more}>
              {isFetchNextPageError ? 'Try again to load more' : 'Search further'}
            </Button>
          )}
          <span className="dim numeric">
            {firings.length.toLocaleString('en')} of {all.toLocaleString('en')}
          </span>
        </div>
      )}
    </>
  );
}
