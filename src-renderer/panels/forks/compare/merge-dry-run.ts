/** A previewed merge, as the address of an explanation has it. */

import { type DryRunCall, textOfDryRun } from '../../../model/calls/dry-run-url.js';
import { placeContext } from '../../../model/calls/place.js';
import { useStore } from '../../../state/store.js';
import type { Picking, Sides } from './use-comparison.js';

/** A promotion or rebase, explained on the left side; undefined for a plain comparison. */
export function useMergeDryRunText({ of, right, keep }: Sides): string | undefined {
  return useDryRunText(
    of === 'forks'
      ? undefined
      : { ...(of === 'update' ? { update: true } : { promote: right.id }), ...parsedKeep(keep) },
  );
}

/** Explained on the target fork. */
export function useCherryPickDryRunText({ from, txn, keep }: Omit<Picking, 'target'>): string | undefined {
  return useDryRunText({ pick: { from, txn }, ...parsedKeep(keep) });
}

/** Explained on the fork that is written to. */
export function useDryRunText(call: DryRunCall | undefined): string | undefined {
  const context = useStore(placeContext);
  return call && textOfDryRun({ call, context });
}

/** Parses a query string. */
function parsedKeep(keep: string | undefined): { readonly keep?: 'parent' | [string, string][] } {
  if (keep === undefined) return {};
  return { keep: keep === 'parent' ? keep : (JSON.parse(keep) as [string, string][]) };
}
