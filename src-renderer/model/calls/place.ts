/** Where the page looks: the fork, and the context (tenant, principal, …) that every request about facts carries. */

import { createContext, useContext } from 'react';
import { bareRecord } from '../../../src-runtime/base/bare-record.js';
import { ownValue } from '../../state/own-value.js';
import { createKeptStore, createStore, isRecordOf, type Store, useStore } from '../../state/store.js';
import { ContextNotGiven } from '../facts/failure.js';
import { isMadeName } from './made-variables.js';
import type { VariableScope } from './variable-arguments.js';
import { variableScope } from './variable-scope.js';
import { namesIn, resolvedText, unknownWords } from './variables.js';

/** The fork that every scope has. */
export const MAIN = 'main';

const isText = (value: unknown): value is string => typeof value === 'string';

/** By field name; text as it was typed, with variables in it. An empty text is not sent. */
export const requestContext = createKeptStore<Record<string, string>>(
  'entail.context',
  {},
  (value): value is Record<string, string> => isRecordOf(value, isText),
);

export const currentFork = createKeptStore('entail.fork', MAIN, isText);

/** The context as it is sent. A field that names what is not defined stays as it was typed: it must not become another scope's. */
export const placeContext: Store<Readonly<Record<string, string>>> = createStore(resolvedContext());
for (const part of [requestContext, variableScope]) {
  part.subscribe(() => {
    const [before, now] = [placeContext.get(), resolvedContext()];
    if (JSON.stringify(before) === JSON.stringify(now)) return;
    // Another scope has other forks.
    if (before['tenantId'] !== now['tenantId']) currentFork.set(MAIN);
    placeContext.set(now);
  });
}

function resolvedContext(): Record<string, string> {
  const { variables } = variableScope.get();
  const fields = Object.entries(requestContext.get()).map(([field, text]) => [field, resolvedText(text, variables)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== ''));
}

/** The fields of the context that the loaded module requires, as far as is known. */
export const requiredContext: Store<readonly string[]> = createStore<readonly string[]>([]);

/** What is wrong with the context that is typed, by field. */
export function contextErrors(context: Readonly<Record<string, string>>, scope: VariableScope): Record<string, string> {
  const { variables, environment } = scope;
  const errors = bareRecord<string>();
  for (const [field, text] of Object.entries(context)) {
    const made = namesIn(text).find(isMadeName);
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
}

/** The fork that a part of the page shows, where that is not the page's own: one side of a comparison. */
export const ForkOfPart = createContext<string | undefined>(undefined);

/** What makes an answer about facts another one; stands in the keys of all of them. */
export function usePlace(): PagePlace {
  const context = useStore(placeContext);
  const fork = useStore(currentFork);
  return { context, fork: useContext(ForkOfPart) ?? fork };
}

/** What a request carries whose answer is kept under a key with this place in it. Throws ContextNotGiven. */
export function optionsAt(
  place: PagePlace,
  signal: AbortSignal,
): { context: Record<string, string>; fork: string; signal: AbortSignal } {
  return { context: givenContext(), fork: place.fork, signal };
}

/** What a request carries by which the page asks about facts where it looks. Throws ContextNotGiven. */
export function placeOptions(signal: AbortSignal) {
  return { context: givenContext(), fork: currentFork.get(), signal };
}

/**
 * The context of what the page asks by itself. Throws ContextNotGiven where the module requires a field that nobody has said: the
 * server would refuse it, again and again, in the log of whoever looks for refusals of their own.
 */
export function givenContext(): Record<string, string> {
  const context = sentContext();
  const missing = requiredContext.get().find((field) => ownValue(context, field) === undefined);
  if (missing !== undefined) throw new ContextNotGiven(missing);
  return context;
}

/** The tenant whose scope a request with this context is for; empty where it names none. */
export function tenantOf(context: Readonly<Record<string, string>>): string {
  return context['tenantId'] ?? '';
}

/** The context of what somebody asks for, whatever may be missing: the refusal tells. */
export function sentContext(): Record<string, string> {
  return { ...placeContext.get() };
}

/** The same with the variables in it. */
export function typedContext(): Record<string, string> {
  return Object.fromEntries(Object.entries(requestContext.get()).filter(([, value]) => value !== ''));
}

/** To the fork and the context of a call; what it says nothing of stays. */
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
