/**
 * The violations of a refused request. They hold only in a state that was never saved, so their proofs come with the response or
 * not at all.
 */

import { Button } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { Explanation } from '../../../src-runtime/api/schemas/explanation-schemas.js';
import { type ApiFailure, explanationsOf, namesOf, violationsOf } from '../../model/facts/failure.js';
import { loadPart } from '../../server-state/load-part.js';
import { KnownLabels } from '../../ui/reference-label.js';
import { ViolationList } from '../proof/violation-list.js';

const FactExplanation = lazy(async () => ({
  default: (await loadPart(() => import('../proof/fact-explanation.js'))).FactExplanation,
}));

/** Labels include individuals that the request would have created. */
export function FailureViolations({ failure }: { failure: ApiFailure }) {
  const names = useMemo(() => namesOf(failure.details), [failure]);
  const explanations = useMemo(() => explanationsOf(failure), [failure]);
  return (
    <KnownLabels value={names}>
      <ViolationList
        firings={violationsOf(failure)}
        whyOf={({ check, tuple }) => {
          const explanation = explanations.get(JSON.stringify([check, Object.values(tuple)]));
          return explanation && <Why explanation={explanation} />;
        }}
      />
    </KnownLabels>
  );
}

function Why({ explanation }: { explanation: Explanation }) {
  const [open, setOpen] = useState(false);
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
