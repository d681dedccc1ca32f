/** What checks say about a merge before it is written, and what it would write. */

import { Button, Loader } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { Firing, WireEvent } from '../../../../src-runtime/api/schemas/schemas.js';
import { EventList } from '../../../domain/calls/event-words.js';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { FailureViolations } from '../../../domain/failure/failure-violations.js';
import { ForkName } from '../../../domain/fork/fork-name.js';
import { ViolationList, type ViolationListProps } from '../../../domain/proof/violation-list.js';
import { ForkOfPart } from '../../../model/calls/place.js';
import { failureOf, violationsOf } from '../../../model/facts/failure.js';
import { Glyph } from '../../../ui/glyph.js';
import { usePortion } from '../../../ui/use-portion.js';
import { lostIn } from '../compare/use-comparison.js';
import { eventsText } from '../fork-words.js';
import forksStyles from '../forks.module.css';
import styles from './merge-sheet.module.css';

interface VerdictProps {
  readonly dryRun: UseQueryResult<{ readonly warnings: readonly Firing[] }>;
  /** The fork whose checks are evaluated. */
  readonly checkedOn: string;
  /** Where a violation can be fixed. */
  readonly fixOn: string;
  /** The fork that violations do not keep out yet, because the merge writes to a new fork. Undefined if they refuse the merge. */
  readonly laterOn?: string;
  /** The merge, for proofs of violations that it would add. */
  readonly tried: string | undefined;
  /** Shows the transaction that refers to something the target has lost. */
  readonly onTransaction?: (txn: number) => void;
}

export function Verdict(props: VerdictProps) {
  const { dryRun, checkedOn, laterOn, tried } = props;
  const { data, error } = dryRun;
  if (error !== null) {
    return (
      <section className={styles.forkSheetPart} aria-label="Checks">
        <Refusal {...props} error={error} />
      </section>
    );
  }
  if (data === undefined) {
    return (
      <p className={clsx(styles.forkSheetPart, styles.forkSheetVerdict)} role="status">
        <Loader size="xs" /> Computing the preview…
      </p>
    );
  }
  const violations = data.warnings.filter(({ severity }) => severity === 'blocking');
  const warnings = data.warnings.filter(({ severity }) => severity === 'warning');
  return (
    <section className={styles.forkSheetPart} aria-label="Checks">
      <p className={styles.forkSheetVerdict} role="status">
        <Glyph kind={violations.length === 0 ? 'good' : 'blocking'} />
        {violations.length === 0 ? 'All blocking checks pass' : countText(violations.length, 'new violation')}
      </p>
      {violations.length > 0 && laterOn !== undefined && (
        <>
          <ViolationList firings={violations} first={FIRST_SHOWN} tried={tried} askedOn={checkedOn} />
          <p className="dim">
            A fork may have violations. Fix them before you promote it to <ForkName id={laterOn} />.
          </p>
        </>
      )}
      <NewWarnings warnings={warnings} tried={tried} askedOn={checkedOn} />
    </section>
  );
}

function Refusal({ dryRun, checkedOn, fixOn, onTransaction, error }: VerdictProps & { readonly error: unknown }) {
  const failure = failureOf(error);
  const violations = failure?.code === 'SVC_RUNTIME_CHECK_VIOLATION' ? violationsOf(failure) : [];
  const lostTxn = lostIn(error);
  return (
    <>
      {failure === undefined || violations.length === 0 ? (
        <FailureView error={error} />
      ) : (
        <>
          <p className={styles.forkSheetVerdict} role="alert">
            <Glyph kind="blocking" />
            Blocked by {violations.length === 1 ? 'a check' : countText(violations.length, 'new violation')}
          </p>
          <ForkOfPart.Provider value={checkedOn}>
            <FailureViolations failure={failure} />
          </ForkOfPart.Provider>
          <p className="dim">
            Fix this on <ForkName id={fixOn} />. The preview updates automatically.
          </p>
        </>
      )}
      <div className={forksStyles.forkFormActions}>
        <Button variant="default" size="compact-xs" loading={dryRun.isFetching} onClick={() => void dryRun.refetch()}>
          Try again
        </Button>
        {lostTxn !== undefined && onTransaction !== undefined && (
          <Button variant="default" size="compact-xs" onClick={() => onTransaction(lostTxn)}>
            Show in history
          </Button>
        )}
      </div>
    </>
  );
}

/** The rest of the sheet has to stay visible. */
const FIRST_SHOWN = 3;

interface NewWarningsProps extends Pick<ViolationListProps, 'isSaved' | 'tried' | 'askedOn'> {
  readonly warnings: readonly Firing[];
}

/** Before or after the merge is written. */
export function NewWarnings({ warnings, ...proven }: NewWarningsProps) {
  if (warnings.length === 0) return null;
  return (
    <>
      <h3>{countText(warnings.length, 'new warning')}</h3>
      <ViolationList firings={warnings} first={FIRST_SHOWN} {...proven} />
    </>
  );
}

/** In place of a verdict, or below it. */
export function NothingToWrite({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles.forkSheetPart} role="status">
      No changes to write. {children}
    </p>
  );
}

/** The comparison beside the sheet shows what the events change. */
export function WrittenEvents({ events }: { readonly events: readonly WireEvent[] | undefined }) {
  const { shown, more } = usePortion(events ?? []);
  if (events === undefined || events.length === 0) return null;
  return (
    <details className={clsx(styles.forkSheetPart, styles.forkSheetEvents)}>
      <summary>{eventsText(events.length)} would be written</summary>
      <EventList events={shown} />
      {more}
    </details>
  );
}

function countText(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
