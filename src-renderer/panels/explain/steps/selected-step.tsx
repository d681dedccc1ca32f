/** The details of the selected step, its clause, and the call that stored it. */

import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import type { WireEvent } from '../../../../src-runtime/api/schemas/schemas.js';
import { TransactionView } from '../../../domain/calls/transaction-view.js';
import transactionViewStyles from '../../../domain/calls/transaction-view.module.css';
import { StepDetails } from '../../../domain/proof/step-details.js';
import { usePlace } from '../../../model/calls/place.js';
import { looksLikeReference } from '../../../model/facts/labels.js';
import { historyOfLocation } from '../../../model/facts/locations.js';
import styles from '../explain.module.css';
import { ClauseExcerpt } from './clause-excerpt.js';

interface SelectedStepProps extends ComponentProps<typeof StepDetails>, ComponentProps<typeof ClauseExcerpt> {
  /** Shown after the details. */
  readonly children?: ReactNode;
}

export function SelectedStep({ step, parents, others, hasSource = true, children, ...details }: SelectedStepProps) {
  return (
    <section className="pane" aria-label="Selected step">
      <div className={clsx('pane-body', styles.detailsBody)}>
        <StepDetails step={step} hasSource={hasSource} {...details} />
        {children}
        <ClauseExcerpt step={step} parents={parents} others={others} hasSource={hasSource} />
        {step?.event !== undefined && <StoredBy event={step.event} />}
      </div>
    </section>
  );
}

/** The transaction that stored the fact, and a link to its history. */
function StoredBy({ event }: { event: WireEvent }) {
  const { fork } = usePlace();
  const { about, changed, text } = historyOf(event);
  return (
    <section className={styles.excerpt} aria-label="Stored by">
      <TransactionView txn={event.txn} marked={event.seq}>
        <p className={transactionViewStyles.transactionHead}>
          <Link className="link" to={historyOfLocation(fork, about, changed)}>
            {text}
          </Link>
        </p>
      </TransactionView>
    </section>
  );
}

/** For a value, earlier values of the field. For a fact, changes of its relation about the same individual. */
function historyOf({ id, field, relation, tuple = [] }: WireEvent): {
  readonly about: string | undefined;
  readonly changed: string | undefined;
  readonly text: string;
} {
  if (field !== undefined) return { about: id, changed: field, text: 'All earlier values' };
  if (relation === undefined) return { about: id, changed: undefined, text: 'All its changes' };
  const about = tuple.find((value) => looksLikeReference(value));
  return {
    about: about === undefined ? undefined : String(about),
    changed: relation,
    text: 'All changes of this relation',
  };
}
