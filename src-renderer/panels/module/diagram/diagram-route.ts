/** Arrow heads of the diagram. */

import { arrowHeadPath, type Point } from '../../../graph/graph-route.js';
import type { DiagramEdge } from './diagram.js';

/**
 * A triangle at the parent concept, an arrow at a reference. The ends of a relation need none, because they are in
 * order.
 */
export function headOf({ kind, labelAt }: DiagramEdge, points: readonly Point[]): string | undefined {
  const [first, second] = points;
  const [last, before] = [points.at(-1), points.at(-2)];
  if (kind === 'is') return first && second && arrowHeadPath(first, second, 'triangle');
  if (kind === 'end' && labelAt === 'from') return undefined;
  return last && before && arrowHeadPath(last, before, 'arrow');
}
