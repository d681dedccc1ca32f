/** Says that the current fork is a trial, with buttons to go back, to promote it and to discard it. */

import { Button } from '@mantine/core';
import { type RefObject, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { currentFork } from '../../model/calls/place.js';
import { promoteLocation } from '../../model/facts/locations.js';
import { useClosedFork } from '../../server-state/forks.js';
import { useStore } from '../../state/store.js';
import { Glyph } from '../../ui/glyph.js';
import { focusMainPartIfLost, MAIN_PART_ID } from '../../ui/lost-focus.js';
import { FailureView } from '../failure/failure-view.js';
import { goBackFrom, hasJustBegun, useDiscardTrial, useDropClosedTrials, useTrial } from '../proof/trial.js';
import { ForkName, ToFork } from './fork-name.js';

interface TrialNoticeProps {
  /** The fact that is explained beside it. */
  readonly about?: { readonly relation: string; readonly tuple: readonly JsonValue[] };
}

export function TrialNotice({ about }: TrialNoticeProps) {
  useDropClosedTrials();
  const trial = useTrial();
  const fork = useStore(currentFork);
  const discard = useDiscardTrial();
  const isClosed = useClosedFork() !== undefined;
  // A closed fork has its own notice.
  const isShown = trial !== undefined && !isClosed;
  const back = useFocusOfTrial(isShown);
  if (!isShown) return null;
  const same =
    about !== undefined &&
    trial.relation === about.relation &&
    JSON.stringify(trial.tuple) === JSON.stringify(about.tuple);
  const changes = trial.changes === 1 ? '1 change' : `${trial.changes} changes`;
  return (
    <section className="notice notice-line" aria-label="Trial">
      <Glyph kind="changed" />
      <div className="notice-body">
        {same ? (trial.ends === true ? 'False' : 'True') : 'Trial'} on fork{' '}
        <strong>
          <ForkName id={fork} />
        </strong>
        , with {changes}
        {trial.call !== undefined && ` and ${trial.call}`}. <ForkName id={trial.from} /> is unchanged.
        {discard.isError && <FailureView error={discard.error} />}
      </div>
      <Button variant="subtle" size="compact-xs" loading={discard.isPending} onClick={() => discard.mutate()}>
        Discard fork
      </Button>
      <Button ref={back} variant="default" size="compact-xs" onClick={() => goBackFrom(trial)}>
        <ToFork id={trial.from}>Back to</ToFork>
      </Button>
      <Button component={Link} variant="default" size="compact-xs" to={promoteLocation(fork)}>
        Promote…
      </Button>
    </section>
  );
}

/** Focuses the way back when a trial starts, and the panel when it ends, because the pressed button is gone. */
function useFocusOfTrial(isShown: boolean): RefObject<HTMLButtonElement | null> {
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // A browser takes the focus from a busy button, with a delay.
    const isLost = document.activeElement?.matches(`body, :disabled, #${MAIN_PART_ID}`) !== false;
    if (isShown && isLost && hasJustBegun(currentFork.get())) back.current?.focus();
  });
  useEffect(() => (isShown ? () => focusMainPartIfLost() : undefined), [isShown]);
  return back;
}
