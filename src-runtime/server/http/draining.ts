/**
 * The end of a server behind a load balancer. `/readyz` reports at once that it is not ready, and the server goes on for a while, so that
 * the balancer notices before the server refuses connections.
 */

import { setTimeout as passed } from 'node:timers/promises';

/** A balancer probes more often than this. */
const PROBED_WITHIN_MS = 60_000;

export interface Draining {
  readonly hasBegun: boolean;
  /** Called for each probe of `/readyz`. */
  noteProbe(): void;
  /** Resolves once the server may close: after the grace period, or at once if nobody probes it. */
  begin(graceMs: number): Promise<void>;
}

export function createDraining(): Draining {
  let hasBegun = false;
  let probedMs = Number.NEGATIVE_INFINITY;
  return {
    get hasBegun() {
      return hasBegun;
    },
    noteProbe() {
      probedMs = performance.now();
    },
    async begin(graceMs) {
      hasBegun = true;
      if (performance.now() - probedMs < PROBED_WITHIN_MS) await passed(graceMs, undefined, { ref: false });
    },
  };
}
