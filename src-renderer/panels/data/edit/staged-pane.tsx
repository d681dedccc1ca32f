/** The sheet for saving staged changes: the list of changes, and a dry run of their effects. */

import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { CallOutcomeView } from '../../../domain/calls/call-outcome.js';
import type { SentCall } from '../../../model/calls/calls.js';
import { currentFork, sentContext } from '../../../model/calls/place.js';
import { enclosingModuleFor } from '../../../model/facts/enclosing-module.js';
import { callOutcomes, leaveCall, runCall, saveCall } from '../../../server-state/run-call.js';
import { useStore } from '../../../state/store.js';
import { Pane } from '../../../ui/panes/panes.js';
import styles from '../row-changes.module.css';
import { changeKey, type StagedChange } from '../rows/staged.js';
import { stagedWords } from './staged-bar.js';
import { StagedLine } from './staged-line.js';
import { pathsOfChanges, savingOfAll } from './staged-mutation.js';
import { refusedChanges } from './staged-refusal.js';

const STAGED_KEY = 'staged changes';

interface StagedPaneProps {
  readonly schema: ServedSchema;
  readonly changes: readonly StagedChange[];
  readonly leave: (changes: readonly StagedChange[]) => void;
  readonly onSaved: (saved: readonly StagedChange[]) => void;
  readonly onClose: () => void;
}

export function StagedPane({ schema, changes, leave, onSaved, onClose }: StagedPaneProps) {
  const client = useQueryClient();
  const outcome = useStore(callOutcomes)[STAGED_KEY];
  const callOf = (dryRun: boolean): SentCall => {
    const request = savingOfAll(changes, enclosingModuleFor(schema, pathsOfChanges(changes)));
    return { request, context: sentContext(), fork: currentFork.get(), dryRun };
  };
  const tryOut = (): void => void runCall(client, STAGED_KEY, callOf(true), false);
  const words = stagedWords(changes.length);
  // Changes staged while saving are not included.
  const save = async (): Promise<void> => {
    if ((await saveCall(client, STAGED_KEY, callOf(false))) === 'failed') return;
    onSaved(changes);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: changed staging needs a new dry run.
  useEffect(() => {
    tryOut();
    return () => leaveCall(STAGED_KEY);
  }, [JSON.stringify(changes)]);
  const isTried = outcome?.state === 'answered';
  const error = outcome?.state === 'failed' ? outcome.error : undefined;
  const refused = useMemo(() => refusedChanges(changes, error), [changes, error]);
  return (
    <Pane
      title="Staged changes"
      actions={
        <ActionIcon aria-label="Close the sheet" onClick={onClose}>
          <IconX size={14} />
        </ActionIcon>
      }
    >
      <ul className={styles.stagedList} aria-label="Staged changes">
        {changes.map((change) => (
          <StagedLine
            key={changeKey(change)}
            change={change}
            refusal={refused.get(changeKey(change))}
            onLeave={() => leave([change])}
          />
        ))}
      </ul>
      <div className={styles.removalActions}>
        {outcome?.state === 'failed' && (
          <Button variant="default" onClick={tryOut}>
            Try again
          </Button>
        )}
        <Button disabled={!isTried} loading={outcome?.state === 'running'} onClick={() => void save()}>
          Save {words}
        </Button>
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
