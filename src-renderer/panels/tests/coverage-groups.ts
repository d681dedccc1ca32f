/** Groups coverage rows by verdict, gaps first, and summarizes them. */

import { type CoverageVerdict, coverageVerdict } from '../../../src-runtime/api/coverage-words.js';
import type { CoverageRow } from '../../../src-runtime/api/schemas/test-schemas.js';
import { shortName } from '../../model/facts/locations.js';

export type CoverageShow = 'lacking' | 'all';

interface CoverageGroup {
  readonly title: string;
  readonly rows: readonly CoverageRow[];
}

const TITLES: readonly (readonly [CoverageVerdict, string])[] = [
  ['untested', 'Untested'],
  ['unmissed', 'Tested, but no test fails without it'],
  ['tested', 'Tested'],
];

/** Omits empty groups. */
export function coverageGroups(
  rows: readonly CoverageRow[],
  { find, show }: { readonly find: string; readonly show: CoverageShow },
): CoverageGroup[] {
  const wanted = find.trim().toLowerCase();
  const found = rows.filter(({ path, kind }) => `${shortName(path)} ${kind}`.toLowerCase().includes(wanted));
  return TITLES.filter(([verdict]) => show === 'all' || verdict !== 'tested')
    .map(([verdict, title]) => ({ title, rows: found.filter((row) => coverageVerdict(row) === verdict) }))
    .filter((group) => group.rows.length > 0);
}

interface Measured {
  readonly rows: readonly CoverageRow[];
  readonly total: number | undefined;
  readonly isRunning: boolean;
}

/** Counts only measured rows. */
export function coverageSummary({ rows, total, isRunning }: Measured): string {
  if (isRunning && rows.length === 0) return 'running the tests…';
  if (isRunning) return `${rows.length} of ${total} measured`;
  if (rows.length === 0) return 'not measured yet';
  const tested = rows.filter((row) => coverageVerdict(row) === 'tested').length;
  const rest = total !== undefined && rows.length < total ? `, ${total - rows.length} not measured` : '';
  return `${tested} of ${rows.length} tested${rest}`;
}
