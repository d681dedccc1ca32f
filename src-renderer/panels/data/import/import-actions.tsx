/** The buttons of an import, its progress, and the rows that it leaves out. */

import { Button } from '@mantine/core';
import { usePastReason } from '../../../model/calls/place.js';
import { numberText } from '../../../model/text/count-text.js';
import styles from '../import.module.css';
import type { SentRows } from './import-model.js';
import type { ImportOutcome } from './use-import.js';

interface ImportActionsProps {
  readonly sent: SentRows;
  /** `into Room` */
  readonly destination: string;
  /** Exactly these rows passed a dry run. */
  readonly isTried: boolean;
  readonly outcome: ImportOutcome;
  readonly onRun: (dryRun: boolean) => void;
  readonly onCancel: () => void;
  /** Number of rows. */
  readonly leftOut: number;
  readonly onTakeIn: () => void;
  /** Number of rows that are already saved. */
  readonly kept: number;
  readonly onClearSaved: () => void;
}

export function ImportActions(props: ImportActionsProps) {
  const { sent, destination, isTried, outcome, onRun, onCancel, leftOut, onTakeIn, kept, onClearSaved } = props;
  const isRunning = outcome.state === 'running';
  const past = usePastReason();
  const isBlocked = sent.rows.length === 0 || isRunning || past !== undefined;
  return (
    <div className={styles.importActions}>
      <Button variant={isTried ? 'default' : 'filled'} disabled={isBlocked} title={past} onClick={() => onRun(true)}>
        Dry run
      </Button>
      <Button variant={isTried ? 'filled' : 'default'} disabled={isBlocked} title={past} onClick={() => onRun(false)}>
        Import {rowsText(sent.rows.length)} {destination}
      </Button>
      {leftOut > 0 && (
        <>
          <span role="status" className="dim">
            {rowsText(leftOut)} skipped
          </span>
          <Button variant="subtle" disabled={isRunning} onClick={onTakeIn}>
            Include {leftOut === 1 ? 'it' : 'them'} again
          </Button>
        </>
      )}
      {kept > 0 && !isRunning && (
        <>
          <span className="dim">{rowsText(kept)} already imported</span>
          <Button variant="subtle" onClick={onClearSaved}>
            Import again
          </Button>
        </>
      )}
      {isRunning && (
        <>
          <span role="status" className="dim">
            {outcome.dryRun ? 'Running dry run…' : 'Importing…'}
            {outcome.kept > 0 && ` ${rowsText(outcome.kept)} imported`}
          </span>
          <Button variant="subtle" onClick={onCancel}>
            Cancel
          </Button>
        </>
      )}
    </div>
  );
}

function rowsText(count: number): string {
  return `${numberText(count)} ${count === 1 ? 'row' : 'rows'}`;
}
