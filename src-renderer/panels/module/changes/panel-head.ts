/** Scrolls to the head of the panel, which reports a save and may be out of view in a narrow window. */

import { scrollStackTo } from '../../../ui/panes/stack-scroll.js';

/** `notice` is an element inside the panel. */
export function showPanelHead(notice: Element): void {
  const panel = notice.closest('.stack-pane');
  if (panel) scrollStackTo(panel);
}
