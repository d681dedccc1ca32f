/** Fitting a graph to its viewport. */

import { type Rect, useStore } from '@xyflow/react';

/** Padding around a graph shown whole. */
export const FIT_PADDING = '16px';

/** Height of the strip with controls and attribution, kept free of nodes. */
const CONTROLS_HEIGHT = 32;

/** The space for nodes in this element. */
export function viewportSize(element: HTMLElement): { readonly width: number; readonly height: number } {
  const { width, height } = element.getBoundingClientRect();
  return { width, height: Math.max(0, height - CONTROLS_HEIGHT) };
}

/** Whether part of the graph is outside the viewport. */
export function useIsCropped({ x, y, width, height }: Rect): boolean {
  return useStore(({ transform: [left, top, zoom], ...room }) => {
    if (room.width === 0) return false;
    const [startX, startY] = [left + x * zoom, top + y * zoom];
    return (
      startX < -CROP_TOLERANCE ||
      startY < -CROP_TOLERANCE ||
      startX + width * zoom > room.width + CROP_TOLERANCE ||
      startY + height * zoom > room.height + CROP_TOLERANCE
    );
  });
}

/** Pixels of a border that may be cropped. */
const CROP_TOLERANCE = 2;
