/** A call of what is typed: with the values of variables in it, as it is sent now, and beside that as it was typed. */

import type { CallRequest, SentCall } from './calls.js';
import { currentFork, sentContext, typedContext } from './place.js';

export function callOfTyped(request: CallRequest, typed: CallRequest, dryRun = false): SentCall {
  const call = { request, context: sentContext(), fork: currentFork.get(), dryRun };
  const asTyped = { request: typed, context: typedContext() };
  const isSame = JSON.stringify(asTyped) === JSON.stringify({ request, context: call.context });
  return isSame ? call : { ...call, typed: asTyped };
}
