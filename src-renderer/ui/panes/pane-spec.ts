/** What a pane among others is, side by side with them or in a stack. */

import type { ReactNode } from 'react';

export interface PaneSpec {
  readonly id: string;
  /** What a person calls it, where that is not its id: for the handle that resizes it, and above a stack. */
  readonly name?: string;
  /** Pixels as a number, else a percentage as text. */
  readonly size?: number | string;
  /** No less than the panes within it have together. */
  readonly minSize?: number | string;
  /** Keeps its pixels when the window is resized, as a list beside what one works in does: a stack is not begun with it. */
  readonly fixed?: boolean;
  /** Its pixels where panes stand below each other; as many as the page has unless given. */
  readonly stackedHeight?: number;
  /** What the address leads to, or what was just asked for: where panes stand below each other, in sight from then on. */
  readonly wanted?: boolean;
  readonly content: ReactNode;
}
