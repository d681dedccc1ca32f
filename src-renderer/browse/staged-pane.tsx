/** The sheet before staged changes are saved: each of them, and what would follow from all, tried without keeping anything. */

import { ActionIcon, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { CallOutcomeView } from '../components/call-outcome.js';
import { Cut } from '../components/cut.js';
import { Pane } from '../components/panes.js';
import { ReferenceLabel } from '../components/reference-label.js';
import { plainText } from '../data/labels.js';
import { currentFork, sentContext } from '../data/place.js';
import { callOutcomes, cancelCall, runCall, setOutcome } from '../data/run-call.js';
import { useStore } from '../data/store.js';
import { isReferenceField } from './settable.js';
import { type StagedChange, settingOfAll } from './staged.js';
import { stagedWords } from './staged-bar.js';

const STAGED_KEY = 'staged changes';

interface StagedPaneProps {
  readonly schema: ServedSchema;
  readonly changes: readonly StagedChange[];
  readonly onLeave: (change: StagedChange) => void;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function StagedPane({ schema, changes, onLeave, onSaved, onClose }: StagedPaneProps) {
  const client = useQueryClient();
  const outcome = useStore(callOutcomes)[STAGED_KEY];
  const run = (dryRun: boolean): void => {
    const call = { request: settingOfAll(changes), context: sentContext(), fork: currentFork.get(), dryRun };
    void runCall(client, STAGED_KEY, call, false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is to be set is what is tried.
  useEffect(() => {
    run(true);
    return () => {
      cancelCall(STAGED_KEY);
      setOutcome(STAGED_KEY, undefined);
    };
  }, [JSON.stringify(changes)]);
  const isTried = outcome?.state === 'answered' && outcome.call.dryRun;
  const isSaved = outcome?.state === 'answered' && !outcome.call.dryRun;
  const words = stagedWords(changes.length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, as it is saved.
  useEffect(() => {
    if (!isSaved) return;
    notifications.show({ message: `${words} saved in one transaction.` });
    onSaved();
  }, [isSaved]);
  return (
    <Pane
      title="Staged changes"
      actions={
        <ActionIcon aria-label="Close the sheet" onClick={onClose}>
          <IconX size={14} />
        </ActionIcon>
      }
    >
      <ul className="staged-list" aria-label="What is to be set">
        {changes.map((change) => (
          <li key={`${change.id} ${change.field}`} className="staged-change">
            <Cut className="staged-name">{`${change.label} · ${change.field}`}</Cut>
            <span className="staged-values">
              <del className="dim">
                <Value change={change} value={change.known} />
              </del>{' '}
              <span aria-hidden>→</span> <Value change={change} value={change.next} />
            </span>
            <ActionIcon aria-label={`Leave ${change.field} of ${change.label}`} onClick={() => onLeave(change)}>
              <IconX size={12} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <div className="removal-actions">
        <Button disabled={!isTried} loading={outcome?.state === 'running'} onClick={() => run(false)}>
          Save {words}
        </Button>
        {outcome?.state === 'failed' && (
          <Button variant="default" onClick={() => run(true)}>
            Try again
          </Button>
        )}
      </div>
      <CallOutcomeView
        outcome={outcome}
        schema={schema}
        silent
        name="staged"
        onLoadMore={() => undefined}
        empty={null}
      />
    </Pane>
  );
}

function Value({ change: { type }, value }: { change: StagedChange; value: JsonValue }) {
  if (value === null) return <span className="dim">none</span>;
  return isReferenceField(type) ? <ReferenceLabel value={value} reference /> : <Cut>{plainText(value)}</Cut>;
}
