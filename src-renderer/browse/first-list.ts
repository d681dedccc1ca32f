/** Which list the panel opens on, where none is asked for. */

import type { RelationInfo } from '../data/relation-index.js';
import type { Counts } from '../data/use-counts.js';

/** What is stored comes first: what is derived would have to be evaluated before there is anything to see. */
const KINDS: readonly RelationInfo['kind'][] = ['concept', 'stored', 'define', 'derived'];

/** The first that has rows, concepts before relations; where nothing is known to have any, the first. */
export function firstList(index: ReadonlyMap<string, RelationInfo>, counts: Counts | undefined): string | undefined {
  const lists = KINDS.flatMap((kind) => [...index.values()].filter((info) => info.kind === kind));
  const first = lists.find(({ path }) => (counts?.get(path)?.facts ?? 0) > 0) ?? lists[0];
  return first?.path;
}
