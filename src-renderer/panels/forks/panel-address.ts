/** What the Forks panel shows, as its address says it. */

import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { kindsOf } from './compare/comparison-filter.js';
import type { Change } from './compare/comparison-rows.js';

export type ForkView = 'compare' | 'history' | 'derive';
export type ForkSheet = 'promote' | 'update' | 'undo' | 'undo-transaction' | 'pick';
export type DerivePart = 'rules' | 'rounds' | 'relations';

export interface ForksAddress {
  /** The fork that is shown; undefined for the one that the page works on. */
  readonly show: string | undefined;
  /** What it is compared with; undefined for its parent. */
  readonly other: string | undefined;
  readonly view: ForkView;
  /** Of the comparison, the relation whose rows are listed. */
  readonly relation: string | undefined;
  /** Of the comparison, the kinds of differences that are shown, none for all, and what the relations are to have in their names. */
  readonly kinds: readonly Change[];
  readonly find: string;
  /** The sheet that is open: one that promotes the fork, brings it up to date, takes its promotion or a transaction back, or picks one. */
  readonly sheet: ForkSheet | undefined;
  /** The fork that the sheet is about; undefined for the one that is shown. */
  readonly of: string | undefined;
  /** The fork that a transaction is picked onto; undefined for the one that is proposed. */
  readonly onto: string | undefined;
  readonly part: DerivePart;
  /** Of the history, the transaction that is shown; undefined for the last. */
  readonly txn: number | undefined;
  /** Only those transactions of it that tell of this individual. */
  readonly about: string | undefined;
  /** Only those that changed this concept, field or stored relation. */
  readonly changed: string | undefined;
}

const VIEWS: readonly ForkView[] = ['compare', 'history', 'derive'];
const SHEETS: readonly ForkSheet[] = ['promote', 'update', 'undo', 'undo-transaction', 'pick'];
const PARTS: readonly DerivePart[] = ['rules', 'rounds', 'relations'];

/** Whether the sheet is about one transaction of the history. */
export function isOfTransaction(sheet: ForkSheet | undefined): boolean {
  return sheet === 'undo-transaction' || sheet === 'pick';
}

export function useForksAddress(): readonly [ForksAddress, (change: Partial<ForksAddress>) => void] {
  const [search, setSearch] = useSearchParams();
  const address = useMemo((): ForksAddress => {
    const part = search.get('part');
    const txn = Number(search.get('txn') ?? Number.NaN);
    return {
      show: search.get('show') ?? undefined,
      other: search.get('other') ?? undefined,
      view: VIEWS.find((known) => known === search.get('view')) ?? 'compare',
      relation: search.get('relation') ?? undefined,
      kinds: kindsOf(search.get('kinds')),
      find: search.get('find') ?? '',
      sheet: SHEETS.find((known) => known === search.get('sheet')),
      of: search.get('of') ?? undefined,
      onto: search.get('onto') ?? undefined,
      part: PARTS.find((known) => known === part) ?? 'rules',
      txn: Number.isSafeInteger(txn) ? txn : undefined,
      about: search.get('about') ?? undefined,
      changed: search.get('changed') ?? undefined,
    };
  }, [search]);
  const change = useCallback(
    (wanted: Partial<ForksAddress>) => {
      const { show, other, view, relation, kinds, find, sheet, of, onto, part, txn, about, changed } = {
        ...address,
        ...wanted,
      };
      const isHistory = view === 'history';
      const isCompare = view === 'compare';
      const parameters = {
        show,
        other,
        view: isCompare ? undefined : view,
        relation,
        kinds: isCompare && kinds.length > 0 ? kinds.join(',') : undefined,
        find: isCompare && find !== '' ? find : undefined,
        sheet: isOfTransaction(sheet) && !isHistory ? undefined : sheet,
        of: sheet === undefined ? undefined : of,
        onto: sheet === 'pick' && isHistory ? onto : undefined,
        part: part === 'rules' ? undefined : part,
        txn: isHistory && txn !== undefined ? String(txn) : undefined,
        about: isHistory ? about : undefined,
        changed: isHistory ? changed : undefined,
      };
      const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
      setSearch(new URLSearchParams(given));
    },
    [address, setSearch],
  );
  return [address, change];
}
