/** How many facts there are of everything that has facts. Nothing is evaluated for it. */

import type { RelationCount } from '../../api/schemas/schemas.js';
import { EvaluationFault, type KnownSize, type View } from '../../engine/index.js';

/** By path. `declared` is fixed with the scope, so it is counted once. */
export function countFacts(view: View, declared: ReadonlySet<string>): RelationCount[] {
  const ground = declaredCounts(declared);
  return [...view.program.relations.values()]
    .sort((left, right) => (left.path < right.path ? -1 : 1))
    .map(({ path, kind }) => {
      const known = knownSize(view, path);
      return {
        relation: path,
        kind,
        facts: known?.size ?? null,
        isCurrent: known?.isCurrent ?? false,
        declared: ground.get(path) ?? 0,
      };
    });
}

/** What cannot be decoded was never evaluated. */
function knownSize(view: View, path: string): KnownSize | undefined {
  try {
    return view.knownSize(path);
  } catch (error) {
    if (error instanceof EvaluationFault) return undefined;
    throw error;
  }
}

const counted = new WeakMap<ReadonlySet<string>, ReadonlyMap<string, number>>();

function declaredCounts(declared: ReadonlySet<string>): ReadonlyMap<string, number> {
  const known = counted.get(declared);
  if (known !== undefined) return known;
  const counts = new Map<string, number>();
  for (const key of declared) {
    const path = key.slice(0, key.lastIndexOf('/'));
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  counted.set(declared, counts);
  return counts;
}
