/** F6: from pane to pane by keyboard. A pane takes the focus where it last had it, else at the first thing in it. */

import { firstTabbable } from '../components/first-tabbable.js';
import { scrollStackTo } from '../components/stack-scroll.js';

const PANES = 'nav.rail, .top-bar, .shell-middle .pane, .status-line';
const lastFocused = new WeakMap<Element, HTMLElement>();

/** Keeps where each pane was left; returns how to stop. */
export function rememberPaneFocus(): () => void {
  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    const pane = target.closest(PANES);
    if (pane !== null) lastFocused.set(pane, target);
  };
  document.addEventListener('focusin', onFocus);
  return () => document.removeEventListener('focusin', onFocus);
}

/** Moves the focus by one pane, round and round. */
export function focusPane(step: 1 | -1): void {
  const panes = [...document.querySelectorAll(PANES)].filter((pane) => firstTabbable(pane) !== undefined);
  if (panes.length === 0) return;
  const here = panes.findLastIndex((pane) => pane.contains(document.activeElement));
  const next = panes[here < 0 ? (step === 1 ? 0 : panes.length - 1) : (here + step + panes.length) % panes.length];
  if (next === undefined) return;
  const left = lastFocused.get(next);
  const target = left?.isConnected && next.contains(left) ? left : firstTabbable(next);
  target?.focus();
  const stacked = target?.closest('.stack-pane');
  if (!stacked) return;
  scrollStackTo(stacked);
  // A pane may be higher than the page.
  target?.scrollIntoView({ block: 'nearest' });
}
