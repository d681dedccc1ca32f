/** Description of a pane, side by side with others or in a stack, and the sizes that the user has dragged panes to. */

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
  /** Scrolled into view in a stack, because the address or an action requested it. */
  readonly wanted?: boolean;
  readonly content: ReactNode;
}

/** By pane: pixels of a fixed pane, or a percentage as text. */
export type PaneSizes = Readonly<Record<string, number | string>>;

/** The size that a pane opens with. */
export function sizeOf({ id, size, fixed = false }: SizedPane, stored: PaneSizes): PaneSpec['size'] {
  const dragged = stored[id];
  const fits = fixed ? typeof dragged === 'number' : typeof dragged === 'string' && /^[\d.]+%$/.test(dragged);
  return size !== undefined && fits ? dragged : size;
}

/** The sizes to store. A pane without a size takes the rest, so that a wider window leaves the room to it. */
export function sizesOf(
  panes: readonly SizedPane[],
  layout: Readonly<Record<string, number>>,
  space: number,
): PaneSizes {
  return Object.fromEntries(
    panes.flatMap(({ id, size, fixed = false }) => {
      const share = layout[id];
      if (size === undefined || share === undefined) return [];
      return [[id, fixed ? Math.round((share / 100) * space) : `${share}%`]];
    }),
  );
}

type SizedPane = Pick<PaneSpec, 'id' | 'size' | 'fixed'>;
