/** The outcome of an import of a large file, its buttons and its progress. */

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { numberText } from '../../../model/text/count-text.js';
import { saveFile } from '../../../state/save-file.js';
import { useStore } from '../../../state/store.js';
import { Glyph } from '../../../ui/glyph.js';
import styles from '../import.module.css';
import { importLarge, type LargeImport, type LargeRequest, largeFile, largeImport } from './large-file.js';

interface LargeImportProps {
  readonly request: LargeRequest;
  /** `into Room` */
  readonly destination: string;
  /** False, with a message elsewhere, if a required parameter has no column. */
  readonly onStart: () => boolean;
  /** Tries the first rows. */
  readonly onDryRun: () => void;
}

export function LargeImportView({ request, destination, onStart, onDryRun }: LargeImportProps) {
  const client = useQueryClient();
  const last = useStore(largeImport);
  const current = last?.file === request.file ? last : undefined;
  const isRunning = current?.state === 'running';
  const isStopped = useRef(false);
  const start = (): void => {
    if (!onStart()) return;
    isStopped.current = false;
    void importLarge(client, request, () => isStopped.current);
  };
  const isContinued =
    current !== undefined && current.state !== 'done' && current.from + (isRunning ? 0 : current.done) > 0;
  return (
    <>
      <div className={styles.importActions}>
        <Button variant="default" disabled={isRunning} onClick={onDryRun}>
          Dry run of the first rows
        </Button>
        <Button disabled={isRunning || current?.state === 'done'} onClick={start}>
          {isContinued ? 'Import the other rows' : 'Import all rows'} {destination}
        </Button>
        {isRunning && (
          <>
            <span className="dim numeric">{progressText(current)}</span>
            <Button
              variant="subtle"
              onClick={() => {
                isStopped.current = true;
              }}
            >
              Stop
            </Button>
          </>
        )}
      </div>
      <p className="dim">The file is imported in parts, each a transaction. Rejected rows are left out.</p>
    </>
  );
}

function progressText({ done, from, share, startedAt }: LargeImport): string {
  const seconds = (performance.now() - startedAt) / 1_000;
  const rate = Math.round((done - from) / Math.max(seconds, 0.001));
  const left = share > 0 ? Math.round((seconds * (1 - share)) / share) : undefined;
  const time = left === undefined ? '' : `, ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left`;
  return `${numberText(done)} rows, ${numberText(rate)} a second${time}`;
}

/** Above the form, where it is seen first, also by a user who was in other panels while the import ran. */
export function LargeOutcome() {
  const last = useStore(largeImport);
  const file = useStore(largeFile);
  const outcome = last !== undefined && last.file === file && last.state !== 'running' ? last : undefined;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (outcome !== undefined) section.current?.scrollIntoView({ block: 'nearest' });
  }, [outcome]);
  if (outcome === undefined) return null;
  const { state, imported, transactions, rejected, rejects, error, message } = outcome;
  return (
    <section aria-label="Outcome" className={clsx(styles.importOutcome, styles.importReport)} ref={section}>
      <p role="status" className={state === 'done' ? styles.importGood : undefined}>
        {state === 'done' && <Glyph kind="good" />} {numberText(imported)} {imported === 1 ? 'row' : 'rows'} imported in{' '}
        {numberText(transactions)} {transactions === 1 ? 'transaction' : 'transactions'}
        {state === 'stopped' && '. The next attempt continues after them.'}
      </p>
      {rejected > 0 && (
        <div className={styles.importActions}>
          <strong role="alert" className={styles.importWrong}>
            {numberText(rejected)} {rejected === 1 ? 'row was' : 'rows were'} rejected.
          </strong>
          <Button
            variant="default"
            onClick={() => saveFile(`rejected-${plainName(outcome.file.name)}`, rejects, 'text/csv')}
          >
            Save rejected rows
          </Button>
          <span className="dim">Each has its reason. Correct them and import that file.</span>
        </div>
      )}
      {message !== undefined && (
        <p className={styles.importWrong} role="alert">
          {message}
        </p>
      )}
      {error !== undefined && <FailureView error={error} />}
    </section>
  );
}

/** The saved file is not compressed. */
function plainName(name: string): string {
  return name.replace(/\.gz$/i, '');
}
