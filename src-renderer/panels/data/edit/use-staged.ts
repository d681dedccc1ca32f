/** The staged changes of the current scope, and their operations. */

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
import { leaveSaved, stepStaged } from './staged-steps.js';

export interface Staged {
  readonly changes: readonly StagedChange[];
  readonly byIndividual: StagedByIndividual;
  /** By the result of `stagedRowOf`. */
  readonly deletions: ReadonlyMap<string, StagedDelete>;
  /** In the order in which they were staged. */
  readonly insertions: readonly StagedInsert[];
  /** All of them, or none with an error if there are too many. */
  stage(changes: readonly StagedChange[]): boolean;
  leave(changes: readonly StagedChange[]): void;
  /** They are saved and can no longer be undone. */
  saved(changes: readonly StagedChange[]): void;
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
