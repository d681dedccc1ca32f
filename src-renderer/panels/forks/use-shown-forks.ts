/** The forks of list and graph: open ones as a tree; promoted and discarded ones apart, folded away. */

import { useEffect, useMemo, useState } from 'react';
import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import { FEW_FORKS } from '../../model/facts/fork-names.js';
import { createPersistentStore, useStore } from '../../state/store.js';
import { closedForks, type ForkNode, forkTree } from './fork-tree.js';

export const forkText = createPersistentStore(
  'entail.forks.text',
  '',
  (value): value is string => typeof value === 'string',
);

export interface ShownForks {
  /** Open forks, with closed ones above them. */
  readonly open: readonly ForkNode[];
  /** The other closed forks, latest first. */
  readonly closed: readonly ForkNode[];
  readonly isFolded: boolean;
  readonly onFold: (isFolded: boolean) => void;
  /** What the graph draws. */
  readonly graph: readonly ForkNode[];
}

export function useShownForks(forks: readonly ForkInfo[], shown: string): ShownForks {
  const typed = useStore(forkText);
  // With few forks there is no filter field to clear.
  const text = forks.length <= FEW_FORKS ? '' : typed;
  const [isFolded, setFolded] = useState(true);
  const lists = useMemo(() => {
    const open = forkTree(forks, { withClosed: false, text });
    return { open, closed: closedForks(forks, open, text), all: forkTree(forks, { withClosed: true, text }) };
  }, [forks, text]);
  const isShownClosed = lists.closed.some(({ id }) => id === shown);
  useEffect(() => {
    if (isShownClosed) setFolded(false);
  }, [isShownClosed]);
  // A filter finds closed forks too.
  const isHidden = isFolded && text === '';
  return {
    open: lists.open,
    closed: lists.closed,
    isFolded: isHidden,
    onFold: setFolded,
    graph: isHidden ? lists.open : lists.all,
  };
}
