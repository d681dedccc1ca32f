/** Describes the coverage of a clause or callable, for the page and the command line. */

import type { CoverageRow } from './schemas/test-schemas.js';

/** `unmissed` is a clause that tests reach although none would fail without it. */
export type CoverageVerdict = 'untested' | 'unmissed' | 'tested';

export function coverageVerdict({ kind, tests, missedBy }: CoverageRow): CoverageVerdict {
  if (tests.length === 0) return 'untested';
  return missedBy === null && isClause(kind) ? 'unmissed' : 'tested';
}

/** What is missing; undefined for a tested clause. */
export function untestedWords(row: CoverageRow): string | undefined {
  const verdict = coverageVerdict(row);
  if (verdict === 'tested') return undefined;
  if (verdict === 'unmissed') return 'no test fails without it';
  if (row.kind === 'check') return 'no test violates it';
  return isClause(row.kind) ? 'no test reaches it' : 'no test calls it';
}

function isClause(kind: CoverageRow['kind']): boolean {
  return kind === 'rule' || kind === 'define' || kind === 'check';
}
