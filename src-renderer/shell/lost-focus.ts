/**
 * The focus goes with what had it: a panel that is left, or the palette that was opened over it. It is given to the main part
 * of the page then, so that keys go on in the panel and a reader says where one is.
 */

import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** Of the main part of the page. */
export const MAIN_PART_ID = 'panel';

/** Lost is also what stands in an element that `leaving` selects, which is about to go. */
export function focusMainPartIfLost(leaving?: string): void {
  const { activeElement, body } = document;
  const isLeaving = leaving !== undefined && activeElement?.closest(leaving) !== null;
  if (activeElement !== body && !isLeaving) return;
  document.getElementById(MAIN_PART_ID)?.focus({ preventScroll: true });
}

/** Used once, by the shell. A page that has just been loaded begins at its beginning. */
export function useFocusOfPanel(): void {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    focusMainPartIfLost();
  }, [pathname]);
}
