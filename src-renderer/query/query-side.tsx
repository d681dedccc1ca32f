/** Beside the text: the queries that are kept in sight, with their results, and all texts that were run. */

import { SegmentedControl } from '@mantine/core';
import { HistoryList } from '../components/history-list.js';
import { Pane } from '../components/panes.js';
import { PinnedList } from '../components/pinned-list.js';
import type { HistoryEntry } from '../data/call-history.js';
import { asTyped, type CallRequest } from '../data/calls.js';
import { createKeptStore, useStore } from '../data/store.js';

const sideShown = createKeptStore<'history' | 'pinned'>(
  'entail.query-side',
  'history',
  (value): value is 'history' | 'pinned' => value === 'history' || value === 'pinned',
);

const isText = ({ request }: HistoryEntry): boolean => request.kind === 'adhoc';

export function showPinned(): void {
  sideShown.set('pinned');
}

export function QuerySide({ onOpen }: { onOpen: (request: CallRequest) => void }) {
  const shown = useStore(sideShown);
  return (
    <Pane
      label="Kept queries"
      title={
        <>
          <h2 className="visually-hidden">Kept queries</h2>
          <SegmentedControl
            aria-label="Show"
            value={shown}
            onChange={(value) => sideShown.set(value === 'pinned' ? 'pinned' : 'history')}
            data={[
              { value: 'history', label: 'History' },
              { value: 'pinned', label: 'Pinned' },
            ]}
          />
        </>
      }
    >
      {shown === 'history' ? (
        <HistoryList accepts={isText} onOpen={(entry) => onOpen(asTyped(entry).request)} />
      ) : (
        <PinnedList onOpen={onOpen} />
      )}
    </Pane>
  );
}
