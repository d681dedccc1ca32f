/** The profile of a derive or query: the time of each clause, and what makes it slow. */

import type { DerivedProjection, DeriveTraceEntry } from '../../../src-runtime/api/schemas/fork-schemas.js';
import type { QueryProfile } from '../../../src-runtime/api/schemas/profile-schemas.js';

type RuleProfile = DerivedProjection['rules'][number];

export interface ProfileRow extends Omit<RuleProfile, 'span' | 'newFacts'> {
  readonly key: string;
  /** Undefined for ad-hoc text. */
  readonly span: RuleProfile['span'] | undefined;
  /** Undefined for a query, which adds no facts. */
  readonly newFacts: number | undefined;
  /** Share of the total time, 0 to 1. */
  readonly share: number;
  /** Findings, most important first; empty if there are none. */
  readonly remarks: readonly string[];
}

/** Slowest first, as in the response. */
export function profileRows({ rules }: Pick<DerivedProjection, 'rules'>): ProfileRow[] {
  return withShares(rules.map((rule) => ({ ...rule, key: `${rule.rule} ${rule.clause}`, remarks: remarksOf(rule) })));
}

/** The name of a query and its position in the module. */
export interface ProfiledQuery {
  readonly name: string;
  readonly span: RuleProfile['span'] | undefined;
}

/** The query first, then the derives it reads. Ad-hoc text has no file. */
export function queryProfileRows({ search, rules }: QueryProfile, { name, span }: ProfiledQuery): ProfileRow[] {
  const own = search && {
    rule: name,
    clause: 0,
    span,
    heads: search.matches ?? 1,
    newFacts: 0,
    runs: 1,
    ms: search.ms,
    rowsVisited: search.rowsVisited,
    joinOrders: search.joinOrder === '' ? [] : [search.joinOrder],
  };
  const read = profileRows({ rules }).map((row) => (row.span?.file === ADHOC_FILE ? { ...row, span: undefined } : row));
  if (own === undefined) return read;
  return withShares([
    { ...own, newFacts: undefined, key: '', remarks: remarksOf({ ...own, newFacts: own.heads }) },
    ...read,
  ]);
}

/** The server's name for ad-hoc text. */
const ADHOC_FILE = 'adhoc';

function withShares(rows: readonly Omit<ProfileRow, 'share'>[]): ProfileRow[] {
  const total = rows.reduce((sum, { ms }) => sum + ms, 0);
  return rows.map((row) => ({ ...row, share: total === 0 ? 0 : row.ms / total }));
}

/** Thresholds below which a clause is too fast to be worth a finding. */
const ROWS_MIN = 1_000;
const REPEATS_MIN = 500;
/** Rows per execution of the body. */
const WASTE_MIN = 8;
const RUNS_MIN = 30;

function remarksOf({ heads, newFacts, rowsVisited, runs, joinOrders }: Omit<RuleProfile, 'span'>): string[] {
  const remarks: string[] = [];
  const visited = rowsVisited / Math.max(1, heads);
  if (rowsVisited >= ROWS_MIN && visited >= WASTE_MIN) {
    const found = heads === 0 ? 'without a match' : `for each match (${round(visited)})`;
    const scanned = innerScan(joinOrders);
    const why =
      scanned === undefined
        ? 'Its conditions discard most of them. Add a more selective condition, or one that binds earlier.'
        : `It scans ${scanned} for each row before it, because no endpoint is bound there. Join it by a bound endpoint.`;
    remarks.push(`Visits many rows ${found}. ${why}`);
  }
  const repeats = heads - newFacts;
  if (repeats >= REPEATS_MIN && repeats >= newFacts) {
    const times = newFacts === 0 ? 'Finds only known facts' : `Finds each fact ${round(heads / newFacts)} times`;
    remarks.push(
      `${times}: ${repeats.toLocaleString('en')} of ${heads.toLocaleString('en')} matches add nothing. Derive each fact in one way, or make the recursion smaller.`,
    );
  }
  if (runs >= RUNS_MIN) {
    remarks.push(`Runs ${runs.toLocaleString('en')} times, once per round of a deep recursion.`);
  }
  return remarks;
}

/** Full scans inside a loop. The first step is the outer loop, so it is excluded. */
function innerScan(joinOrders: readonly string[]): string | undefined {
  for (const order of joinOrders) {
    const scan = order
      .split(' → ')
      .slice(1)
      .find((step) => step.endsWith(' by scan') && !step.includes('(new)'));
    if (scan !== undefined) return scan.slice(0, -' by scan'.length).replace(/^not /, '');
  }
  return undefined;
}

function round(number: number): string {
  return number < 10 ? number.toFixed(1) : Math.round(number).toLocaleString('en');
}

export type TraceRow =
  | {
      readonly kind: 'round';
      readonly key: string;
      readonly stratum: number;
      readonly round: number;
      readonly newFacts: number;
      readonly ms: number;
      readonly relations: readonly string[];
      readonly recursive: boolean;
    }
  | { readonly kind: 'run'; readonly key: string; readonly entry: DeriveTraceEntry };

/** The trace with a summary line before each round. `entries` may be the first pages only. */
export function traceRows(entries: readonly DeriveTraceEntry[], strata: DerivedProjection['strata']): TraceRow[] {
  const rows: TraceRow[] = [];
  for (let start = 0; start < entries.length; ) {
    const first = entries[start] as DeriveTraceEntry;
    let end = start;
    while (entries[end]?.stratum === first.stratum && entries[end]?.round === first.round) end += 1;
    const runs = entries.slice(start, end);
    const { stratum, round: number } = first;
    rows.push({
      kind: 'round',
      key: `${stratum}/${number}`,
      stratum,
      round: number,
      newFacts: runs.reduce((sum, { newFacts }) => sum + newFacts, 0),
      ms: runs.reduce((sum, { ms }) => sum + ms, 0),
      relations: strata[stratum]?.relations ?? [],
      recursive: strata[stratum]?.recursive ?? false,
    });
    for (const [index, entry] of runs.entries())
      rows.push({ kind: 'run', key: `${stratum}/${number}/${index}`, entry });
    start = end;
  }
  return rows;
}

/** `0.041 ms`, `12.3 ms`, `4.5 s`. */
export function durationText(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(0)} s`;
  if (ms >= 1_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms.toFixed(ms >= 100 ? 0 : ms >= 1 ? 1 : ms >= 0.1 ? 2 : 3)} ms`;
}
