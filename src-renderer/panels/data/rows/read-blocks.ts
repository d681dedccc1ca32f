/** What has been read of a list so far: the blocks that are kept, whether they are in sight or not. */

import type { QueryClient } from '@tanstack/react-query';
import { keyHash } from '../../../state/plain-values.js';
import type { GridRow } from './use-rows.js';

export interface Block {
  readonly rows: readonly GridRow[];
  readonly total: number;
}

/** The key of one order is found for others too, of which an empty list is a part, so that keys are compared whole. */
export function readBlocks(client: QueryClient, key: readonly unknown[]): readonly GridRow[] {
  const own = keyHash(key);
  return client
    .getQueriesData<Block>({ queryKey: key })
    .filter(([found]) => keyHash(found.slice(0, -1)) === own)
    .sort(([left], [right]) => Number(left.at(-1)) - Number(right.at(-1)))
    .flatMap(([, block]) => block?.rows ?? []);
}
