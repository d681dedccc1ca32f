/** Difference counts per layer, requested separately: stored facts are fast, conclusions may take longer. */

import { DIFF_LAYERS } from '../../../../src-runtime/api/schemas/wire-constants.js';
import { type LayerCounts, layerCounts } from './comparison-rows.js';
import { type Sides, useDifferenceCounts } from './use-comparison.js';

export interface LayerState {
  readonly layer: LayerCounts['layer'];
  /** Undefined until loaded. */
  readonly counts: LayerCounts | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

export function useLayers(sides: Sides): readonly LayerState[] {
  const stored = useDifferenceCounts(sides, 'stored');
  const derived = useDifferenceCounts(sides, 'derived');
  const violations = useDifferenceCounts(sides, 'firings');
  const answers = { stored, derived, firings: violations };
  return DIFF_LAYERS.map((layer) => {
    const { data, error, refetch } = answers[layer];
    const counts = data === undefined ? undefined : layerCounts(layer, data);
    return { layer, counts, error, retry: () => void refetch() };
  });
}
