/** The call history: opens a call again, or turns selected calls into a batch, a test or a script. */

import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { HistoryList } from '../../domain/calls/history-list.js';
import { asTyped, type SentCall } from '../../model/calls/calls.js';
import { batchLocation, logLocation } from '../../model/facts/locations.js';
import { callHistory, clearHistory, type HistoryEntry } from '../../server-state/call-history.js';
import { useStore } from '../../state/store.js';
import { replaceBatch } from './batch-changes.js';
import { stepsOf } from './batch-store.js';
import styles from './invoke.module.css';
import { fullContext } from './recent-contexts.js';
import { ScenarioSheet } from './scenario-sheet.js';

const everyCall = (): boolean => true;

export function HistoryPane({ schema, onOpen }: { schema: ServedSchema; onOpen: (call: SentCall) => void }) {
  const entries = useStore(callHistory);
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const [shown, setShown] = useState<'test' | 'script' | undefined>(undefined);
  const navigate = useNavigate();
  const selected = useMemo(() => entries.filter(({ id }) => ids.has(id)), [entries, ids]);
  const toggle = (id: number): void =>
    setIds((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]));
  // Removes context fields that the call did not have: in the scope of another tenant, an id is another individual.
  const open = (entry: HistoryEntry): void => {
    const { typed: _, ...call } = asTyped(entry);
    onOpen({
      ...call,
      context: fullContext(
        schema.context.map(({ name }) => name),
        call.context,
      ),
    });
  };
  const asBatch = (): void => {
    const requests = selected.toSorted((a, b) => a.id - b.id).map((entry: HistoryEntry) => asTyped(entry).request);
    replaceBatch(stepsOf(requests, () => crypto.randomUUID()));
    void navigate(batchLocation());
  };
  const compared = comparisonOf(selected);
  return (
    <div className={styles.historyPane}>
      <HistoryList name="calls" accepts={everyCall} onOpen={open} picked={{ ids, onToggle: toggle }} />
      {selected.length === 0 ? (
        entries.length > 0 && (
          <div className={styles.callHistoryActions}>
            <Button className={styles.historyClear} variant="subtle" onClick={() => void clearHistory()}>
              Clear history
            </Button>
          </div>
        )
      ) : (
        <div className={styles.callHistoryActions} role="toolbar" aria-label="Selected calls">
          <span className="dim numeric">{selected.length} selected</span>
          <Button variant="subtle" onClick={() => setIds(new Set())}>
            Clear selection
          </Button>
          <Button variant="default" onClick={() => setShown('test')}>
            As test
          </Button>
          <Button variant="default" onClick={() => setShown('script')}>
            As script
          </Button>
          <Button variant="default" onClick={asBatch}>
            As batch
          </Button>
          {compared !== undefined && (
            <Button variant="default" component={Link} to={compared}>
              Compare
            </Button>
          )}
        </div>
      )}
      {shown !== undefined && (
        <ScenarioSheet entries={selected} as={shown} schema={schema} onClose={() => setShown(undefined)} />
      )}
    </div>
  );
}

/** The location that compares two logged calls, the earlier first. Undefined for any other selection. */
function comparisonOf(selected: readonly HistoryEntry[]): string | undefined {
  const [later, earlier] = selected;
  if (later === undefined || earlier === undefined || selected.length > 2) return undefined;
  const isLogged = later.requestId !== '' && earlier.requestId !== '';
  return isLogged ? logLocation(earlier.requestId, later.requestId) : undefined;
}
