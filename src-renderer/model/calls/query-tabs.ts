/** The tabs of the Query panel: texts with names and arguments. They survive a reload of the page. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { createPersistentStore, mergedMembers } from '../../state/store.js';
import { type ArgumentDraft, draftOfArguments, isArgumentDraft, NO_ARGUMENTS } from './argument-draft.js';
import { type AdhocCall, adhocName } from './calls.js';
import type { FormParameter } from './form-model.js';

export interface QueryTab {
  readonly id: string;
  /** Given by the user; otherwise the name in the text is shown. */
  readonly name: string | undefined;
  readonly source: string;
  /** The module of the text, if several are loaded. */
  readonly module?: string | undefined;
  readonly args: ArgumentDraft;
  /** Run again automatically when facts change. */
  readonly live: boolean;
}

export interface QueryTabs {
  readonly tabs: readonly QueryTab[];
  /** Shown if the URL names none. */
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

export const queryTabs = createPersistentStore<QueryTabs>(
  'entail.queries',
  { tabs: [FIRST], active: FIRST.id },
  isTabs,
  {
    merge: mergedTabs,
  },
);

/** Merges the tabs of this page with those of other pages: includes tabs changed or opened here, without those closed here. */
export function mergedTabs(theirs: QueryTabs, before: QueryTabs, own: QueryTabs): QueryTabs {
  const byId = ({ tabs }: QueryTabs) => Object.fromEntries(tabs.map((tab) => [tab.id, tab]));
  const tabs = Object.values(mergedMembers(byId(theirs), byId(before), byId(own)));
  const active = tabs.some(({ id }) => id === own.active) ? own.active : (tabs[0]?.id ?? FIRST.id);
  return tabs.length === 0 ? own : { tabs, active };
}

/** The key for the result and other state of a tab. */
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

/** Closing a tab shows its neighbour; closing the last one opens an empty one with id `fresh`. */
export function withoutTab(state: QueryTabs, id: string, fresh: string): QueryTabs {
  const at = state.tabs.findIndex((tab) => tab.id === id);
  const tabs = state.tabs.filter((tab) => tab.id !== id);
  if (at < 0) return state;
  if (tabs.length === 0) return { tabs: [newTab(fresh, '')], active: fresh };
  const neighbour = tabs[Math.min(at, tabs.length - 1)]?.id ?? '';
  return { tabs, active: state.active === id ? neighbour : state.active };
}

/** The tab for a text with these arguments: an existing one, else a new one with id `fresh`. */
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

/** Arguments of a restored call whose parameters are not known yet. */
const putBack = new WeakMap<ArgumentDraft, Readonly<Record<string, JsonValue>>>();

/** Such arguments as a form, once the parameters are known; undefined for typed ones. */
export function formOfPutBack(draft: ArgumentDraft, parameters: readonly FormParameter[]): ArgumentDraft | undefined {
  const args = putBack.get(draft);
  return args === undefined || parameters.length === 0 ? undefined : draftOfArguments(parameters, args);
}
