/** The head of the panel, which tells what a save came to, and may be out of sight in a narrow window. */

import { scrollStackTo } from '../../../ui/panes/stack-scroll.js';

/** Of the panel that `notice` stands in. */
export function showPanelHead(notice: Element): void {
  const panel = notice.closest('.stack-pane');
  if (panel) scrollStackTo(panel);
}
