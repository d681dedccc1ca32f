/**
 * The focus goes with what had it: a panel that is left, or the palette that was opened over it. It is given to the main part
 * of the page then, so that keys go on in the panel and a reader says where one is. A button that is busy has it back.
 */

import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** Of the main part of the page. */
export const MAIN_PART_ID = 'main-part';

/** Lost is also what stands in an element that `leaving` selects, which is about to go. */
export function focusMainPartIfLost(leaving?: string): void {
  const { activeElement, body } = document;
  const isLeaving = leaving !== undefined && activeElement?.closest(leaving) !== null;
  if (activeElement !== body && !isLeaving) return;
  document.getElementById(MAIN_PART_ID)?.focus({ preventScroll: true });
}

/** For a key that goes to a panel: from outside of the panel, the focus goes along. */
export function focusMainPart(): void {
  const main = document.getElementById(MAIN_PART_ID);
  if (main !== null && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
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

/** For the button that opens something, or takes the place of another as something begins or ends: where the focus goes with what is gone, the button has it. */
export function useFocusInPlace(state: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const before = useRef(state);
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    if (document.activeElement === document.body) button.current?.focus();
  }, [state]);
  return button;
}

/**
 * Used once, by the shell. A browser takes the focus from a button that is disabled, as one is while what it began runs: the
 * button has it again once it can be used, unless it was left meanwhile.
 */
export function useFocusOfBusy(): void {
  useEffect(() => {
    let last: EventTarget | null = null;
    const remember = ({ target }: FocusEvent): void => {
      last = target;
    };
    const leave = ({ target }: PointerEvent): void => {
      if (target instanceof Node && last instanceof Node && last.contains(target)) return;
      last = null;
    };
    const observer = new MutationObserver((changes) => {
      for (const { target } of changes) {
        if (target !== last || !(target instanceof HTMLElement) || target.matches(':disabled')) continue;
        if (document.activeElement === document.body) target.focus({ preventScroll: true });
      }
    });
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', leave, true);
    observer.observe(document.body, { subtree: true, attributeFilter: ['disabled'] });
    return () => {
      document.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', leave, true);
      observer.disconnect();
    };
  }, []);
}
