/** Beside the text: the queries that are kept in sight, with their results, and all texts that were run. */

import { ActionIcon, SegmentedControl, Tooltip } from '@mantine/core';
import { IconPinnedOff } from '@tabler/icons-react';
import { Cut } from '../components/cut.js';
import { HistoryList } from '../components/history-list.js';
import { Pane } from '../components/panes.js';
import type { HistoryEntry } from '../data/call-history.js';
import { type CallRequest, callTitle } from '../data/calls.js';
import { failureOf } from '../data/failure.js';
import { plainText } from '../data/labels.js';
import { type PinnedResult, unpinQuery, usePinnedResults } from '../data/pinned-queries.js';
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
        <HistoryList accepts={isText} onOpen={({ request }) => onOpen(request)} />
      ) : (
        <PinnedList onOpen={onOpen} />
      )}
    </Pane>
  );
}

function PinnedList({ onOpen }: { onOpen: (request: CallRequest) => void }) {
  const results = usePinnedResults();
  if (results.length === 0) {
    return (
      <p className="pane-padded dim">
        Pin a query to keep its result in sight. It is asked again whenever facts or the module change.
      </p>
    );
  }
  return (
    <ul>
      {results.map((result) => (
        <PinnedItem key={result.pinned.id} result={result} onOpen={onOpen} />
      ))}
    </ul>
  );
}

function PinnedItem({ result, onOpen }: { result: PinnedResult; onOpen: (request: CallRequest) => void }) {
  const { pinned } = result;
  return (
    <li className="pinned">
      <button type="button" className="plain pinned-open" onClick={() => onOpen(pinned.request)}>
        <Cut>{pinned.name === '' ? callTitle(pinned.request) : pinned.name}</Cut>
        <span className="pinned-result">
          <Cut className="dim numeric">{resultText(result)}</Cut>
          {changeWords(result).map((words) => (
            <span key={words} className="pinned-change">
              {words}
            </span>
          ))}
        </span>
      </button>
      <Tooltip label="Unpin">
        <ActionIcon aria-label={`Unpin ${pinned.name}`} onClick={() => unpinQuery(pinned.id)}>
          <IconPinnedOff size={14} />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}

/** What the last change of facts did to it. */
function changeWords({ result, change }: PinnedResult): string[] {
  const { added, removed } = change;
  if (added + removed === 0) return [];
  if (!Array.isArray(result)) return ['changed'];
  return [added > 0 ? `${added} came` : '', removed > 0 ? `${removed} went` : ''].filter((words) => words !== '');
}

function resultText({ result, more, error, pending }: PinnedResult): string {
  if (error !== undefined) return failureOf(error)?.code.replace('SVC_RUNTIME_', '') ?? 'no answer';
  if (pending || result === undefined) return 'asking';
  if (!Array.isArray(result)) return plainText(result);
  return `${result.length}${more ? '+' : ''} ${result.length === 1 && !more ? 'row' : 'rows'}`;
}
