/** A previewed merge, as the address of an explanation has it. */

import { placeContext } from '../../../model/calls/place.js';
import { type Tried, textOfTried } from '../../../model/calls/tried-call.js';
import { useStore } from '../../../state/store.js';
import type { Picking, Sides } from './use-comparison.js';

/** A promotion or rebase, explained on the left side; undefined for a plain comparison. */
export function useTriedMerge({ of, right, keep }: Sides): string | undefined {
  return useTried(
    of === 'forks' ? undefined : { ...(of === 'update' ? { update: true } : { promote: right.id }), ...keptIn(keep) },
  );
}

/** Explained on the target fork. */
export function useTriedPick({ from, txn, keep }: Omit<Picking, 'target'>): string | undefined {
  return useTried({ pick: { from, txn }, ...keptIn(keep) });
}

/** Explained on the fork that is written to. */
export function useTried(call: Tried | undefined): string | undefined {
  const context = useStore(placeContext);
  return call && textOfTried({ call, context });
}

/** Parses a query string. */
function keptIn(keep: string | undefined): { readonly keep?: 'parent' | [string, string][] } {
  if (keep === undefined) return {};
  return { keep: keep === 'parent' ? keep : (JSON.parse(keep) as [string, string][]) };
}
