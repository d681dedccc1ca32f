/** Moves focus and scroll position in the panel when a notice or pane beside the editor opens or closes. */

import { scrollStackTo } from '../../../ui/panes/stack-scroll.js';

/** The element that the file tabs control. */
export const SOURCE_ID = 'module-source';

/** Does nothing if only the diagram is shown. */
export function focusSource(): void {
  document.getElementById(SOURCE_ID)?.querySelector<HTMLElement>('.cm-content')?.focus({ preventScroll: true });
}

/** Scrolls to the head of the panel around `notice`, which may be out of view in a narrow window. */
export function showPanelHead(notice: Element): void {
  const panel = notice.closest('[data-stack-pane]');
  if (panel) scrollStackTo(panel);
}
