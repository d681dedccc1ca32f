/** The loaded blocks of a list, visible or not. */

import type { QueryClient } from '@tanstack/react-query';
import { keyHash } from '../../../state/plain-values.js';
import type { GridRow } from './use-rows.js';

export interface Block {
  readonly rows: readonly GridRow[];
  readonly total: number;
}

/** Prefix matching of query keys would match other sort orders, so keys are compared in full. */
export function readBlocks(client: QueryClient, key: readonly unknown[]): readonly GridRow[] {
  const own = keyHash(key);
  return client
    .getQueriesData<Block>({ queryKey: key })
    .filter(([found]) => keyHash(found.slice(0, -1)) === own)
    .sort(([left], [right]) => Number(left.at(-1)) - Number(right.at(-1)))
    .flatMap(([, block]) => block?.rows ?? []);
}
