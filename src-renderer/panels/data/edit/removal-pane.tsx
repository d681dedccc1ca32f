/** The sheet for deleting rows: what is deleted with them, and a dry run of the effects. */

import { ActionIcon, Button, SegmentedControl } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { CallOutcomeView } from '../../../domain/calls/call-outcome.js';
import { textOf } from '../../../model/calls/calls.js';
import { currentFork, MAIN, sentContext, usePlace } from '../../../model/calls/place.js';
import { enclosingModuleFor, pathsOfRow } from '../../../model/facts/enclosing-module.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { numberText } from '../../../model/text/count-text.js';
import { useMissingGrant } from '../../../server-state/health.js';
import { callOutcomes, leaveCall, runCall } from '../../../server-state/run-call.js';
import { useStore } from '../../../state/store.js';
import { Pane } from '../../../ui/panes/panes.js';
import styles from '../row-changes.module.css';
import type { GridRow } from '../rows/use-rows.js';
import { type Removal, type RemovalKind, removalOf } from './removal.js';
import { StageButton } from './stage-button.js';

const REMOVAL_KEY = 'remove rows';

interface RemovalPaneProps {
  readonly info: RelationInfo;
  readonly schema: ServedSchema;
  readonly rows: readonly GridRow[];
  readonly onStage: () => void;
  readonly onClose: () => void;
}

export function RemovalPane({ info, schema, rows, onStage, onClose }: RemovalPaneProps) {
  const [kind, setKind] = useState<RemovalKind>('delete');
  const forgets = useMayForget(info);
  const removal = removalOf(info, rows, kind, enclosingModuleFor(schema, pathsOfRow(info.path, info.endpoints)));
  return (
    <Pane
      title="Remove rows"
      actions={
        <ActionIcon aria-label="Close the sheet" onClick={onClose}>
          <IconX size={14} />
        </ActionIcon>
      }
    >
      {info.kind === 'concept' && (
        <div className={styles.removalKind}>
          <SegmentedControl
            aria-label="Kind of removal"
            value={kind}
            onChange={(value) => setKind(value === 'forget' ? 'forget' : 'delete')}
            data={[
              { value: 'delete', label: 'Delete' },
              { value: 'forget', label: 'Erase', disabled: forgets !== undefined },
            ]}
          />
          <p className="dim">
            {forgets ?? 'Also removes them from the history and all open forks. This cannot be undone.'}
          </p>
        </div>
      )}
      {'reason' in removal ? (
        <p className="pane-padded">{removal.reason}</p>
      ) : (
        <Trial key={kind} {...{ removal, kind, schema, onStage, onClose }} />
      )}
    </Pane>
  );
}

/** Why individuals cannot be erased here; undefined if they can. */
function useMayForget({ kind }: RelationInfo): string | undefined {
  const missing = useMissingGrant('forget');
  const fork = useStore(currentFork);
  if (kind !== 'concept') return undefined;
  if (missing !== undefined) return `To erase individuals with their history, start the server with ${missing}.`;
  return fork === MAIN ? undefined : 'Switch to main to erase individuals.';
}

interface TrialProps {
  readonly removal: Removal;
  readonly kind: RemovalKind;
  readonly schema: ServedSchema;
  readonly onStage: () => void;
  readonly onClose: () => void;
}

function Trial({ removal, kind, schema, onStage, onClose }: TrialProps) {
  const client = useQueryClient();
  const outcome = useStore(callOutcomes)[REMOVAL_KEY];
  const place = JSON.stringify(usePlace());
  const { source, module, args, rows, declared } = removal;
  const run = (dryRun: boolean): void => {
    const request = { kind: 'adhoc', ...textOf({ source, module }), args } as const;
    const call = { request, context: sentContext(), fork: currentFork.get(), dryRun };
    void runCall(client, REMOVAL_KEY, call, false, { isEdit: true });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed selection or place needs a new dry run.
  useEffect(() => {
    run(true);
    return () => leaveCall(REMOVAL_KEY);
  }, [source, module, JSON.stringify(args), place]);
  const isDone = outcome?.state === 'answered' && !outcome.call.dryRun;
  const isTried = outcome?.state === 'answered' && outcome.call.dryRun;
  const words = `${numberText(rows)} ${rows === 1 ? 'row' : 'rows'}`;
  return (
    <div className={styles.removal}>
      {declared > 0 && (
        <p className="dim">
          {declared === 1
            ? '1 selected row is declared in the module and stays.'
            : `${numberText(declared)} selected rows are declared in the module and stay.`}
        </p>
      )}
      <div className={styles.removalActions}>
        {isDone ? (
          <Button onClick={onClose}>Close</Button>
        ) : (
          <>
            <Button variant="subtle" onClick={onClose}>
              Cancel
            </Button>
            {outcome?.state === 'failed' && (
              <Button variant="default" onClick={() => run(true)}>
                Try again
              </Button>
            )}
            {kind === 'delete' && <StageButton keys="Delete in the grid" onClick={onStage} />}
            <Button disabled={!isTried} onClick={() => run(false)}>
              {kind === 'forget' ? 'Erase' : 'Delete'} {words}
            </Button>
          </>
        )}
      </div>
      <CallOutcomeView
        outcome={outcome}
        schema={schema}
        silent
        name="removed"
        onLoadMore={() => undefined}
        empty={null}
      />
    </div>
  );
}
