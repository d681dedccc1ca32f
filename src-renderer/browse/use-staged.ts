/** The staged changes where the page looks, and how they come and go. */

import { useCallback, useMemo } from 'react';
import { usePlace } from '../data/place.js';
import { useStore } from '../data/store.js';
import {
  type StagedByIndividual,
  type StagedChange,
  setStaged,
  stagedByIndividual,
  stagedChanges,
  withStaged,
} from './staged.js';

export interface Staged {
  readonly changes: readonly StagedChange[];
  readonly byIndividual: StagedByIndividual;
  stage(change: StagedChange): void;
  leave(change: StagedChange): void;
  leaveAll(): void;
}

const NONE: readonly StagedChange[] = [];

export function useStaged(): Staged {
  const place = JSON.stringify(usePlace());
  const changes = useStore(stagedChanges)[place] ?? NONE;
  const byIndividual = useMemo(() => stagedByIndividual(changes), [changes]);
  const stage = useCallback(
    (change: StagedChange) => setStaged(place, (before) => withStaged(before, change)),
    [place],
  );
  const leave = useCallback(
    ({ id, field }: StagedChange) =>
      setStaged(place, (before) => before.filter((each) => each.id !== id || each.field !== field)),
    [place],
  );
  const leaveAll = useCallback(() => setStaged(place, () => []), [place]);
  return { changes, byIndividual, stage, leave, leaveAll };
}
