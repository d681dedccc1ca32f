/** The tabs of the Invoke panel. They survive a reload. */

import {
  ARGUMENTS_PARAMETER,
  BATCH_PARAMETER,
  batchLocation,
  invokeLocation,
  RUN_PARAMETER,
  runLocation,
  shortName,
  TAB_PARAMETER,
} from '../../model/facts/locations.js';
import { createPersistentStore } from '../../state/store.js';

export interface CallTab {
  /** The path of the callable. Empty for the batch composer, `calls/NAME` for a run of saved calls. */
  readonly path: string;
  /** Number among the tabs of a callable, from 1. */
  readonly number: number;
  /** Something was typed or run in the tab. An untouched tab is replaced by the next one opened. */
  readonly isTouched: boolean;
}

export const BATCH_TAB: CallTab = { path: '', number: 1, isTouched: false };

const RUN_PREFIX = 'calls/';

/** The file of saved calls that the tab runs, without its extension. Undefined for other tabs. */
export function collectionOfTab({ path }: Pick<CallTab, 'path'>): string | undefined {
  return path.startsWith(RUN_PREFIX) ? path.slice(RUN_PREFIX.length) : undefined;
}

export const callTabs = createPersistentStore<readonly CallTab[]>(
  'entail.call-tabs',
  [],
  (value): value is readonly CallTab[] => Array.isArray(value) && value.every(isTab),
);

/** Id of the selected tab. */
export const lastTab = createPersistentStore(
  'entail.call-tab',
  '',
  (value): value is string => typeof value === 'string',
);

/** Drafts and results are stored under this id. For the first tab of a callable it is the callable's path. */
export function tabId({ path, number }: Pick<CallTab, 'path' | 'number'>): string {
  return number === 1 ? path : `${path} ${number}`;
}

export function tabLocation({ path, number }: CallTab): string {
  const collection = collectionOfTab({ path });
  if (collection !== undefined) return runLocation(collection);
  if (path === '') return batchLocation();
  return number === 1 ? invokeLocation(path) : `${invokeLocation(path)}&${TAB_PARAMETER}=${number}`;
}

export function tabName({ path, number }: CallTab): string {
  const collection = collectionOfTab({ path });
  if (collection !== undefined) return `${collection}.calls.json`;
  if (path === '') return 'Batch';
  return number === 1 ? shortName(path) : `${shortName(path)} ${number}`;
}

/** The tab in the address. Undefined if it names none, or a call that has no tab yet. */
export function tabOfAddress(search: URLSearchParams): CallTab | undefined {
  if (search.has(BATCH_PARAMETER)) return BATCH_TAB;
  const collection = search.get(RUN_PARAMETER);
  if (collection !== null) return { path: `${RUN_PREFIX}${collection}`, number: 1, isTouched: false };
  const path = search.get('call');
  if (path === null || search.has(ARGUMENTS_PARAMETER)) return undefined;
  const number = Number(search.get(TAB_PARAMETER) ?? '1');
  return { path, number: Number.isInteger(number) && number > 0 ? number : 1, isTouched: false };
}

/** Adds the tab, in place of the selected one if that is untouched. */
export function withTab(tabs: readonly CallTab[], added: CallTab, active: string | undefined): readonly CallTab[] {
  if (tabs.some((tab) => tabId(tab) === tabId(added))) return tabs;
  const at = tabs.findIndex((tab) => tabId(tab) === active && !tab.isTouched);
  return at < 0 ? [...tabs, added] : tabs.with(at, added);
}

/** Adds a tab of the same callable beside the first. */
export function anotherTab(tabs: readonly CallTab[], { path }: CallTab): CallTab {
  const taken = new Set(tabs.filter((tab) => tab.path === path).map(({ number }) => number));
  let number = 1;
  while (taken.has(number)) number += 1;
  return { path, number, isTouched: true };
}

/** The tab to restore a call into: a tab of its callable whose draft may be replaced, else a new one. */
export function tabToRestoreIn(tabs: readonly CallTab[], path: string, mayGo: (id: string) => boolean): CallTab {
  const first = tabs.find((tab) => tabId(tab) === path) ?? { path, number: 1, isTouched: false };
  const others = tabs.filter((tab) => tab.path === path && tab.number > 1);
  return [first, ...others].find((tab) => mayGo(tabId(tab))) ?? anotherTab([first, ...tabs], first);
}

export function withTouched(tabs: readonly CallTab[], id: string): readonly CallTab[] {
  const isNews = tabs.some((tab) => tabId(tab) === id && !tab.isTouched);
  return isNews ? tabs.map((tab) => (tabId(tab) === id ? { ...tab, isTouched: true } : tab)) : tabs;
}

/** The tabs without one, and the neighbour to select. Undefined if it was the last. */
export function withoutTab(
  tabs: readonly CallTab[],
  id: string,
): { readonly tabs: readonly CallTab[]; readonly neighbour: CallTab | undefined } {
  const at = tabs.findIndex((tab) => tabId(tab) === id);
  const left = tabs.filter((tab) => tabId(tab) !== id);
  return { tabs: left, neighbour: left[Math.min(Math.max(at, 0), left.length - 1)] };
}

function isTab(value: unknown): value is CallTab {
  const tab = (value ?? {}) as Partial<CallTab>;
  return typeof tab.path === 'string' && typeof tab.number === 'number' && typeof tab.isTouched === 'boolean';
}
