/** Findings of a profile, and a trace grouped by round. */

import { describe, expect, it } from 'vitest';
import type { DerivedProjection, DeriveTraceEntry } from '../../../src-runtime/api/schemas/fork-schemas.js';
import { durationText, profileRows, traceRows } from './profile.js';

const place = { line: 1, column: 1, offset: 0 };
const span = { file: 'a.entail', start: place, end: place };
type Rule = DerivedProjection['rules'][number];

const rule = (more: Partial<Rule>): Rule => ({
  rule: 'g::reach',
  clause: 0,
  span,
  heads: 10,
  newFacts: 10,
  ms: 1,
  rowsVisited: 10,
  runs: 1,
  joinOrders: [],
  ...more,
});
const remarks = (more: Partial<Rule>): string => profileRows({ rules: [rule(more)] })[0]?.remarks.join(' ') ?? '';

describe('the profile of a clause', () => {
  it('names a relation that is scanned inside a loop', () => {
    const joinOrders = ['g::link (new) by scan → g::node by index on id → g::far by scan'];
    expect(remarks({ rowsVisited: 5_000, heads: 10, joinOrders })).toMatch(/\(500\).*scans g::far for each row/);
  });

  it('reports unselective conditions if every inner step uses an index', () => {
    const joinOrders = ['g::link by scan → g::far by index on a'];
    expect(remarks({ rowsVisited: 5_000, heads: 0, newFacts: 0, joinOrders })).toMatch(/without a match.*selective/);
  });

  it('reports duplicate derivations and deep recursion', () => {
    expect(remarks({ heads: 4_000, newFacts: 1_000, rowsVisited: 4_000, runs: 120 })).toMatch(
      /4\.0 times: 3,000 of 4,000 .*120 times, once per round/,
    );
  });

  it('reports nothing for small or efficient clauses', () => {
    expect(remarks({ heads: 2, rowsVisited: 900 })).toBe('');
    expect(remarks({ heads: 50_000, newFacts: 50_000, rowsVisited: 60_000 })).toBe('');
  });

  it('includes the share of the total time', () => {
    const rows = profileRows({ rules: [rule({ ms: 3 }), rule({ clause: 1, ms: 1 })] });
    expect(rows.map(({ share }) => share)).toEqual([0.75, 0.25]);
    expect(profileRows({ rules: [rule({ ms: 0 })] })[0]?.share).toBe(0);
  });
});

it('adds a summary line before each round of a trace', () => {
  const entry = (stratum: number, round: number, newFacts: number): DeriveTraceEntry => ({
    stratum,
    round,
    rule: 'g::reach',
    clause: 0,
    span,
    heads: newFacts,
    newFacts,
    ms: 2,
    rowsVisited: 1,
    joinOrder: '',
  });
  const strata = [
    { relations: ['g::a'], recursive: false, rounds: 1, facts: 1, ms: 1 },
    { relations: ['g::reach'], recursive: true, rounds: 2, facts: 1, ms: 1 },
  ];
  const rows = traceRows([entry(0, 1, 1), entry(1, 1, 2), entry(1, 1, 3), entry(1, 2, 4)], strata);
  expect(rows.map((row) => (row.kind === 'round' ? `${row.stratum}/${row.round}: ${row.newFacts}` : row.kind))).toEqual(
    ['0/1: 1', 'run', '1/1: 5', 'run', 'run', '1/2: 4', 'run'],
  );
  expect(rows[2]).toMatchObject({ ms: 4, recursive: true, relations: ['g::reach'] });
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
});

it.each([
  [0.0412, '0.041 ms'],
  [0.25, '0.25 ms'],
  [12.34, '12.3 ms'],
  [340.4, '340 ms'],
  [4_520, '4.5 s'],
  [61_000, '61 s'],
])('formats %d ms as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
