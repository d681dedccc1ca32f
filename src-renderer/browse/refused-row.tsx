/** Why checks refuse a row of an import: it is tried once more behind the rows before it, and the refusal proved where it is told. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { ImportRequest } from '../../src-runtime/api/import-schemas.js';
import { FailureView } from '../components/failure-view.js';
import { KnownLabels } from '../components/reference-label.js';
import { LoadingRows } from '../components/states.js';
import { api } from '../data/api.js';
import { type ApiFailure, explanationsOf, failureOf, namesOf } from '../data/failure.js';
import { loadPart } from '../data/load-part.js';
import { optionsAt, usePlace } from '../data/place.js';

const FactExplanation = lazy(async () => ({
  default: (await loadPart(() => import('../components/fact-explanation.js'))).FactExplanation,
}));

export function RefusedRow({ body }: { body: ImportRequest }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="subtle" size="compact-xs" aria-expanded={open} onClick={() => setOpen(!open)}>
        Why?
      </Button>
      {open && <Proofs body={body} />}
    </>
  );
}

function Proofs({ body }: { body: ImportRequest }) {
  const place = usePlace();
  const refusal = useQuery({
    queryKey: ['facts', 'refused-row', body, place],
    queryFn: ({ signal }) => refusalOf(body, { ...optionsAt(place, signal), dryRun: true, explain: true }),
    retry: false,
  });
  if (refusal.isPending) return <LoadingRows rows={2} />;
  if (refusal.isError) return <FailureView error={refusal.error} />;
  if (refusal.data === null) return <p className="dim">It would be taken now.</p>;
  const proofs = [...explanationsOf(refusal.data)];
  if (proofs.length === 0) return <p className="dim">The time was not enough for its proof.</p>;
  return (
    <KnownLabels value={namesOf(refusal.data.details)}>
      <Suspense>
        {proofs.map(([key, explanation]) => (
          <FactExplanation key={key} explanation={explanation} />
        ))}
      </Suspense>
    </KnownLabels>
  );
}

/** What checks refuse it for; null where they do not any more. */
async function refusalOf(body: ImportRequest, options: Parameters<typeof api.import>[1]): Promise<ApiFailure | null> {
  try {
    await api.import(body, options);
    return null;
  } catch (error) {
    const failure = failureOf(error);
    if (failure?.code !== 'SVC_RUNTIME_CHECK_VIOLATION') throw error;
    return failure;
  }
}
