/**
 * Restores lost focus. If the focused element is removed, the main part of the page gets the focus, so that keys work and screen
 * readers announce a place. A busy button gets it back.
 */

import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** Id of the main part. */
export const MAIN_PART_ID = 'main-part';

/** Elements in `leaving` are about to be removed and count as lost. */
export function focusMainPartIfLost(leaving?: string): void {
  const { activeElement, body } = document;
  const isLeaving = leaving !== undefined && activeElement?.closest(leaving) !== null;
  if (activeElement !== body && !isLeaving) return;
  document.getElementById(MAIN_PART_ID)?.focus({ preventScroll: true });
}

/** For a shortcut that opens a panel: moves the focus along, if it was outside of the panel. */
export function focusMainPart(): void {
  const main = document.getElementById(MAIN_PART_ID);
  if (main !== null && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
}

/** Used once, by the shell. Does nothing right after loading. */
export function useFocusOfPanel(): void {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    focusMainPartIfLost();
  }, [pathname]);
}

/** For a button that replaces another, or opens something: gets the focus that was lost with the removed element. */
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

/** Used once, by the shell. Browsers blur a disabled button; it gets the focus back when enabled, unless the user moved on. */
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
