/** An address may bring the steps of a batch: they are put back to be worked on, and the address goes on without them. */

import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { readBatchBody, STEPS_PARAMETER } from '../data/batch-body.js';
import type { BatchSteps } from '../data/calls.js';
import { batchLocation } from '../data/locations.js';
import { currentFork } from '../data/place.js';
import { escapedValue } from '../data/variables.js';
import type { useRestore } from './use-restore.js';

export function useStepsOfAddress(restore: ReturnType<typeof useRestore>): void {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const text = search.get(STEPS_PARAMETER);
  useEffect(() => {
    if (text === null) return;
    const steps = stepsIn(text);
    if (steps === undefined) void navigate(batchLocation(), { replace: true });
    else
      restore(
        { request: { kind: 'batch', steps }, context: {}, fork: currentFork.get(), dryRun: false },
        undefined,
        true,
      );
  }, [text, restore, navigate]);
}

/** What was sent once is sent again as it was: braces in it name no variable. */
function stepsIn(text: string): BatchSteps | undefined {
  try {
    const read = readBatchBody({ steps: JSON.parse(text) });
    if ('problem' in read) return undefined;
    return read.steps.map((step) => ({ ...step, args: escapedValue(step.args ?? {}) as Record<string, JsonValue> }));
  } catch {
    return undefined;
  }
}
