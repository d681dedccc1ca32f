/** Which list a panel opens on, where none is asked for. */

import type { RelationInfo } from '../model/facts/relation-index.js';
import type { Counts } from './use-counts.js';

type Kind = RelationInfo['kind'];

/** What is stored comes first: what is derived would have to be evaluated before there is anything to see. */
const TO_LOOK_AT: readonly Kind[] = ['concept', 'stored', 'define', 'derived'];

/** Behind what follows, which has more to tell than that it is stored. */
const TO_EXPLAIN_TOO: readonly Kind[] = ['define', 'stored', 'concept'];

type Index = ReadonlyMap<string, RelationInfo>;

/** The first that has rows, concepts before relations; where nothing is known to have any, the first. */
export function firstList(index: Index, counts: Counts | undefined): string | undefined {
  const lists = ofKinds(index, TO_LOOK_AT);
  return (lists.find(hasRows(counts)) ?? lists[0])?.path;
}

/** The first that has proofs: a derived relation that has rows, or may have some, before all else; where nothing has any, the first. */
export function firstToExplain(index: Index, counts: Counts | undefined): string | undefined {
  const [derived, others] = [ofKinds(index, ['derived']), ofKinds(index, TO_EXPLAIN_TOO)];
  const mayHaveRows = ({ path }: RelationInfo): boolean => (counts?.get(path)?.facts ?? null) === null;
  const first = derived.find(hasRows(counts)) ?? derived.find(mayHaveRows) ?? others.find(hasRows(counts));
  return (first ?? derived[0] ?? others[0])?.path;
}

function ofKinds(index: Index, kinds: readonly Kind[]): readonly RelationInfo[] {
  return kinds.flatMap((kind) => [...index.values()].filter((info) => info.kind === kind));
}

function hasRows(counts: Counts | undefined): (info: RelationInfo) => boolean {
  return ({ path }) => (counts?.get(path)?.facts ?? 0) > 0;
}
