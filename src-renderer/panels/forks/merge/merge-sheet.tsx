/**
 * The sheet of every merge: a preview that updates when either side changes, and then the outcome. What differs between promote,
 * rebase, cherry-pick and revert is in `fork-merges.tsx` and `transaction-merges.tsx`.
 */

import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Firing } from '../../../../src-runtime/api/schemas/schemas.js';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { ForkOfPart } from '../../../model/calls/place.js';
import { Glyph } from '../../../ui/glyph.js';
import { Pane, PaneTitle } from '../../../ui/panes/panes.js';
import { useForksWritable } from '../use-fork-actions.js';
import styles from './merge-sheet.module.css';
import { useFocusIfLost } from './use-outcome.js';
import { NewWarnings } from './verdict.js';

interface MergeSheetProps {
  /** As text, for the accessible name. */
  readonly label: string;
  readonly title?: ReactNode;
  /** The fork that the contents are about. */
  readonly fork: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function MergeSheet({ label, title = label, fork, onClose, children }: MergeSheetProps) {
  return (
    <Pane
      title={<PaneTitle>{title}</PaneTitle>}
      label={label}
      actions={
        <ActionIcon aria-label="Close the sheet" onClick={onClose}>
          <IconX size={14} />
        </ActionIcon>
      }
    >
      <ForkOfPart.Provider value={fork}>{children}</ForkOfPart.Provider>
    </Pane>
  );
}

interface MergePreviewProps {
  readonly dryRun: Pick<UseQueryResult<unknown>, 'isError' | 'isPending'>;
  /** Verdict, conflicts, changes and settings, from top to bottom. */
  readonly children: ReactNode;
  readonly action: string;
  readonly write: { readonly isPending: boolean; readonly isError: boolean; readonly error: unknown };
  readonly onWrite: () => void;
  /** Nothing would be written, and so there is nothing to do. */
  readonly isEmpty?: boolean;
  /** A setting is invalid. */
  readonly isInvalid?: boolean;
  /** The fork that a failed write is about. */
  readonly failedOn: string;
  readonly onClose: () => void;
}

export function MergePreview({ dryRun, children, action, write, onWrite, onClose, ...rest }: MergePreviewProps) {
  const { isEmpty = false, isInvalid = false, failedOn } = rest;
  const writable = useForksWritable();
  return (
    <>
      {children}
      {write.isError && (
        <div className={styles.forkSheetPart}>
          <ForkOfPart.Provider value={failedOn}>
            <FailureView error={write.error} />
          </ForkOfPart.Provider>
        </div>
      )}
      <div className={styles.forkSheetActions}>
        {dryRun.isError && <span className="dim">Not possible yet; see above.</span>}
        <Button variant="default" disabled={write.isPending} onClick={onClose}>
          {isEmpty ? 'Close' : 'Cancel'}
        </Button>
        <Button
          disabled={!writable || dryRun.isError || dryRun.isPending || isEmpty || isInvalid}
          loading={write.isPending}
          onClick={onWrite}
        >
          {action}
        </Button>
      </div>
    </>
  );
}

interface MergeOutcomeProps {
  readonly headline: ReactNode;
  /** What was written, and further remarks. */
  readonly children: ReactNode;
  readonly warnings: readonly Firing[];
  /** The fork that was written to. */
  readonly on: string;
  readonly next?: ReactNode;
  /** Just written: the button that wrote, and may have had the focus, was removed. */
  readonly isNew: boolean;
  readonly onClose: () => void;
}

export function MergeOutcome({ headline, children, warnings, on, next, isNew, onClose }: MergeOutcomeProps) {
  return (
    <div className={styles.forkSheetPart} role="status">
      <p className={styles.forkSheetVerdict}>
        <Glyph kind="good" />
        <span>{headline}</span>
      </p>
      {children}
      <ForkOfPart.Provider value={on}>
        <NewWarnings warnings={warnings} isSaved />
      </ForkOfPart.Provider>
      {next ?? <CloseButton isNew={isNew} onClose={onClose} />}
    </div>
  );
}

/** Shown instead of the preview: why it is missing. */
export function NoMerge({ children, onClose }: { readonly children: ReactNode; readonly onClose: () => void }) {
  return (
    <div className={styles.forkSheetPart} role="status">
      <p>{children}</p>
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}

/** Takes the focus that went with the button that wrote. */
export function CloseButton({ isNew, onClose }: { readonly isNew: boolean; readonly onClose: () => void }) {
  const close = useFocusIfLost(isNew);
  return (
    <Button variant="default" ref={close} onClick={onClose}>
      Close
    </Button>
  );
}
