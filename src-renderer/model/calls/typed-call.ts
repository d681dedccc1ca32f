/** A typed call: resolved, as it would be sent now, and as typed. */

import type { CallRequest, SentCall } from './calls.js';
import { currentFork, sentContext, typedContext } from './place.js';

export function callOfTyped(request: CallRequest, typed: CallRequest, dryRun = false): SentCall {
  const call = { request, context: sentContext(), fork: currentFork.get(), dryRun };
  const asTyped = { request: typed, context: typedContext() };
  const isSame = JSON.stringify(asTyped) === JSON.stringify({ request, context: call.context });
  return isSame ? call : { ...call, typed: asTyped };
}
