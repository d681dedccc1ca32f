/** When a graph is shown whole, and whether it is. */

import { type Rect, useStore } from '@xyflow/react';

/** A graph opens as a whole down to this, where its text is small and can still be read; a larger one opens where it begins. */
export const WHOLE_ZOOM_MIN = 0.5;

/** Around a graph that is shown whole. */
export const FIT_PADDING = '16px';

/** Of the strip below a graph, in which its controls and the library's name stand: no node comes under them. */
const FOOT_HEIGHT = 32;

/** What the nodes of the graph in this element have for themselves. */
export function roomIn(element: HTMLElement): { readonly width: number; readonly height: number } {
  const { width, height } = element.getBoundingClientRect();
  return { width, height: Math.max(0, height - FOOT_HEIGHT) };
}

/** Some of it is out of sight, so that what is in sight is not taken for all that there is. */
export function useIsCropped({ x, y, width, height }: Rect): boolean {
  return useStore(({ transform: [left, top, zoom], ...room }) => {
    if (room.width === 0) return false;
    const [startX, startY] = [left + x * zoom, top + y * zoom];
    return (
      startX < -SLACK ||
      startY < -SLACK ||
      startX + width * zoom > room.width + SLACK ||
      startY + height * zoom > room.height + SLACK
    );
  });
}

/** Pixels of a border that nobody misses. */
const SLACK = 2;
