/** The head of a diagram's line: what it means is told by its shape. */

import { headPath, type Point } from '../../../graph/graph-route.js';
import type { DiagramEdge } from './diagram.js';

/** A triangle at the class above, an arrow at what is referred to; a relation's ends say by their order which is which. */
export function headOf({ kind, labelAt }: DiagramEdge, points: readonly Point[]): string | undefined {
  const [first, second] = points;
  const [last, before] = [points.at(-1), points.at(-2)];
  if (kind === 'is') return first && second && headPath(first, second, 'triangle');
  if (kind === 'end' && labelAt === 'from') return undefined;
  return last && before && headPath(last, before, 'arrow');
}
