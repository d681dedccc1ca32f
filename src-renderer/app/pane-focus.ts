/** F6: from pane to pane by keyboard. A pane takes the focus where it last had it, else at the first thing in it. */

import { firstTabbable } from '../ui/first-tabbable.js';
import { scrollStackTo } from '../ui/panes/stack-scroll.js';

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

/** Moves the focus by one pane, round and round; from outside of all panes to the one that stands next. */
export function focusPane(step: 1 | -1): void {
  const panes = [...document.querySelectorAll(PANES)].filter((pane) => firstTabbable(pane) !== undefined);
  if (panes.length === 0) return;
  const here = panes.findLastIndex((pane) => pane.contains(document.activeElement));
  const next = here < 0 ? paneBeside(panes, step) : panes[(here + step + panes.length) % panes.length];
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

/** Of a panel that has the focus itself, as one has that was just gone to, the first of its panes, or what stands before it. */
function paneBeside(panes: readonly Element[], step: 1 | -1): Element | undefined {
  const from = document.activeElement ?? document.body;
  const { DOCUMENT_POSITION_FOLLOWING: behind, DOCUMENT_POSITION_PRECEDING: before } = Node;
  if (step === 1) return panes.find((pane) => (from.compareDocumentPosition(pane) & behind) !== 0) ?? panes[0];
  return panes.findLast((pane) => (from.compareDocumentPosition(pane) & before) !== 0) ?? panes.at(-1);
}
