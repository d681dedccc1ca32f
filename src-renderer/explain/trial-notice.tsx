/** Says that the page is on a fork where something is tried out, and leads back. */

import { Button } from '@mantine/core';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { FailureView } from '../components/failure-view.js';
import { Glyph } from '../components/glyph.js';
import { currentFork } from '../data/place.js';
import { useStore } from '../data/store.js';
import { useClosedFork } from './closed-fork-notice.js';
import { leaveTrial, useDiscardTrial, useForgetClosedTrials, useTrial } from './trial.js';

interface TrialNoticeProps {
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
}

export function TrialNotice({ relation, tuple }: TrialNoticeProps) {
  useForgetClosedTrials();
  const trial = useTrial();
  const fork = useStore(currentFork);
  const discard = useDiscardTrial();
  const isClosed = useClosedFork() !== undefined;
  // There is nothing to discard any more, and what became of the fork is said beside.
  if (trial === undefined || isClosed) return null;
  const same = trial.relation === relation && JSON.stringify(trial.tuple) === JSON.stringify(tuple);
  const changes = trial.changes === 1 ? 'one change' : `${trial.changes} changes`;
  return (
    <section className="notice trial-notice" aria-label="Trial">
      <Glyph kind="changed" />
      <div className="notice-body">
        On the fork <strong>{fork}</strong>{' '}
        {same ? `this holds by ${changes}` : `${changes} ${trial.changes === 1 ? 'was' : 'were'} tried out`}. Nothing in{' '}
        {trial.from} has changed.
        {discard.isError && <FailureView error={discard.error} />}
      </div>
      <Button variant="default" size="compact-xs" onClick={() => leaveTrial(trial)}>
        Back to {trial.from}
      </Button>
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        loading={discard.isPending}
        onClick={() => discard.mutate()}
      >
        Discard the fork
      </Button>
    </section>
  );
}
