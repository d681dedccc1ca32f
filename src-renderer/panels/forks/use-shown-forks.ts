/** Which forks the list and the graph show: those with a text in their names, closed ones where they are few or asked for. */

import { useMemo } from 'react';
import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import { FEW_FORKS } from '../../model/facts/fork-names.js';
import { createKeptStore, useStore } from '../../state/store.js';
import { closedIn, type ForkNode, forkTree } from './fork-tree.js';

/** Null until somebody chooses. */
const closedShown = createKeptStore<boolean | null>(
  'entail.forks.closed',
  null,
  (value): value is boolean | null => value === null || typeof value === 'boolean',
);

export const forkText = createKeptStore('entail.forks.text', '', (value): value is string => typeof value === 'string');

export interface HidingClosed {
  readonly withClosed: boolean;
  /** How many the list has or would have more with closed ones. */
  readonly closed: number;
  readonly onChange: (withClosed: boolean) => void;
}

export function useShownForks(forks: readonly ForkInfo[], shown: string): { roots: ForkNode[]; hiding: HidingClosed } {
  const selected = useStore(closedShown);
  const typed = useStore(forkText);
  const areFew = forks.length <= FEW_FORKS;
  // With few of them there is no field to empty it in.
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
