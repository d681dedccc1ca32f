/** Focus that follows a key in a graph: the node that an arrow leads to takes it once it is chosen and there. */

import { createContext, type RefObject, useContext, useEffect, useRef } from 'react';

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
