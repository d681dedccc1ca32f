/** A logged request as a call for Invoke or Query. */

import type { RequestDetail } from '../../../src-runtime/api/schemas/request-log.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { readBatchBody } from '../../model/calls/batch-body.js';
import type { AdhocCall, Args, BatchSteps } from '../../model/calls/calls.js';
import { bodyValue, ERASED_WORDS } from './request-text.js';

export type OpenedCall =
  | { readonly kind: 'dispatch'; readonly path: string; readonly args: JsonValue }
  | AdhocCall
  | { readonly kind: 'batch'; readonly steps: BatchSteps }
  /** Why a batch cannot be opened. */
  | { readonly kind: 'batch'; readonly problem: string };

/** Undefined for requests that neither panel sends, and for truncated ones. */
export function openedCall(request: RequestDetail): OpenedCall | undefined {
  const route = request.path.split('?', 1)[0] ?? '';
  const body = bodyValue(request.body) as
    | { readonly [name in 'path' | 'source' | 'module' | 'args']?: unknown }
    | undefined;
  const args = (body?.args ?? {}) as Args;
  if (/\/dispatch\/(query|mutation|compute)$/.test(route) && typeof body?.path === 'string') {
    return { kind: 'dispatch', path: body.path, args };
  }
  if (/\/(query|mutation)\/adhoc$/.test(route) && typeof body?.source === 'string') {
    const module = typeof body.module === 'string' && { module: body.module };
    return { kind: 'adhoc', source: body.source, ...module, args };
  }
  if (!/^\/v1(\/forks\/[^/]+)?\/batch$/.test(route)) return undefined;
  const missing = missingWords(request);
  return { kind: 'batch', ...(missing === undefined ? readBatchBody(body) : { problem: missing }) };
}

function missingWords({ body, erased }: RequestDetail): string | undefined {
  if (erased === true) return ERASED_WORDS;
  return body?.cut === true ? 'The log truncated the request body.' : undefined;
}
