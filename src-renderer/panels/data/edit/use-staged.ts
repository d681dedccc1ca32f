/** The staged changes where the page looks, and how they come and go. */

import { notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { usePlace } from '../../../model/calls/place.js';
import { useStore } from '../../../state/store.js';
import {
  STAGED_MAX,
  type StagedByIndividual,
  type StagedChange,
  type StagedDelete,
  type StagedInsert,
  stagedAt,
  stagedByIndividual,
  stagedChanges,
  without,
  withStaged,
} from '../rows/staged.js';
import { leaveSaved, stepStaged, takeBackStaged } from './staged-steps.js';

export interface Staged {
  readonly changes: readonly StagedChange[];
  readonly byIndividual: StagedByIndividual;
  /** By what `stagedRowOf` gives. */
  readonly deletions: ReadonlyMap<string, StagedDelete>;
  /** In the order in which they were staged. */
  readonly insertions: readonly StagedInsert[];
  /** All of them or, where they are too many, none, which is said. */
  stage(changes: readonly StagedChange[]): boolean;
  leave(changes: readonly StagedChange[]): void;
  /** They are saved, and nothing to be taken back any more. */
  saved(changes: readonly StagedChange[]): void;
  /** Goes back to before the last that was staged or left, or on again; false where there is no step to go. */
  takeBack(again: boolean): boolean;
}

export function useStaged(): Staged {
  const place = JSON.stringify(usePlace());
  useStore(stagedChanges);
  const changes = stagedAt(place);
  return useMemo(
    () => ({
      changes,
      byIndividual: stagedByIndividual(changes),
      deletions: new Map(
        changes.flatMap((change) => (change.kind === 'delete' ? [[change.row, change] as const] : [])),
      ),
      insertions: changes.filter((change) => change.kind === 'insert'),
      stage(more) {
        const after = withStaged(stagedAt(place), more);
        if (after === undefined) tellTooMany();
        else stepStaged(place, after);
        return after !== undefined;
      },
      leave: (some) => stepStaged(place, without(stagedAt(place), some)),
      saved: (some) => leaveSaved(place, some),
      takeBack: (again) => takeBackStaged(place, again),
    }),
    [changes, place],
  );
}

function tellTooMany(): void {
  notifications.show({
    id: 'too-many-staged',
    color: 'red',
    title: 'Too many changes',
    message: `You can stage ${STAGED_MAX} changes. Save or discard them first.`,
  });
}
