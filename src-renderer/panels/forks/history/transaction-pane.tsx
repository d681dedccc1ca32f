/** The selected transaction of a history: its cause, effects and events, and what can be done with it. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { useContext, useMemo } from 'react';
import type { ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { ListedTransaction } from '../../../../src-runtime/api/schemas/schemas.js';
import { EffectsView } from '../../../domain/calls/effects-view.js';
import { TransactionView } from '../../../domain/calls/transaction-view.js';
import { LoadFailure, LoadingRows } from '../../../domain/failure/states.js';
import { readMoment } from '../../../domain/past/use-moments.js';
import { pastReason, usePlace } from '../../../model/calls/place.js';
import { idLabel } from '../../../model/facts/labels.js';
import { namesOfEffects } from '../../../model/sentences/effects-model.js';
import { useTransactionEffects } from '../../../server-state/facts.js';
import { useForkNames } from '../../../server-state/forks.js';
import { KnownLabels, useLabels } from '../../../ui/reference-label.js';
import { SHEET_BUTTONS } from '../fork-header.js';
import { transactionText } from '../fork-suggestion.js';
import { newForkDraft } from '../new-fork-form.js';
import type { ForkSheet, ForksAddress } from '../panel-address.js';
import { useForksGranted, useForksWritable } from '../use-fork-actions.js';
import styles from './history-view.module.css';

const NO_EFFECTS = { facts: [] };

interface TransactionProps {
  readonly fork: ForkInfo;
  readonly schema: ServedSchema;
  readonly address: ForksAddress;
  readonly change: (change: Partial<ForksAddress>) => void;
  readonly txn: number;
  /** Its row in the list, if that is loaded. */
  readonly row: ListedTransaction | undefined;
}

/** Individuals that were deleted later keep the names that they had then. */
export function Transaction({ txn, schema, ...rest }: TransactionProps) {
  const effects = useTransactionEffects(txn, usePlace());
  const names = useMemo(() => namesOfEffects(schema, effects.data ?? NO_EFFECTS), [schema, effects.data]);
  return (
    <section className={clsx('pane', styles.historyTransaction)} aria-label={`Transaction ${txn}`}>
      <KnownLabels value={names}>
        <TransactionView txn={txn}>
          <Actions txn={txn} {...rest} />
          {effects.isPending && <LoadingRows rows={3} />}
          {effects.isError && <LoadFailure error={effects.error} onRetry={() => void effects.refetch()} />}
          {effects.data !== undefined && <EffectsView effects={effects.data} schema={schema} isSaved txn={txn} />}
          <h3 className={styles.historyEvents}>Change log</h3>
        </TransactionView>
      </KnownLabels>
    </section>
  );
}

function Actions({ txn, row, fork, address, change }: Omit<TransactionProps, 'schema'>) {
  const known = useContext(KnownLabels);
  const labels = useLabels();
  const nameOf = useForkNames();
  const granted = useForksGranted();
  const writable = useForksWritable();
  const isOpen = fork.status === 'open';
  const opening = (sheet: ForkSheet) => ({
    id: SHEET_BUTTONS[sheet],
    disabled: !writable,
    title: pastReason(),
    'aria-expanded': address.sheet === sheet,
    // A proof may be on another fork and switch the page to it. The sheet stays with this fork.
    onClick: () => change({ show: fork.id, txn, sheet: address.sheet === sheet ? undefined : sheet, of: undefined }),
  });
  return (
    <div className={styles.historyActions}>
      {isOpen && (
        <Button variant="default" size="compact-xs" {...opening('undo-transaction')}>
          Revert…
        </Button>
      )}
      <Button variant="default" size="compact-xs" {...opening('pick')}>
        Cherry-pick…
      </Button>
      <Button variant="default" size="compact-xs" onClick={() => readMoment(txn, undefined)}>
        Read as of here
      </Button>
      {isOpen && (
        <Button
          variant="default"
          size="compact-xs"
          disabled={!granted}
          onClick={() =>
            newForkDraft.update((draft) => ({
              ...draft,
              open: true,
              from: fork.id,
              asOf: txn,
              deed:
                row === undefined
                  ? ''
                  : transactionText(row, (id) => known.get(id) ?? labels.get(id) ?? idLabel(id), nameOf),
              name: null,
              label: null,
            }))
          }
        >
          New fork as of here
        </Button>
      )}
    </div>
  );
}
