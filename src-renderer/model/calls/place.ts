/** The current scope of the page: the fork, and the context (tenant, principal, …) that requests about facts include. */

import { createContext, useContext } from 'react';
import { bareRecord } from '../../../src-runtime/base/bare-record.js';
import { ownValue } from '../../state/own-value.js';
import { createPersistentStore, createStore, isRecordOf, type Store, useStore } from '../../state/store.js';
import { ContextNotGiven } from '../facts/failure.js';
import { MOMENT_PARAMETER } from '../facts/locations.js';
import { isGeneratedName } from './generated-variables.js';
import type { VariableScope } from './variable-arguments.js';
import { variableScope } from './variable-scope.js';
import { namesIn, resolvedText, unknownWords } from './variables.js';

/** The fork that always exists. */
export const MAIN = 'main';

const isText = (value: unknown): value is string => typeof value === 'string';

/** By field name; text as typed, with variables. Empty text is not sent. */
export const requestContext = createPersistentStore<Record<string, string>>(
  'entail.context',
  {},
  (value): value is Record<string, string> => isRecordOf(value, isText),
);

export const currentFork = createPersistentStore('entail.fork', MAIN, isText);

/** The transaction after which every panel reads the facts; undefined for now. A link can name it. */
export const currentMoment: Store<number | undefined> = createStore(
  momentIn(new URLSearchParams(globalThis.location?.search).get(MOMENT_PARAMETER)),
);

/** Why nothing can be changed, if the page reads the past. */
export function pastReason(): string | undefined {
  return currentMoment.get() === undefined ? undefined : 'The page reads the past. Go back to now to make changes.';
}

export function usePastReason(): string | undefined {
  useStore(currentMoment);
  return pastReason();
}

/** Whether the timeline is shown; undefined until it is first opened. */
export const timelineOpen: Store<boolean | undefined> = createStore<boolean | undefined>(undefined);

/** Undefined for a text that is not the number of a transaction. */
export function momentIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The context as sent. A field with an undefined variable is sent as typed, so that it does not select another scope. */
export const placeContext: Store<Readonly<Record<string, string>>> = createStore(resolvedContext());
for (const part of [requestContext, variableScope]) {
  part.subscribe(() => {
    const [before, now] = [placeContext.get(), resolvedContext()];
    if (JSON.stringify(before) === JSON.stringify(now)) return;
    // Another tenant has other forks and transactions.
    if (before['tenantId'] !== now['tenantId']) {
      currentFork.set(MAIN);
      currentMoment.set(undefined);
    }
    placeContext.set(now);
  });
}

function resolvedContext(): Record<string, string> {
  const { variables } = variableScope.get();
  const fields = Object.entries(requestContext.get()).map(([field, text]) => [field, resolvedText(text, variables)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== ''));
}

/** The context fields that the loaded module requires, as far as known. */
export const requiredContext: Store<readonly string[]> = createStore<readonly string[]>([]);

/** Errors in the typed context, by field. */
export function contextErrors(context: Readonly<Record<string, string>>, scope: VariableScope): Record<string, string> {
  const { variables, environment } = scope;
  const errors = bareRecord<string>();
  for (const [field, text] of Object.entries(context)) {
    const made = namesIn(text).find(isGeneratedName);
    const words =
      made === undefined
        ? unknownWords(text, variables, environment)
        : `The context cannot use ${made}, because it changes with each call.`;
    if (words !== undefined) errors[field] = words;
  }
  return errors;
}

export interface PagePlace {
  readonly context: Readonly<Record<string, string>>;
  readonly fork: string;
  /** Absent for now. */
  readonly asOf?: number;
}

/** The fork of a part of the page, if it differs from the page's: one side of a comparison. */
export const ForkOfPart = createContext<string | undefined>(undefined);

/** The moment of a part of the page, if it differs from the page's; null for now. */
export const MomentOfPart = createContext<number | null | undefined>(undefined);

/** Whatever changes responses about facts; part of all their query keys. */
export function usePlace(): PagePlace {
  const context = useStore(placeContext);
  const fork = useStore(currentFork);
  const moment = useStore(currentMoment);
  const ofPart = useContext(MomentOfPart);
  const asOf = ofPart === undefined ? moment : (ofPart ?? undefined);
  return { context, fork: useContext(ForkOfPart) ?? fork, ...(asOf !== undefined && { asOf }) };
}

/** The request scope for a query whose key contains this place. Throws ContextNotGiven. */
export function optionsAt(
  place: PagePlace,
  signal: AbortSignal,
): { context: Record<string, string>; fork: string; asOf: number | undefined; signal: AbortSignal } {
  return { context: givenContext(), fork: place.fork, asOf: place.asOf, signal };
}

/** The request scope for the page's own queries. Throws ContextNotGiven. */
export function placeOptions(signal: AbortSignal) {
  return { context: givenContext(), fork: currentFork.get(), signal };
}

/**
 * The context for the page's own queries. Throws ContextNotGiven if a required field is not set: the server would reject each
 * query, and the log would fill with these requests.
 */
export function givenContext(): Record<string, string> {
  const context = sentContext();
  const missing = requiredContext.get().find((field) => ownValue(context, field) === undefined);
  if (missing !== undefined) throw new ContextNotGiven(missing);
  return context;
}

/** The tenant of this context; empty if it names none. */
export function tenantOf(context: Readonly<Record<string, string>>): string {
  return context['tenantId'] ?? '';
}

/** The context for calls by the user, even if incomplete: the response then says what is missing. */
export function sentContext(): Record<string, string> {
  return { ...placeContext.get() };
}

/** The same with variables unresolved. */
export function typedContext(): Record<string, string> {
  return Object.fromEntries(Object.entries(requestContext.get()).filter(([, value]) => value !== ''));
}

/** Switches to the fork and context of a call; unspecified fields are kept. */
export function goToPlaceOf({
  context,
  fork,
}: {
  readonly context: Readonly<Record<string, string>>;
  readonly fork: string;
}): void {
  if (Object.keys(context).length > 0) requestContext.update((current) => ({ ...current, ...context }));
  currentFork.set(fork);
}

export function setContextField(field: string, text: string): void {
  if (field === 'tenantId') switchTenant(text);
  else requestContext.update((current) => ({ ...current, [field]: text }));
}

export function switchTenant(tenantId: string): void {
  if (requestContext.get()['tenantId'] === tenantId) return;
  requestContext.update((current) => ({ ...current, tenantId }));
}
