/** The tabs of the Query panel: texts with their names and arguments. They outlive a reload of the page. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { createKeptStore, mergedMembers } from '../../state/store.js';
import { type ArgumentDraft, draftOfArguments, isArgumentDraft, NO_ARGUMENTS } from './argument-draft.js';
import { type AdhocCall, adhocName } from './calls.js';
import type { FormParameter } from './form-model.js';

export interface QueryTab {
  readonly id: string;
  /** Given by the user; without one, what the text calls itself. */
  readonly name: string | undefined;
  readonly source: string;
  /** Which it stands in, where several are loaded. */
  readonly module?: string | undefined;
  readonly args: ArgumentDraft;
  /** Ask again by itself when facts change. */
  readonly live: boolean;
}

export interface QueryTabs {
  readonly tabs: readonly QueryTab[];
  /** Shown where the address names none. */
  readonly active: string;
}

const isTab = (value: unknown): value is QueryTab => {
  const tab = value as Partial<QueryTab> | null;
  return (
    typeof tab === 'object' &&
    tab !== null &&
    typeof tab.id === 'string' &&
    (tab.name === undefined || typeof tab.name === 'string') &&
    typeof tab.source === 'string' &&
    (tab.module === undefined || typeof tab.module === 'string') &&
    typeof tab.live === 'boolean' &&
    isArgumentDraft(tab.args)
  );
};

const isTabs = (value: unknown): value is QueryTabs => {
  const kept = value as Partial<QueryTabs> | null;
  return (
    typeof kept === 'object' &&
    kept !== null &&
    typeof kept.active === 'string' &&
    Array.isArray(kept.tabs) &&
    kept.tabs.length > 0 &&
    kept.tabs.every(isTab)
  );
};

const FIRST: QueryTab = newTab('first', '');

export const queryTabs = createKeptStore<QueryTabs>('entail.queries', { tabs: [FIRST], active: FIRST.id }, isTabs, {
  merge: mergedTabs,
});

/** Texts of this page beside those of others: what was changed or opened here, and not what was closed here. */
export function mergedTabs(theirs: QueryTabs, before: QueryTabs, own: QueryTabs): QueryTabs {
  const byId = ({ tabs }: QueryTabs) => Object.fromEntries(tabs.map((tab) => [tab.id, tab]));
  const tabs = Object.values(mergedMembers(byId(theirs), byId(before), byId(own)));
  const active = tabs.some(({ id }) => id === own.active) ? own.active : (tabs[0]?.id ?? FIRST.id);
  return tabs.length === 0 ? own : { tabs, active };
}

/** Under which what a tab came to is kept, and all else of it. */
export function queryKey(id: string): string {
  return `adhoc ${id}`;
}

export function newTab(id: string, source: string, module?: string): QueryTab {
  return { id, name: undefined, source, module, args: NO_ARGUMENTS, live: false };
}

export function tabName(tab: QueryTab): string {
  return tab.name ?? adhocName(tab.source) ?? 'Untitled';
}

export function withTab(state: QueryTabs, tab: QueryTab): QueryTabs {
  return { tabs: [...state.tabs, tab], active: tab.id };
}

export function withChange(state: QueryTabs, id: string, change: Partial<QueryTab>): QueryTabs {
  return { ...state, tabs: state.tabs.map((tab) => (tab.id === id ? { ...tab, ...change } : tab)) };
}

/** The neighbour of a closed tab is shown; the last one leaves an empty one, called `fresh`. */
export function withoutTab(state: QueryTabs, id: string, fresh: string): QueryTabs {
  const at = state.tabs.findIndex((tab) => tab.id === id);
  const tabs = state.tabs.filter((tab) => tab.id !== id);
  if (at < 0) return state;
  if (tabs.length === 0) return { tabs: [newTab(fresh, '')], active: fresh };
  const neighbour = tabs[Math.min(at, tabs.length - 1)]?.id ?? '';
  return { tabs, active: state.active === id ? neighbour : state.active };
}

/** The tab that shows a text with these arguments: one that has it already, else a new one, called `fresh`. */
export function tabForText(
  state: QueryTabs,
  { source, module, args }: Omit<AdhocCall, 'kind'>,
  fresh: string,
): { readonly state: QueryTabs; readonly id: string } {
  const known = state.tabs.find((tab) => tab.source === source && tab.module === module);
  const id = known?.id ?? fresh;
  const next = known === undefined ? withTab(state, newTab(id, source, module)) : state;
  if (Object.keys(args).length === 0) return { state: next, id };
  const draft = draftOfArguments([], args);
  putBack.set(draft, args);
  return { state: withChange(next, id, { args: draft }), id };
}

/** Arguments of calls that were put back into a tab, of which it is not known yet what parameters they are for. */
const putBack = new WeakMap<ArgumentDraft, Readonly<Record<string, JsonValue>>>();

/** Such arguments as a form, once the parameters are known; undefined for what somebody has typed. */
export function formOfPutBack(draft: ArgumentDraft, parameters: readonly FormParameter[]): ArgumentDraft | undefined {
  const args = putBack.get(draft);
  return args === undefined || parameters.length === 0 ? undefined : draftOfArguments(parameters, args);
}
