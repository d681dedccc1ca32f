/** All violations of one check, with a filter. */

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useCallback } from 'react';
import { LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { useUrlText } from '../../state/url-text.js';
import { ListFilter } from '../../ui/list-filter.js';
import { RowScroll } from '../../ui/row-scroll.js';
import type { ShownCheck } from './check-groups.js';
import styles from './checks.module.css';
import { type SeenViolations, violationKey } from './unseen.js';
import { useShownViolations } from './use-shown-violations.js';
import { ResolvedRows, ViolationRow } from './violation-row.js';

/** Of the line below each message that says since when. */
const SINCE_HEIGHT = 22;

export function CheckViolations({ check, seen }: { check: ShownCheck; seen: SeenViolations | undefined }) {
  const client = useQueryClient();
  const [filter, setFilter] = useUrlText('firing');
  const { query, violations, shown, error, pending, unseen, looking } = useShownViolations(check, seen, filter, true);
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  if (error !== undefined) {
    return (
      <LoadFailure error={error} onRetry={() => void client.invalidateQueries({ queryKey: ['facts', 'checks'] })} />
    );
  }
  if (pending) return <LoadingRows rows={6} />;
  const isWhole = filter.trim() === '';
  const all = hasNextPage ? Math.max(check.state.firings ?? 0, violations.length) : violations.length;
  return (
    <>
      {violations.length > 0 && <ListFilter label="Filter violations" value={filter} onChange={setFilter} />}
      {violations.length === 0 && <p className="pane-padded dim">Passing: no violations.</p>}
      {violations.length > 0 && shown.length === 0 && !looking && (
        <p className="pane-padded dim">{hasNextPage ? 'No matches in the violations loaded so far.' : 'No matches'}</p>
      )}
      <RowScroll
        rows={shown}
        count={isWhole ? all : shown.length}
        keyOf={violationKey}
        extraHeight={SINCE_HEIGHT}
        onMore={isWhole && hasNextPage && !isFetching && !isFetchNextPageError ? more : undefined}
        placeholder={<div className={clsx('row', styles.firingRow, 'dim')}>…</div>}
        renderRow={(violation) => (
          <ViolationRow violation={violation} check={check} isNew={unseen.added.has(violationKey(violation))} />
        )}
      >
        <ul>
          <ResolvedRows unseen={unseen} check={check} />
        </ul>
      </RowScroll>
      {hasNextPage && (!isWhole || isFetchNextPageError) && (
        <div className={styles.firingLoad}>
          {looking ? (
            <span role="status">Searching all violations…</span>
          ) : (
            <Button variant="default" loading={isFetching} onClick={more}>
              {isFetchNextPageError ? 'Try again to load more' : 'Search further'}
            </Button>
          )}
          <span className="dim numeric">
            {violations.length.toLocaleString('en')} of {all.toLocaleString('en')}
          </span>
        </div>
      )}
    </>
  );
}
