/** When a graph is shown whole, and whether it is. */

import { type Rect, useStore } from '@xyflow/react';

/** A graph opens as a whole down to this, where its text is small and can still be read; a larger one opens where it begins. */
export const WHOLE_ZOOM_MIN = 0.5;

/** What stands in the corners, the controls and the library's name, has no node under it. */
export const FIT_PADDING = { top: '48px', right: '16px', bottom: '28px', left: '16px' } as const;

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
