/** Arrow keys in the diagram: the nearest box that lies wholly in that direction, straight ahead first. */

import type { LaidOutDiagram } from './diagram-layout.js';

type Placed = Pick<LaidOutDiagram, 'positions' | 'sizes'>;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Distance to the other box in the direction of the key, and across it. */
const DIRECTIONS: Readonly<Record<string, (at: Box, to: Box) => readonly [ahead: number, aside: number]>> = {
  ArrowLeft: (at, to) => [at.left - to.right, middleOf(at.top, at.bottom) - middleOf(to.top, to.bottom)],
  ArrowRight: (at, to) => [to.left - at.right, middleOf(at.top, at.bottom) - middleOf(to.top, to.bottom)],
  ArrowUp: (at, to) => [at.top - to.bottom, middleOf(at.left, at.right) - middleOf(to.left, to.right)],
  ArrowDown: (at, to) => [to.top - at.bottom, middleOf(at.left, at.right) - middleOf(to.left, to.right)],
};

/** Weight of the distance across. */
const ACROSS_WEIGHT = 2;

/** The box that the key leads to, or undefined. */
export function boxInDirection(placed: Placed, current: string, key: string): string | undefined {
  const ids = Object.keys(placed.positions);
  if (key === 'Home') return ids[0];
  if (key === 'End') return ids.at(-1);
  const distances = DIRECTIONS[key];
  const at = boxOf(placed, current);
  if (distances === undefined || at === undefined) return undefined;
  let best: { readonly id: string; readonly far: number } | undefined;
  for (const id of ids) {
    const to = boxOf(placed, id);
    if (to === undefined) continue;
    const [ahead, aside] = distances(at, to);
    const far = ahead + ACROSS_WEIGHT * Math.abs(aside);
    if (ahead >= 0 && (best === undefined || far < best.far)) best = { id, far };
  }
  return best?.id;
}

function boxOf({ positions, sizes }: Placed, id: string): Box | undefined {
  const [position, size] = [positions[id], sizes[id]];
  if (position === undefined || size === undefined) return undefined;
  const { x, y } = position;
  return { left: x, right: x + size.width, top: y, bottom: y + size.height };
}

function middleOf(start: number, end: number): number {
  return (start + end) / 2;
}
