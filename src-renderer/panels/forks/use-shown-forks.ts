/** Filters forks by name and status for list and graph. */

import { useMemo } from 'react';
import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import { FEW_FORKS } from '../../model/facts/fork-names.js';
import { createPersistentStore, useStore } from '../../state/store.js';
import { closedIn, type ForkNode, forkTree } from './fork-tree.js';

/** Null until the user selects. */
const closedShown = createPersistentStore<boolean | null>(
  'entail.forks.closed',
  null,
  (value): value is boolean | null => value === null || typeof value === 'boolean',
);

export const forkText = createPersistentStore(
  'entail.forks.text',
  '',
  (value): value is string => typeof value === 'string',
);

export interface HidingClosed {
  readonly withClosed: boolean;
  /** Number of closed forks that are or could be listed. */
  readonly closed: number;
  readonly onChange: (withClosed: boolean) => void;
}

export function useShownForks(forks: readonly ForkInfo[], shown: string): { roots: ForkNode[]; hiding: HidingClosed } {
  const selected = useStore(closedShown);
  const typed = useStore(forkText);
  const areFew = forks.length <= FEW_FORKS;
  // With few forks there is no filter field to clear.
  const text = areFew ? '' : typed;
  const withClosed = selected ?? areFew;
  const [all, open] = useMemo(
    () => [forkTree(forks, { withClosed: true, text }), forkTree(forks, { withClosed: false, keep: shown, text })],
    [forks, shown, text],
  );
  const closed = closedIn(all) - closedIn(open);
  return {
    roots: withClosed ? all : open,
    hiding: { withClosed, closed, onChange: (value) => closedShown.set(value) },
  };
}
