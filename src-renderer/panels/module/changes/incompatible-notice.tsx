/** Notices about stored facts that do not fit the module, before a save with the choices, and after it. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import type { Rename, SaveSourcesResult } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { CodeAdvice } from '../../../domain/failure/failure-view.js';
import { type Incompatibility, incompatibilitiesOf, offeredRenamesOf } from '../../../model/facts/failure.js';
import type { SourceFile } from '../../../server-state/api.js';
import { useInMemory } from '../../../server-state/health.js';
import { previewSave } from '../../../server-state/save-module.js';
import type { IncompatibleSave } from '../../../workspace/workspace.js';
import styles from '../module.module.css';
import { IncompatibilityList } from './incompatibility-list.js';
import { RenameChoices, useRenameChoices } from './rename-choices.js';
import { Notice, SavedWhere, type SaveNoticeProps } from './save-notice.js';

/** Shown before a save, or before loading a file that another program wrote. */
export function IncompatibleNotice({
  files,
  outcome,
  renames: triedRenames,
  dirty,
  onSave,
  onDiscard,
}: IncompatibleNoticeProps) {
  const details = outcome.failure?.details ?? {};
  const incompatibilities = incompatibilitiesOf(details);
  const inMemory = useInMemory();
  // If the selected renames did not fit either, renaming is no longer suggested first.
  const isOffered = triedRenames.length === 0 && offeredRenamesOf(details).length > 0;
  const { lines, names, renames, select } = useRenameChoices(triedRenames, offeredRenamesOf(details));
  const remaining = useRemainingConflicts(files, renames);
  return (
    <Notice tone={isOffered ? 'warning' : 'blocking'}>
      <strong>
        {dirty ? 'Not saved yet' : 'Not loaded'}:{' '}
        {isOffered
          ? 'stored facts use names that are missing from this text.'
          : `stored facts do not fit this text. The server ${dirty ? 'would keep' : 'keeps'} its current module.`}
      </strong>
      {lines.length > 0 && <RenameChoices lines={lines} names={names} onSelect={select} />}
      {remaining.length > 0 ? (
        <>
          <p role="status">Still conflicting with these names: {conflictText(remaining)}</p>
          <IncompatibilityList incompatibilities={remaining} />
        </>
      ) : isOffered ? (
        <details className={styles.saveMisfits}>
          <summary>Conflicts: {conflictText(incompatibilities)}</summary>
          <IncompatibilityList incompatibilities={incompatibilities} />
        </details>
      ) : (
        <IncompatibilityList incompatibilities={incompatibilities} />
      )}
      {incompatibilities.length === 0 && <p>{outcome.failure?.message}</p>}
      <p className="dim">
        Fix the text and save again, or select an action below. An empty scope starts without facts. The stored facts
        are archived with their history{inMemory ? ', in memory until the server stops' : ' in the data directory'}.
      </p>
      <div className={styles.saveChoices}>
        <Button variant="default" color="red" onClick={() => onSave('archive')}>
          Start an empty scope
        </Button>
        {dirty && (
          <Button variant="default" onClick={() => onSave('force')}>
            Save the text only
          </Button>
        )}
        <Button variant="default" onClick={onDiscard}>
          Keep the old module
        </Button>
        {lines.length > 0 && (
          <Button disabled={renames.length === 0 || remaining.length > 0} onClick={() => onSave({ renames })}>
            Rename and save
          </Button>
        )}
      </div>
    </Notice>
  );
}

/** What does not fit with these renames either. Empty until known. */
function useRemainingConflicts(files: readonly SourceFile[], renames: readonly Rename[]): readonly Incompatibility[] {
  const { data } = useQuery({
    queryKey: ['module', 'left', files, renames],
    queryFn: () => previewSave(files, renames),
    enabled: renames.length > 0,
    // Facts may change, so the response is not cached.
    gcTime: 0,
  });
  return renames.length === 0 ? [] : incompatibilitiesOf(data?.failure?.details ?? {});
}

function conflictText(incompatibilities: readonly Incompatibility[]): string {
  const facts = incompatibilities.reduce((sum, incompatibility) => sum + incompatibility.facts, 0);
  const of = incompatibilities.length === 1 ? '1 declaration' : `${incompatibilities.length} declarations`;
  return `${facts === 1 ? '1 stored fact' : `${facts} stored facts`} of ${of}`;
}

type IncompatibleNoticeProps = IncompatibleSave & Pick<SaveNoticeProps, 'dirty' | 'onSave' | 'onDiscard'>;

/** The files are saved, but the server runs the module before. */
export function NotRunNotice({ failure }: { failure: NonNullable<SaveSourcesResult['failure']> }) {
  const incompatibilities = incompatibilitiesOf(failure.details);
  return (
    <Notice tone="blocking">
      <strong>
        <SavedWhere />. The server is running the last valid save.
      </strong>
      {incompatibilities.length === 0 ? (
        <p>{failure.message}</p>
      ) : (
        <>
          <p>Stored facts do not fit the saved module:</p>
          <IncompatibilityList incompatibilities={incompatibilities} />
        </>
      )}
      <p className="dim">
        <span className="mono">{failure.code}</span>{' '}
        {incompatibilities.length === 0 ? (
          <Suspense>
            <CodeAdvice code={failure.code} />
          </Suspense>
        ) : (
          'Restore the listed declarations, or delete their facts with a mutation, and save again. After a restart, the server rejects requests for these facts.'
        )}
      </p>
    </Notice>
  );
}
