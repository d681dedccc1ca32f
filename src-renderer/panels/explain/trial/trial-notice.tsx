/** Says that the current fork is a trial, with buttons to go back and to discard it. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { type RefObject, useEffect, useRef } from 'react';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { useClosedFork } from '../../../domain/fork/closed-fork-notice.js';
import { ForkName, ToFork } from '../../../domain/fork/fork-name.js';
import { currentFork } from '../../../model/calls/place.js';
import { useStore } from '../../../state/store.js';
import { Glyph } from '../../../ui/glyph.js';
import { focusMainPartIfLost, MAIN_PART_ID } from '../../../ui/lost-focus.js';
import styles from '../explain.module.css';
import { goBackFrom, hasJustBegun, useDiscardTrial, useDropClosedTrials, useTrial } from './trial.js';

interface TrialNoticeProps {
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
}

export function TrialNotice({ relation, tuple }: TrialNoticeProps) {
  useDropClosedTrials();
  const trial = useTrial();
  const fork = useStore(currentFork);
  const discard = useDiscardTrial();
  const isClosed = useClosedFork() !== undefined;
  // A closed fork has its own notice.
  const isShown = trial !== undefined && !isClosed;
  const back = useFocusOfTrial(isShown);
  if (!isShown) return null;
  const same = trial.relation === relation && JSON.stringify(trial.tuple) === JSON.stringify(tuple);
  const changes = trial.changes === 1 ? '1 change' : `${trial.changes} changes`;
  return (
    <section className={clsx('notice', styles.trialNotice)} aria-label="Trial">
      <Glyph kind="changed" />
      <div className="notice-body">
        {same ? (trial.ends === true ? 'False' : 'True') : 'Trial'} on fork{' '}
        <strong>
          <ForkName id={fork} />
        </strong>
        , with {changes}. <ForkName id={trial.from} /> is unchanged.
        {discard.isError && <FailureView error={discard.error} />}
      </div>
      <Button ref={back} variant="default" size="compact-xs" onClick={() => goBackFrom(trial)}>
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
