/** The context fields (tenant, principal, …) that every request of this page carries. */

import { createKeptStore, isRecordOf } from './store.js';

const isText = (value: unknown): value is string => typeof value === 'string';

/** By field name; text as it was typed. An empty text is not sent. */
export const requestContext = createKeptStore<Record<string, string>>(
  'entail.context',
  {},
  (value): value is Record<string, string> => isRecordOf(value, isText),
);

export function sentContext(): Record<string, string> {
  return Object.fromEntries(Object.entries(requestContext.get()).filter(([, value]) => value !== ''));
}
