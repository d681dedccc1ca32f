/** Where the page looks: the fork, and the context (tenant, principal, …) that every request about facts carries. */

import { createContext, useContext } from 'react';
import { createKeptStore, isRecordOf, useStore } from './store.js';

/** The fork that every scope has. */
export const MAIN = 'main';

const isText = (value: unknown): value is string => typeof value === 'string';

/** By field name; text as it was typed. An empty text is not sent. */
export const requestContext = createKeptStore<Record<string, string>>(
  'entail.context',
  {},
  (value): value is Record<string, string> => isRecordOf(value, isText),
);

export const currentFork = createKeptStore('entail.fork', MAIN, isText);

export interface PagePlace {
  readonly context: Readonly<Record<string, string>>;
  readonly fork: string;
}

/** The fork that a part of the page shows, where that is not the page's own: one side of a comparison. */
export const ForkOfPart = createContext<string | undefined>(undefined);

/** What makes an answer about facts another one; stands in the keys of all of them. */
export function usePlace(): PagePlace {
  const context = useStore(requestContext);
  const fork = useStore(currentFork);
  return { context, fork: useContext(ForkOfPart) ?? fork };
}

/** What a request carries whose answer is kept under a key with this place in it. */
export function optionsAt(
  place: PagePlace,
  signal: AbortSignal,
): { context: Record<string, string>; fork: string; signal: AbortSignal } {
  return { context: sentContext(), fork: place.fork, signal };
}

/** What a request about facts carries. */
export function placeOptions(): { context: Record<string, string>; fork: string };
export function placeOptions(signal: AbortSignal): {
  context: Record<string, string>;
  fork: string;
  signal: AbortSignal;
};
export function placeOptions(signal?: AbortSignal) {
  const place = { context: sentContext(), fork: currentFork.get() };
  return signal === undefined ? place : { ...place, signal };
}

/** The context alone, for what belongs to the scope rather than to one of its forks. */
export function sentContext(): Record<string, string> {
  return Object.fromEntries(Object.entries(requestContext.get()).filter(([, value]) => value !== ''));
}

/** Another scope has other forks. */
export function switchTenant(tenantId: string): void {
  if (requestContext.get()['tenantId'] === tenantId) return;
  currentFork.set(MAIN);
  requestContext.update((current) => ({ ...current, tenantId }));
}
