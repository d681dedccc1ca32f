/** Description of a pane, side by side with others or in a stack. */

import type { ReactNode } from 'react';

export interface PaneSpec {
  readonly id: string;
  /** Name for resize handles and stacks, if it differs from the id. */
  readonly name?: string;
  /** Pixels as a number, or a percentage as text. */
  readonly size?: number | string;
  /** At least the sum of the minima of nested panes. */
  readonly minSize?: number | string;
  /** Keeps its pixel size when the window is resized. A stack does not open on it. */
  readonly fixed?: boolean;
  /** Height in a stack, in pixels; the page height by default. */
  readonly stackedHeight?: number;
  /** Scrolled into view in a stack, because the address or an action asked for it. */
  readonly wanted?: boolean;
  readonly content: ReactNode;
}
