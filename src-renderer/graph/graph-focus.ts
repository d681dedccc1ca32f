/** Keyboard focus in a graph: the node that an arrow key selects takes the focus once it is rendered. */

import { createContext, type KeyboardEvent, type RefObject, useContext, useEffect, useRef } from 'react';

/** Set by a key that selects another node. */
export const FocusRequest = createContext<RefObject<boolean>>({ current: false });

export function useNodeFocus(selected: boolean): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  const focusRequest = useContext(FocusRequest);
  useEffect(() => {
    if (!selected || !focusRequest.current) return;
    focusRequest.current = false;
    element.current?.closest<HTMLElement>('.react-flow__node')?.focus({ preventScroll: true });
  }, [selected, focusRequest]);
  return element;
}

/** Whether a key event is for a node. The buttons of the graph handle their own keys. */
export function isOnNode({ target, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (altKey || ctrlKey || metaKey) return false;
  return target instanceof Element && target.closest('.react-flow__node') !== null;
}
