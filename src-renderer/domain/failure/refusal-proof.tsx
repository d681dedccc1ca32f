/** Explains a refusal without a stored proof: repeats the request as a dry run with proofs. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Firing } from '../../../src-runtime/api/schemas/schemas.js';
import { optionsAt, usePlace } from '../../model/calls/place.js';
import {
  type ApiFailure,
  explanationsOf,
  failureOf,
  namesOf,
  requirementOf,
  violationsOf,
} from '../../model/facts/failure.js';
import { loadPart } from '../../server-state/load-part.js';
import { KnownLabels } from '../../ui/reference-label.js';
import type { RefusedCall } from '../proof/trial.js';
import { FailureView } from './failure-view.js';
import { Repairs } from './repairs.js';
import { LoadingRows } from './states.js';

const FactExplanation = lazy(async () => ({
  default: (await loadPart(() => import('../proof/fact-explanation.js'))).FactExplanation,
}));

type TryOptions = ReturnType<typeof optionsAt> & { readonly dryRun: true; readonly explain: true };

interface RefusalProofProps {
  /** Cache key of the request. */
  readonly what: readonly unknown[];
  readonly attempt: (options: TryOptions) => Promise<unknown>;
  /** With it, repairs are shown too. */
  readonly call?: RefusedCall;
  /** The violation to prove; all by default. */
  readonly violation?: Pick<Firing, 'check' | 'tuple'>;
}

export function RefusalProof(props: RefusalProofProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="subtle" size="compact-xs" aria-expanded={open} onClick={() => setOpen(!open)}>
        Why?
      </Button>
      {open && <Proofs {...props} />}
    </>
  );
}

function Proofs({ what, attempt, call, violation }: RefusalProofProps) {
  const place = usePlace();
  const refusal = useQuery({
    queryKey: ['facts', 'refusal', what, place],
    queryFn: ({ signal }) => refusalOf(() => attempt({ ...optionsAt(place, signal), dryRun: true, explain: true })),
    retry: false,
  });
  if (refusal.isPending) return <LoadingRows rows={2} />;
  if (refusal.isError) return <FailureView error={refusal.error} />;
  if (refusal.data === null) return <p className="dim">It would succeed now.</p>;
  const key = violation && JSON.stringify([violation.check, Object.values(violation.tuple)]);
  const proofs = [...explanationsOf(refusal.data)].filter(([each]) => key === undefined || each === key);
  const violations = violationsOf(refusal.data);
  const requirement = requirementOf(refusal.data);
  if (proofs.length === 0 && requirement === undefined)
    return <p className="dim">No proof. Only the first ten are proved, within the time limit.</p>;
  return (
    <KnownLabels value={namesOf(refusal.data.details)}>
      {requirement !== undefined && (
        <p>
          It requires <span className="mono">{requirement}</span>.
        </p>
      )}
      <Suspense>
        {proofs.map(([each, explanation]) => (
          <FactExplanation key={each} explanation={explanation} />
        ))}
      </Suspense>
      {call !== undefined &&
        violations.map((each) => (
          <Repairs
            key={JSON.stringify([each.check, each.tuple])}
            violation={each}
            call={call}
            isOpen={violations.length === 1}
            isRequirement={requirement !== undefined}
          />
        ))}
    </KnownLabels>
  );
}

/** The refusal, or null if the request would succeed now. */
async function refusalOf(attempt: () => Promise<unknown>): Promise<ApiFailure | null> {
  try {
    await attempt();
    return null;
  } catch (error) {
    const failure = failureOf(error);
    if (failure?.code !== 'SVC_RUNTIME_CHECK_VIOLATION') throw error;
    return failure;
  }
}
