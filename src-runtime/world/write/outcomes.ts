/**
 * The results of requests with an Idempotency-Key. Each is stored with its transaction, so that a repeated request gets it, even if the
 * server was killed before it could respond.
 */

import { ApiError } from '../../api/errors.js';
import { jsonChunks } from '../../base/json-chunks.js';
import type { Deadline } from '../../base/ports.js';
import { erasedOutcome, type Outcome, StorageError } from '../../storage/event-store.js';
import type { RequestKey } from '../contract/requests.js';
import type { Session } from '../state/session.js';
import { refusedByDisk } from '../wire/faults.js';
import type { TransactionResult } from './transact.js';

const AGE_MAX_MS = 24 * 60 * 60 * 1000;

/**
 * The result of the request that had the key before, if there is one. Called in the turn of a writer, so that no other request with the
 * key runs meanwhile. Throws VALIDATION_FAILED if that was another request.
 */
export async function earlierResult<T>(
  session: Session,
  { key, request }: RequestKey,
): Promise<TransactionResult<T> | undefined> {
  const { scope, clock } = session;
  const outcome = scope.writers.pendingOutcome(key) ?? (await storedOutcome(session, key));
  if (outcome === undefined || clock.now() - Date.parse(outcome.at) > AGE_MAX_MS) return undefined;
  if (outcome.request === request || outcome.request === '')
    return JSON.parse(outcome.response) as TransactionResult<T>;
  throw new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    `The Idempotency-Key "${key}" belongs to another request of the last 24 hours. Send each request with a new key.`,
    { header: 'idempotency-key' },
  );
}

async function storedOutcome({ store, scope }: Session, key: string): Promise<Outcome | undefined> {
  try {
    return await store.outcome(scope.scopeId, key);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw refusedByDisk(error, 'The storage could not be read');
  }
}

/** The outcome to store with the transaction of the result. */
export async function outcomeOf(
  { key, request }: RequestKey,
  result: TransactionResult<unknown>,
  at: string,
  isErasing: boolean,
  deadline: Deadline,
): Promise<Outcome> {
  let response = '';
  for (const chunk of jsonChunks(result)) {
    response += chunk;
    const pause = deadline.checkpoint();
    if (pause !== undefined) await pause;
  }
  const outcome = { key, request, response, at };
  return isErasing ? erasedOutcome(outcome) : outcome;
}
