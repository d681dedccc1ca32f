/** The pane of the chosen step: what there is to know of it, the clause behind it, and the call that stored it. */

import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import type { WireEvent } from '../../../../src-runtime/api/schemas/schemas.js';
import { TransactionView } from '../../../domain/calls/transaction-view.js';
import { StepDetails } from '../../../domain/proof/step-details.js';
import { usePlace } from '../../../model/calls/place.js';
import { looksLikeReference } from '../../../model/facts/labels.js';
import { historyOfLocation } from '../../../model/facts/locations.js';
import { ClauseExcerpt } from './clause-excerpt.js';

interface ChosenStepProps extends ComponentProps<typeof StepDetails>, ComponentProps<typeof ClauseExcerpt> {
  /** Stands behind the details of the step. */
  readonly children?: ReactNode;
}

export function ChosenStep({ step, parents, others, hasSource = true, children, ...details }: ChosenStepProps) {
  return (
    <section className="pane" aria-label="Selected step">
      <div className="pane-body details-body">
        <StepDetails step={step} hasSource={hasSource} {...details} />
        {children}
        <ClauseExcerpt step={step} parents={parents} others={others} hasSource={hasSource} />
        {step?.event !== undefined && <StoredBy event={step.event} />}
      </div>
    </section>
  );
}

/** Beside a stored step: what stored it, when and for whom, all that was written with it, and the way to what was there before. */
function StoredBy({ event }: { event: WireEvent }) {
  const { fork } = usePlace();
  const { about, changed, words } = historyOf(event);
  return (
    <section className="excerpt" aria-label="Stored by">
      <TransactionView txn={event.txn} marked={event.seq}>
        <p className="transaction-head">
          <Link className="link" to={historyOfLocation(fork, about, changed)}>
            {words}
          </Link>
        </p>
      </TransactionView>
    </section>
  );
}

/** Of a value, what the field held before; of a fact, others of its relation that are about the same individual. */
function historyOf({ id, field, relation, tuple = [] }: WireEvent): {
  readonly about: string | undefined;
  readonly changed: string | undefined;
  readonly words: string;
} {
  if (field !== undefined) return { about: id, changed: field, words: 'All earlier values' };
  if (relation === undefined) return { about: id, changed: undefined, words: 'All its changes' };
  const about = tuple.find((value) => looksLikeReference(value));
  return {
    about: about === undefined ? undefined : String(about),
    changed: relation,
    words: 'All changes of this relation',
  };
}
