/** The pane of the chosen step: what there is to know of it, the clause behind it, and the call that stored it. */

import type { ComponentProps, ReactNode } from 'react';
import { StepDetails } from '../../../domain/proof/step-details.js';
import { ClauseExcerpt } from './clause-excerpt.js';
import { StoredBy } from './stored-by.js';

interface ChosenStepProps extends ComponentProps<typeof StepDetails>, ComponentProps<typeof ClauseExcerpt> {
  /** Stands behind the details of the step. */
  readonly children?: ReactNode;
}

export function ChosenStep({ step, parents, others, hasSource = true, children, ...details }: ChosenStepProps) {
  return (
    <section className="pane" aria-label="Chosen step">
      <div className="pane-body details-body">
        <StepDetails step={step} hasSource={hasSource} {...details} />
        {children}
        <ClauseExcerpt step={step} parents={parents} others={others} hasSource={hasSource} />
        {step?.event !== undefined && <StoredBy event={step.event} />}
      </div>
    </section>
  );
}
