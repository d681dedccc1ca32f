/**
 * The violations of a refused request. They hold only in a state that was never saved, so their proofs come with the response or
 * not at all.
 */

import { Button } from '@mantine/core';
import { createContext, lazy, type ReactNode, Suspense, useContext, useMemo, useState } from 'react';
import type { Explanation } from '../../../src-runtime/api/schemas/explanation-schemas.js';
import type { Firing } from '../../../src-runtime/api/schemas/schemas.js';
import { type ApiFailure, explanationsOf, namesOf, requirementOf, violationsOf } from '../../model/facts/failure.js';
import { loadPart } from '../../server-state/load-part.js';
import { KnownLabels } from '../../ui/reference-label.js';
import { ViolationList } from '../proof/violation-list.js';

const FactExplanation = lazy(async () => ({
  default: (await loadPart(() => import('../proof/fact-explanation.js'))).FactExplanation,
}));

export interface ShownRepairs {
  readonly violation: Firing;
  readonly isOpen: boolean;
  readonly isRequirement: boolean;
}

/** Renders what would let the shown call pass, if that can be repeated on a fork. */
export const RepairsOf = createContext<((shown: ShownRepairs) => ReactNode) | undefined>(undefined);

/**
 * Labels include individuals that the request would have created. The reason and the repairs of the only violation of a call are shown
 * at once.
 */
export function FailureViolations({ failure }: { failure: ApiFailure }) {
  const names = useMemo(() => namesOf(failure.details), [failure]);
  const explanations = useMemo(() => explanationsOf(failure), [failure]);
  const violations = violationsOf(failure);
  const repairsOf = useContext(RepairsOf);
  const isOpen = repairsOf !== undefined && violations.length === 1;
  return (
    <KnownLabels value={names}>
      <ViolationList
        firings={violations}
        whyOf={(violation) => {
          const { check, tuple } = violation;
          const explanation = explanations.get(JSON.stringify([check, Object.values(tuple)]));
          return (
            <>
              {repairsOf?.({ violation, isOpen, isRequirement: requirementOf(failure) !== undefined })}
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
