/** The call history, latest first, with a filter. Selecting a call opens it. */

import { Tooltip } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { argumentText, referencesIn } from '../../model/calls/argument-text.js';
import { type Args, type CallRequest, callTitle } from '../../model/calls/calls.js';
import { MAIN, usePlace } from '../../model/calls/place.js';
import { entityLabel, idLabel, inBrief, SHOWN_LETTERS_MAX } from '../../model/facts/labels.js';
import { markedName, useNamesakes } from '../../model/facts/namesakes.js';
import { momentText, secondText } from '../../model/text/time-text.js';
import { callHistory, type HistoryEntry, openHistory, searchHistory } from '../../server-state/call-history.js';
import { useForkNames } from '../../server-state/forks.js';
import { useStore } from '../../state/store.js';
import { useStoredText } from '../../state/stored-text.js';
import { Glyph } from '../../ui/glyph.js';
import { ListFilter } from '../../ui/list-filter.js';
import { useLabels } from '../../ui/reference-label.js';
import styles from './history-list.module.css';

interface HistoryListProps {
  /** Key under which the filter is stored. */
  readonly name: string;
  readonly accepts: (entry: HistoryEntry) => boolean;
  readonly onOpen: (entry: HistoryEntry) => void;
  /** Selected entries; undefined where nothing can be selected. */
  readonly picked?: { readonly ids: ReadonlySet<number>; readonly onToggle: (id: number) => void } | undefined;
}

const ROW_HEIGHT = 44;

export function HistoryList({ name, accepts, onOpen, picked }: HistoryListProps) {
  const entries = useStore(callHistory);
  const [filter, setFilter] = useStoredText(`history of ${name}`);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => void openHistory(), []);
  const listed = useMemo(() => entries.filter(accepts), [entries, accepts]);
  const argumentsOf = useArgumentText(listed);
  const shown = useMemo(() => searchHistory(listed, filter, argumentsOf), [listed, filter, argumentsOf]);
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  return (
    <div className={styles.history}>
      <ListFilter label="Filter history" value={filter} onChange={setFilter} />
      <div className={styles.historyRows} ref={scroller}>
        {shown.length === 0 && (
          <p className="pane-padded dim">{filter === '' ? 'Calls that you run appear here.' : 'No matches'}</p>
        )}
        <ul style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const entry = shown[index];
            if (entry === undefined) return null;
            return (
              <li key={entry.id} className={styles.historyItem} style={{ transform: `translateY(${start}px)` }}>
                {picked !== undefined && (
                  <input
                    type="checkbox"
                    aria-label={`Select ${callTitle(entry.request)}`}
                    checked={picked.ids.has(entry.id)}
                    onChange={() => picked.onToggle(entry.id)}
                  />
                )}
                <Tooltip label={<EntryTip entry={entry} args={argumentsOf(entry)} />} position="right">
                  <button
                    type="button"
                    className={clsx('plain', styles.historyEntry)}
                    data-opens="either"
                    onClick={() => onOpen(entry)}
                  >
                    <EntryLines entry={entry} args={argumentsOf(entry)} />
                  </button>
                </Tooltip>
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}

interface EntryProps {
  readonly entry: HistoryEntry;
  readonly args: string;
}

/** The tooltip has the full text. */
function EntryLines({ entry, args }: EntryProps) {
  const { request, outcome, at } = entry;
  const place = usePlaceOf(entry);
  return (
    <>
      <span className={styles.historyLine}>
        <Glyph kind={outcome.ok ? 'good' : 'blocking'} label={outcome.ok ? 'succeeded' : 'failed'} />
        <span className={clsx('cut', styles.historyTitle)}>{callTitle(request)}</span>
        <span className={clsx('cut', 'dim', styles.historyOutcome)}>
          {outcome.ok ? outcome.summary : shortCode(outcome.code)}
        </span>
        <span className="dim numeric">{secondText(at)}</span>
      </span>
      <span className={clsx(styles.historyLine, 'dim')}>
        <span className={clsx('cut', styles.historyArgs)} dir="auto">
          {args === '' ? 'no arguments' : inBrief(args, SHOWN_LETTERS_MAX)}
        </span>
        {place.length > 0 && <span className={clsx('cut', styles.historyPlace)}>{place.join(', ')}</span>}
      </span>
    </>
  );
}

function EntryTip({ entry, args }: EntryProps) {
  const { request, outcome, at, durationMs, dryRun } = entry;
  const place = usePlaceOf(entry);
  const words = outcome.ok ? outcome.summary : `${shortCode(outcome.code)}: ${outcome.message}`;
  return (
    <span className={styles.historyTip}>
      <span>{callTitle(request)}</span>
      {args !== '' && <span>{inBrief(args, SHOWN_LETTERS_MAX)}</span>}
      <span>{inBrief(words, SHOWN_LETTERS_MAX)}</span>
      <span className="numeric">
        {momentText(at)}, {Math.max(1, Math.round(durationMs))} ms
      </span>
      {place.length > 0 && <span>{place.join(', ')}</span>}
      {dryRun && <span>dry run, nothing saved</span>}
    </span>
  );
}

/** Tenant and fork of a call, unless they are those of the page or the default. */
function usePlaceOf({ fork, context }: HistoryEntry): readonly string[] {
  const tenant = context['tenantId'];
  const isOther = tenant !== usePlace().context['tenantId'];
  const nameOf = useForkNames();
  return [
    ...(isOther && tenant !== undefined ? [tenant] : []),
    ...(fork === MAIN ? [] : [isOther ? fork : nameOf(fork)]),
  ];
}

function shortCode(code: string): string {
  return code.replace('SVC_RUNTIME_', '');
}

/** The arguments of a call as text. Labels apply only to calls of the current fork and tenant, because ids differ elsewhere. */
function useArgumentText(entries: readonly HistoryEntry[]): (entry: HistoryEntry) => string {
  const labels = useLabels();
  const { fork: here, context } = usePlace();
  const tenant = context['tenantId'];
  const isHere = useCallback(
    (entry: HistoryEntry) => entry.fork === here && entry.context['tenantId'] === tenant,
    [here, tenant],
  );
  const named = useMemo(() => {
    const ids = new Set(
      entries.flatMap((entry) => (isHere(entry) ? argumentsIn(entry.request).flatMap(referencesIn) : [])),
    );
    return [...ids].map((id) => [id, labels.get(id) ?? idLabel(id)] as const);
  }, [entries, isHere, labels]);
  const alike = useNamesakes(named);
  return useCallback(
    (entry) => {
      const { request } = entry;
      const textOf = (args: Args): string =>
        argumentText(args, (id, sent) => {
          const kept = sent === undefined ? idLabel(id) : entityLabel(sent);
          if (!isHere(entry)) return kept;
          return markedName(labels.get(id) ?? kept, alike.has(id) ? labels.markOf(id) : undefined);
        });
      const [args = '', ...others] = argumentsIn(request).map(textOf);
      if (request.kind === 'batch') return [args, ...others].filter((each) => each !== '').join('; ');
      if (request.kind !== 'adhoc') return args;
      // Ad-hoc texts often share a name.
      const source = request.source.replace(/\s+/g, ' ').trim();
      return args === '' ? source : `${args}; ${source}`;
    },
    [labels, isHere, alike],
  );
}

function argumentsIn(request: CallRequest): readonly Args[] {
  return request.kind === 'batch' ? request.steps.map(({ args = {} }) => args) : [request.args];
}
