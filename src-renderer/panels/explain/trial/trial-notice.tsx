/** Says that the page is on a fork where something is tried out, and leads back. */

import { Button } from '@mantine/core';
import { type RefObject, useEffect, useRef } from 'react';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { useClosedFork } from '../../../domain/fork/closed-fork-notice.js';
import { ForkName, ToFork } from '../../../domain/fork/fork-name.js';
import { currentFork } from '../../../model/calls/place.js';
import { useStore } from '../../../state/store.js';
import { Glyph } from '../../../ui/glyph.js';
import { focusMainPartIfLost, MAIN_PART_ID } from '../../../ui/lost-focus.js';
import { hasJustBegun, leaveTrial, useDiscardTrial, useForgetClosedTrials, useTrial } from './trial.js';

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
  const isShown = trial !== undefined && !isClosed;
  const back = useFocusOfTrial(isShown);
  if (!isShown) return null;
  const same = trial.relation === relation && JSON.stringify(trial.tuple) === JSON.stringify(tuple);
  const changes = trial.changes === 1 ? '1 change' : `${trial.changes} changes`;
  return (
    <section className="notice trial-notice" aria-label="Trial">
      <Glyph kind="changed" />
      <div className="notice-body">
        {same ? (trial.ends === true ? 'False' : 'True') : 'Trial'} on fork{' '}
        <strong>
          <ForkName id={fork} />
        </strong>
        , with {changes}. <ForkName id={trial.from} /> is unchanged.
        {discard.isError && <FailureView error={discard.error} />}
      </div>
      <Button ref={back} variant="default" size="compact-xs" onClick={() => leaveTrial(trial)}>
        <ToFork id={trial.from}>Back to</ToFork>
      </Button>
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        loading={discard.isPending}
        onClick={() => discard.mutate()}
      >
        Discard fork
      </Button>
    </section>
  );
}

/** The button that began or ended the trial goes with it: the way back has the focus then, or the panel. */
function useFocusOfTrial(isShown: boolean): RefObject<HTMLButtonElement | null> {
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // A browser takes the focus from a button that is busy, though not at once.
    const isLost = document.activeElement?.matches(`body, :disabled, #${MAIN_PART_ID}`) !== false;
    if (isShown && isLost && hasJustBegun(currentFork.get())) back.current?.focus();
  });
  useEffect(() => (isShown ? () => focusMainPartIfLost() : undefined), [isShown]);
  return back;
}
