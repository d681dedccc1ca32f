/** The staged changes where the page looks, and how they come and go. */

import { notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { usePlace } from '../data/place.js';
import { useStore } from '../data/store.js';
import {
  STAGED_MAX,
  type StagedByIndividual,
  type StagedChange,
  type StagedDelete,
  type StagedInsert,
  setStaged,
  stagedByIndividual,
  stagedChanges,
  without,
  withStaged,
} from './staged.js';

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
}

const NONE: readonly StagedChange[] = [];

export function useStaged(): Staged {
  const place = JSON.stringify(usePlace());
  const changes = useStore(stagedChanges)[place] ?? NONE;
  return useMemo(() => {
    const latest = (): readonly StagedChange[] => stagedChanges.get()[place] ?? NONE;
    return {
      changes,
      byIndividual: stagedByIndividual(changes),
      deletions: new Map(
        changes.flatMap((change) => (change.kind === 'delete' ? [[change.row, change] as const] : [])),
      ),
      insertions: changes.filter((change) => change.kind === 'insert'),
      stage(more) {
        const after = withStaged(latest(), more);
        if (after === undefined) tellTooMany();
        else setStaged(place, after);
        return after !== undefined;
      },
      leave: (some) => setStaged(place, without(latest(), some)),
    };
  }, [changes, place]);
}

function tellTooMany(): void {
  notifications.show({
    id: 'too-many-staged',
    color: 'red',
    title: 'Not staged',
    message: `At most ${STAGED_MAX} changes are staged together. Save those that are, or discard them, and stage it then.`,
  });
}
