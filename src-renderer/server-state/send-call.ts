/** Sends a call to its route, and turns the responses of all routes into one form. */

import type { BatchStepResult } from '../../src-runtime/api/schemas/batch-schemas.js';
import type { Effects, Firing, JsonValue, WireEvent } from '../../src-runtime/api/schemas/schemas.js';
import { adhocKind, isWrite, type SentCall, textOf } from '../model/calls/calls.js';
import { api } from './api.js';

/** The response to a call; of a query, all pages that were requested. */
export interface CallResponse {
  readonly result: JsonValue;
  readonly requestId: string;
  /** The module that computed it. */
  readonly moduleHash: string;
  readonly nextCursor: string | undefined;
  /** Of a mutation. */
  readonly written: Written | undefined;
  /** Of a batch, one per step. */
  readonly steps: readonly BatchStepResult[] | undefined;
  /** The body of the response; of several pages, the first. */
  readonly envelope: object;
}

export interface Written {
  readonly txn: number | null;
  readonly events: readonly WireEvent[];
  readonly warnings: readonly Firing[];
  readonly effects: Effects | undefined;
}

interface SendOptions {
  readonly signal?: AbortSignal;
  /** Rows per page; undefined for a query that returns no list. */
  readonly limit?: number | undefined;
  readonly page?: string | undefined;
  /** The response lists all changes, as that of a dry run does. */
  readonly effects?: boolean;
}

export async function sendCall(
  call: SentCall,
  { signal, limit, page, effects = false }: SendOptions,
): Promise<CallResponse> {
  const { request, dryRun } = call;
  const options = {
    context: Object.fromEntries(Object.entries(call.context).filter(([, value]) => value !== '')),
    fork: call.fork,
    ...(signal && { signal }),
  };
  const paged = { ...options, ...(limit !== undefined && { limit }), ...(page !== undefined && { page }) };
  const asked = isWrite(request)
    ? { ...options, explain: true, ...(dryRun && { dryRun }), ...((dryRun || effects) && { effects: true }) }
    : options;
  const plain = { nextCursor: undefined, written: undefined, steps: undefined };
  if (request.kind === 'batch') {
    const envelope = await api.batch({ steps: request.steps }, asked);
    return {
      ...plain,
      result: null,
      requestId: envelope.requestId,
      moduleHash: envelope.moduleHash,
      steps: envelope.result,
      envelope,
    };
  }
  const args = { ...request.args };
  if (isWrite(request)) {
    const envelope =
      request.kind === 'adhoc'
        ? await api.mutateAdhoc({ ...textOf(request), args }, asked)
        : await api.mutation({ path: request.path, args }, asked);
    const { result, requestId, moduleHash, txn, events, warnings, effects: changed } = envelope;
    return { ...plain, result, requestId, moduleHash, written: { txn, events, warnings, effects: changed }, envelope };
  }
  if (request.kind === 'compute') {
    const envelope = await api.compute({ path: request.path, args }, options);
    const { result, requestId, moduleHash } = envelope;
    return { ...plain, result, requestId, moduleHash, envelope };
  }
  const answer =
    request.kind === 'adhoc'
      ? await api.queryAdhoc({ ...textOf(request), args }, paged)
      : await api.query({ path: request.path, args }, paged);
  const { result, requestId, moduleHash, nextCursor } = answer;
  return { ...plain, result, requestId, moduleHash, nextCursor, envelope: answer };
}

/** Whether the result of an ad-hoc text is a list: always of a derive, and of a query that returns one. */
export function isPagedText(source: string): boolean {
  if (adhocKind(source) === 'derive') return true;
  return /->\s*\[/.test(source);
}

/** The response with the rows of the next page appended. */
export function withNextPage(answer: CallResponse, page: CallResponse): CallResponse {
  const before = Array.isArray(answer.result) ? answer.result : [];
  const more = Array.isArray(page.result) ? page.result : [];
  return { ...answer, result: [...before, ...more], nextCursor: page.nextCursor };
}
