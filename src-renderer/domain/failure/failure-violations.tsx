/**
 * The violations of a refused request. They hold only in a state that was never saved, so their proofs come with the response or
 * not at all.
 */

import { Button } from '@mantine/core';
import { lazy, Suspense, useContext, useMemo, useState } from 'react';
import type { Explanation } from '../../../src-runtime/api/schemas/explanation-schemas.js';
import { type ApiFailure, explanationsOf, namesOf, violationsOf } from '../../model/facts/failure.js';
import { loadPart } from '../../server-state/load-part.js';
import { KnownLabels } from '../../ui/reference-label.js';
import { ViolationList } from '../proof/violation-list.js';
import { Repairs, ShownCall } from './repairs.js';

const FactExplanation = lazy(async () => ({
  default: (await loadPart(() => import('../proof/fact-explanation.js'))).FactExplanation,
}));

/**
 * Labels include individuals that the request would have created. The reason and the repairs of the only violation of a call are shown
 * at once.
 */
export function FailureViolations({ failure }: { failure: ApiFailure }) {
  const names = useMemo(() => namesOf(failure.details), [failure]);
  const explanations = useMemo(() => explanationsOf(failure), [failure]);
  const violations = violationsOf(failure);
  const isOpen = useContext(ShownCall) !== undefined && violations.length === 1;
  return (
    <KnownLabels value={names}>
      <ViolationList
        firings={violations}
        whyOf={(violation) => {
          const { check, tuple } = violation;
          const explanation = explanations.get(JSON.stringify([check, Object.values(tuple)]));
          return (
            <>
              <Repairs violation={violation} isOpen={isOpen} />
              {explanation && <Why explanation={explanation} isOpen={isOpen} />}
            </>
          );
        }}
      />
    </KnownLabels>
  );
}

function Why({ explanation, isOpen }: { readonly explanation: Explanation; readonly isOpen: boolean }) {
  const [open, setOpen] = useState(isOpen);
  return (
    <>
      <Button variant="subtle" size="compact-xs" aria-expanded={open} onClick={() => setOpen(!open)}>
        Why?
      </Button>
      {open && (
        <Suspense>
          <FactExplanation explanation={explanation} />
        </Suspense>
      )}
    </>
  );
}
