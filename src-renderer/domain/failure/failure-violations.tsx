/** What a request was refused for. It holds in a state that is never kept, so that the proof comes with the refusal or not at all. */

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

/** About individuals that there are and that there would have been. */
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
