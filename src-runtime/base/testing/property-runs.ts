/**
 * Scales the random cases of property tests. `npm test` runs all of them. `npm run test:unit` runs a tenth: vitest.config.ts sets
 * `ENTAIL_PROPERTY_SHARE` for its mode.
 */

const SHARE = Number(process.env['ENTAIL_PROPERTY_SHARE'] ?? 1);

/** Whether at least all cases run. Only then may a test expect that rare kinds of cases were among them. */
export const RUNS_ALL = SHARE >= 1;

/**
 * The number of random cases to run if a complete run takes `full`. A test with a fixed seed uses a plain number instead: it repeats
 * the same cases each time, and a smaller number would drop some of them for good.
 */
export function runs(full: number): number {
  return Math.ceil(full * SHARE);
}
