/** State of the Forks panel in the address. */

import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { SINCE_PARAMETER } from '../../model/facts/locations.js';
import { kindsOf } from './compare/comparison-filter.js';
import type { Change } from './compare/comparison-rows.js';

export type ForkView = 'compare' | 'history' | 'derive';
export type ForkSheet = 'promote' | 'update' | 'undo' | 'undo-transaction' | 'pick';
export type DerivePart = 'rules' | 'rounds' | 'relations';

export interface ForksAddress {
  /** The shown fork; undefined for the selected fork of the page. */
  readonly show: string | undefined;
  /** The fork compared with; undefined for the parent. */
  readonly other: string | undefined;
  /** Undefined for the default of the fork. */
  readonly view: ForkView | undefined;
  /** Compares two moments of the fork; undefined for a comparison of forks. */
  readonly since: number | undefined;
  /** The later moment; undefined for now. */
  readonly until: number | undefined;
  /** The only relation that is compared; undefined for all. */
  readonly relation: string | undefined;
  /** Filter of the comparison: kinds (none for all) and part of a name or label. */
  readonly kinds: readonly Change[];
  readonly find: string;
  /** The open sheet. */
  readonly sheet: ForkSheet | undefined;
  /** Subject of the sheet; undefined for the shown fork. */
  readonly of: string | undefined;
  /** Target of a cherry-pick; undefined for the suggested one. */
  readonly onto: string | undefined;
  readonly part: DerivePart;
  /** Selected transaction of the history; undefined for the latest. */
  readonly txn: number | undefined;
  /** Filter of the history by individual. */
  readonly about: string | undefined;
  /** Filter of the history by concept, field or stored relation. */
  readonly changed: string | undefined;
}

/** With the view that is shown. */
export interface ShownAddress extends ForksAddress {
  readonly view: ForkView;
}

const VIEWS: readonly ForkView[] = ['compare', 'history', 'derive'];
const SHEETS: readonly ForkSheet[] = ['promote', 'update', 'undo', 'undo-transaction', 'pick'];
const PARTS: readonly DerivePart[] = ['rules', 'rounds', 'relations'];

/** Whether the sheet is about a transaction. */
export function isOfTransaction(sheet: ForkSheet | undefined): boolean {
  return sheet === 'undo-transaction' || sheet === 'pick';
}

export function useForksAddress(): readonly [ForksAddress, (change: Partial<ForksAddress>) => void] {
  const [search, setSearch] = useSearchParams();
  const address = useMemo((): ForksAddress => {
    const part = search.get('part');
    return {
      show: search.get('show') ?? undefined,
      other: search.get('other') ?? undefined,
      since: numberIn(search, SINCE_PARAMETER),
      until: numberIn(search, 'until'),
      view: VIEWS.find((known) => known === search.get('view')),
      relation: search.get('relation') ?? undefined,
      kinds: kindsOf(search.get('kinds')),
      find: search.get('find') ?? '',
      sheet: SHEETS.find((known) => known === search.get('sheet')),
      of: search.get('of') ?? undefined,
      onto: search.get('onto') ?? undefined,
      part: PARTS.find((known) => known === part) ?? 'rules',
      txn: numberIn(search, 'txn'),
      about: search.get('about') ?? undefined,
      changed: search.get('changed') ?? undefined,
    };
  }, [search]);
  const change = useCallback(
    (wanted: Partial<ForksAddress>) => {
      const { show, other, since, until, view, relation, kinds, find, sheet, of, onto, part, txn, about, changed } = {
        ...address,
        ...wanted,
      };
      const isHistory = view === 'history';
      const isCompare = view === 'compare' || view === undefined;
      const parameters = {
        show,
        other,
        [SINCE_PARAMETER]: isCompare && since !== undefined ? String(since) : undefined,
        until: isCompare && since !== undefined && until !== undefined ? String(until) : undefined,
        view,
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

function numberIn(search: URLSearchParams, name: string): number | undefined {
  const number = Number(search.get(name) ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : undefined;
}
