/** The side pane: history, saved texts, and pinned queries with their results. */

import { SegmentedControl } from '@mantine/core';
import type { SavedCall } from '../../../src-runtime/api/schemas/collection-schemas.js';
import { HistoryList } from '../../domain/calls/history-list.js';
import { SavedList } from '../../domain/calls/saved-list.js';
import { PinnedList } from '../../domain/result/pinned-list.js';
import { asTyped, type CallRequest } from '../../model/calls/calls.js';
import { goToPlaceOf } from '../../model/calls/place.js';
import type { SavedOrigin } from '../../model/calls/saved-origins.js';
import type { HistoryEntry } from '../../server-state/call-history.js';
import { createPersistentStore, useStore } from '../../state/store.js';
import { Pane } from '../../ui/panes/panes.js';

const SIDES = ['history', 'saved', 'pinned'] as const;
type Side = (typeof SIDES)[number];

const isSide = (value: unknown): value is Side => SIDES.some((side) => side === value);

const sideShown = createPersistentStore<Side>('entail.query-side', 'history', isSide);

const isText = ({ request }: HistoryEntry): boolean => request.kind === 'adhoc';
const isSavedText = ({ adhoc }: SavedCall): boolean => adhoc !== undefined;

export function showPinned(): void {
  sideShown.set('pinned');
}

export function QuerySide({ onOpen }: { onOpen: (request: CallRequest, origin?: SavedOrigin) => void }) {
  const shown = useStore(sideShown);
  return (
    <Pane
      label="Saved queries"
      title={
        <>
          <h2 className="visually-hidden">Saved queries</h2>
          <SegmentedControl
            aria-label="Show"
            value={shown}
            onChange={(value) => isSide(value) && sideShown.set(value)}
            data={[
              { value: 'history', label: 'History' },
              { value: 'saved', label: 'Saved' },
              { value: 'pinned', label: 'Pinned' },
            ]}
          />
        </>
      }
    >
      {shown === 'history' && (
        <HistoryList name="texts" accepts={isText} onOpen={(entry) => onOpen(asTyped(entry).request)} />
      )}
      {shown === 'saved' && (
        <SavedList
          accepts={isSavedText}
          noun="texts"
          onOpen={(call, origin) => {
            goToPlaceOf(call);
            onOpen(call.request, origin);
          }}
        />
      )}
      {shown === 'pinned' && <PinnedList onOpen={onOpen} />}
    </Pane>
  );
}
