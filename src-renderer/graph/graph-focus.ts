/** Focus that follows a key in a graph: the node that an arrow leads to takes it once it is chosen and there. */

import { createContext, type KeyboardEvent, type RefObject, useContext, useEffect, useRef } from 'react';

/** Set by a key that moves. */
export const WantsFocus = createContext<RefObject<boolean>>({ current: false });

/** For the element of a node. */
export function useNodeFocus(selected: boolean): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  const wantsFocus = useContext(WantsFocus);
  useEffect(() => {
    if (!selected || !wantsFocus.current) return;
    wantsFocus.current = false;
    element.current?.closest<HTMLElement>('.react-flow__node')?.focus({ preventScroll: true });
  }, [selected, wantsFocus]);
  return element;
}

/** Whether a key is meant for a node: beside the nodes a graph has buttons, whose keys are their own. */
export function isOnNode({ target, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (altKey || ctrlKey || metaKey) return false;
  return target instanceof Element && target.closest('.react-flow__node') !== null;
}
