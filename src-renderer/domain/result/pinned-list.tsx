/** Pinned queries with their results and latest changes. */

import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPinnedOff } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { resultText } from '../../model/calls/argument-text.js';
import { type CallRequest, callTitle } from '../../model/calls/calls.js';
import { failureOf } from '../../model/facts/failure.js';
import { shownText } from '../../model/facts/labels.js';
import { type PinnedResult, unpinQuery, usePinnedResults } from '../../server-state/pinned-queries.js';
import { Cut } from '../../ui/cut.js';
import styles from './pinned-list.module.css';

/** Without `onOpen` the list is read-only. */
export function PinnedList({ onOpen }: { onOpen?: (request: CallRequest) => void }) {
  const results = usePinnedResults();
  if (results.length === 0) {
    return (
      <p className="pane-padded dim">Pin a query to watch its result. It updates when facts or the module change.</p>
    );
  }
  return (
    <ul>
      {results.map((result) => (
        <PinnedItem key={result.pinned.id} result={result} {...(onOpen !== undefined && { onOpen })} />
      ))}
    </ul>
  );
}

function PinnedItem({ result, onOpen }: { result: PinnedResult; onOpen?: (request: CallRequest) => void }) {
  const { pinned } = result;
  const words = (
    <>
      <Cut>{nameOf(result)}</Cut>
      <span className={styles.pinnedResult}>
        <Cut className="dim numeric">{pinnedText(result)}</Cut>
        {changeWords(result).map((each) => (
          <span key={each} className={styles.pinnedChange}>
            {each}
          </span>
        ))}
      </span>
    </>
  );
  if (onOpen === undefined) {
    return (
      <li className={styles.pinned}>
        <span className={styles.pinnedOpen}>{words}</span>
      </li>
    );
  }
  return (
    <li className={styles.pinned}>
      <button type="button" className={clsx('plain', styles.pinnedOpen)} onClick={() => onOpen(pinned.request)}>
        {words}
      </button>
      <Tooltip label="Unpin">
        <ActionIcon aria-label={`Unpin ${pinned.name}`} onClick={() => unpinQuery(pinned.id)}>
          <IconPinnedOff size={14} />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}

/** One line per query. */
export function pinnedWords(result: PinnedResult): string {
  return `${nameOf(result)}: ${changeWords(result).join(', ') || pinnedText(result)}`;
}

function nameOf({ pinned }: PinnedResult): string {
  return pinned.name === '' ? callTitle(pinned.request) : pinned.name;
}

/** The effect of the latest change of facts. */
function changeWords({ result, error, change }: PinnedResult): string[] {
  const { added, removed } = change;
  if (added + removed === 0 || error !== undefined) return [];
  if (!Array.isArray(result)) return ['changed'];
  return [added > 0 ? `${added} added` : '', removed > 0 ? `${removed} removed` : ''].filter((words) => words !== '');
}

function pinnedText({ result, more, error, pending }: PinnedResult): string {
  if (error !== undefined) return failureOf(error)?.code.replace('SVC_RUNTIME_', '') ?? 'no response';
  if (pending || result === undefined) return 'loading';
  if (!Array.isArray(result)) return typeof result === 'object' ? resultText(result) : shownText(result);
  return `${result.length}${more ? '+' : ''} ${result.length === 1 && !more ? 'row' : 'rows'}`;
}
