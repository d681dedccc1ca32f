/** What is done with forks, as the address of an explanation has it that is asked before it is done. */

import { placeContext } from '../../../model/calls/place.js';
import { type Tried, textOfTried } from '../../../model/calls/tried-call.js';
import { useStore } from '../../../state/store.js';
import type { Picking, Sides } from './use-comparison.js';

/** A promotion or an update, asked on the left side; undefined of two forks that are compared, which are as they are. */
export function useTriedMerge({ of, right, keep }: Sides): string | undefined {
  return useTried(
    of === 'forks' ? undefined : { ...(of === 'update' ? { update: true } : { promote: right.id }), ...keptIn(keep) },
  );
}

/** Asked on the fork that is picked onto. */
export function useTriedPick({ from, txn, keep }: Omit<Picking, 'target'>): string | undefined {
  return useTried({ pick: { from, txn }, ...keptIn(keep) });
}

/** Asked on the fork that is written to. */
export function useTried(call: Tried | undefined): string | undefined {
  const context = useStore(placeContext);
  return call && textOfTried({ call, context });
}

/** From how a query string has it. */
function keptIn(keep: string | undefined): { readonly keep?: 'parent' | [string, string][] } {
  if (keep === undefined) return {};
  return { keep: keep === 'parent' ? keep : (JSON.parse(keep) as [string, string][]) };
}
