/** All firings of one check, a page at a time. */

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ListFilter } from '../components/list-filter.js';
import { LoadFailure, LoadingRows } from '../components/states.js';
import { useRowVirtualizer } from '../components/use-row-virtualizer.js';
import { useUrlText } from '../data/url-text.js';
import type { ShownCheck } from './check-groups.js';
import { FiringRow, GoneRows } from './firing-row.js';
import { firingKey, type Seen } from './news.js';
import { useShownFirings } from './use-shown-firings.js';

export function AllFiringsOfCheck({ check, seen }: { check: ShownCheck; seen: Seen | undefined }) {
  const client = useQueryClient();
  const [filter, setFilter] = useUrlText('firing');
  const { query, firings, shown, error, pending, news, looking } = useShownFirings(check, seen, filter, true);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useRowVirtualizer({ count: shown.length, scroller });
  if (error !== undefined) {
    return (
      <LoadFailure error={error} onRetry={() => void client.invalidateQueries({ queryKey: ['facts', 'checks'] })} />
    );
  }
  if (pending) return <LoadingRows rows={6} />;
  return (
    <>
      {firings.length > 0 && <ListFilter label="Filter firings" value={filter} onChange={setFilter} />}
      {firings.length === 0 && <p className="pane-padded dim">It holds for everything there is: nothing fires.</p>}
      {firings.length > 0 && shown.length === 0 && !looking && (
        <p className="pane-padded dim">
          {query.hasNextPage ? 'No loaded firing has that in it.' : 'No firing has that in it.'}
        </p>
      )}
      <div className="firing-scroller" ref={scroller}>
        <ul className="firing-rows" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const firing = shown[item.index];
            if (firing === undefined) return null;
            return (
              <li key={firingKey(firing)} className="firing-item" style={{ transform: `translateY(${item.start}px)` }}>
                <FiringRow firing={firing} check={check} fresh={news.fresh.has(firingKey(firing))} />
              </li>
            );
          })}
        </ul>
        <ul>
          <GoneRows news={news} check={check} />
        </ul>
      </div>
      {query.hasNextPage && (
        <div className="firing-load">
          {looking ? (
            <span role="status">Looking through all of them…</span>
          ) : (
            <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Load more
            </Button>
          )}
          <span className="dim numeric">
            {firings.length.toLocaleString('en')} of {check.state.firings?.toLocaleString('en') ?? 'more'}
          </span>
        </div>
      )}
    </>
  );
}
