/** A relation as a chain: its own rows, and below them those of what it is an overlay on. */

import type { Relation } from './relation.js';
import type { BuriedAt } from './tombs.js';

/** Rows of one relation of a chain of overlays, as the topmost sees them. */
export interface Layer {
  readonly relation: Relation;
  readonly version: number;
  /** Number of its first row. */
  readonly offset: number;
  /** Behind the last of its own rows that was born by the version. */
  readonly born: number;
  /** What has died in the overlays above; null where nothing has. */
  readonly tombs: readonly BuriedAt[] | null;
}

/** The relations of the chain, the lowest first, as this version sees them. */
export function layersOf(relation: Relation, version: number): Layer[] {
  const { base, tombs, count, offset } = relation;
  const below = base === null ? [] : layersOf(base.relation, base.version);
  const buried = tombs.isEmpty ? null : { tombs, version };
  const seen = buried === null ? below : below.map((layer) => ({ ...layer, tombs: [...(layer.tombs ?? []), buried] }));
  if (count === 0 && base !== null) return seen;
  return [...seen, { relation, version, offset, born: relation.bornBy(version) - offset, tombs: null }];
}
