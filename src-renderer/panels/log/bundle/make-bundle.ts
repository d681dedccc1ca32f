/** Builds a repro bundle of a logged request and saves it as a file. */

import {
  eventsBefore,
  isAsItLeft,
  REPRO_EXTENSION,
  REPRO_FORMAT,
  REPRO_FORMAT_VERSION,
  type ReproBundle,
} from '../../../../src-runtime/api/repro-bundle.js';
import type { ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import type { RequestDetail } from '../../../../src-runtime/api/schemas/request-log.js';
import type { WireEvent } from '../../../../src-runtime/api/schemas/schemas.js';
import type { CallOptions } from '../../../../src-runtime/api/transport.js';
import { MAIN, sentContext } from '../../../model/calls/place.js';
import { hasCode } from '../../../model/facts/failure.js';
import { api } from '../../../server-state/api.js';
import { saveFile } from '../../../state/save-file.js';
import { contextOfTenant } from '../request-tenant.js';
import { bundleFileName } from '../request-text.js';
import { proofOf } from './proof-of-request.js';

/** Large pages: the history is not displayed, and fewer requests are faster. */
const PAGE_EVENTS_MAX = 5_000;

export async function saveBundle(
  request: RequestDetail,
  onEvents: (count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const bundle = await makeBundle(request, onEvents, signal);
  saveFile(bundleFileName(request, REPRO_EXTENSION), JSON.stringify(bundle), 'application/json');
}

async function makeBundle(
  request: RequestDetail,
  onEvents: (count: number) => void,
  signal: AbortSignal,
): Promise<ReproBundle> {
  const tenant = request.tenant ?? null;
  // The history up to the request, whatever moment the page reads.
  const scope = { signal, context: contextOfTenant(tenant, sentContext()), asOf: undefined };
  const [{ result: artifact }, { result: health }, fork] = await Promise.all([
    api.artifact({ signal }),
    api.health({ signal }),
    forkOf(request.fork ?? MAIN, scope),
  ]);
  const limit = Math.min(health.limits.rows, PAGE_EVENTS_MAX);
  const { events, isAsItWas } = await historyUntil(request, { ...scope, fork: fork.id, limit }, onEvents);
  const proof = await proofOf(request, { ...scope, fork: fork.id });
  const state = isAsItWas && request.moduleHash === artifact.integrity ? 'request' : 'saving';
  const { id, baseSeq, status, createdAt, closedAt } = asOf(fork, request.at);
  return {
    format: REPRO_FORMAT,
    formatVersion: REPRO_FORMAT_VERSION,
    savedAt: new Date().toISOString(),
    version: health.version,
    artifact,
    scope: {
      tenant,
      fork: { id, baseSeq, status, createdAt, ...(closedAt !== undefined && { closedAt }) },
      events,
    },
    request,
    ...(proof !== undefined && { proof: { asOf: state, ...proof } }),
  };
}

/** `main` if the request named an unknown fork. */
async function forkOf(fork: string, scope: CallOptions): Promise<ForkInfo> {
  try {
    return (await api.fork(fork, scope)).result;
  } catch (error) {
    if (fork === MAIN || !hasCode(error, 'SVC_RUNTIME_FORK_NOT_FOUND')) throw error;
    return (await api.fork(MAIN, scope)).result;
  }
}

/** A fork that was closed later was open at the request. */
function asOf(fork: ForkInfo, at: string): ForkInfo {
  const { closedAt, ...rest } = fork;
  return closedAt !== undefined && closedAt > at ? { ...rest, status: 'open' } : fork;
}

async function historyUntil(
  request: RequestDetail,
  page: CallOptions & { readonly limit: number },
  onEvents: (count: number) => void,
): Promise<{ readonly events: WireEvent[]; readonly isAsItWas: boolean }> {
  const events: WireEvent[] = [];
  let next: string | undefined;
  do {
    const answer = await api.events({ ...page, ...(next !== undefined && { page: next }) });
    events.push(...answer.result);
    onEvents(events.length);
    next = answer.nextCursor;
    // Transactions after the request are dropped below.
    if ((events.at(-1)?.at ?? '') > request.at) next = undefined;
  } while (next !== undefined);
  return { events: eventsBefore(events, request), isAsItWas: isAsItLeft(events, request) };
}
