/** Turns whatever was thrown into the one shape that failures have on the wire. */

import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../api/errors.js';
import type { ErrorEnvelope } from '../../api/schemas/schemas.js';
import { DeadlineExceeded, RequestCancelled } from '../../base/ports.js';
import { StorageError } from '../../storage/event-store.js';
import { refusedByDisk, timedOut } from '../../world/wire/faults.js';

/** The ApiError that stands for `thrown` on the wire; what the client need not know stays in its `cause`. */
function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof DeadlineExceeded) return timedOut(thrown);
  // Nobody reads this one. Its code is one that is not logged as a fault of the server.
  if (thrown instanceof RequestCancelled) {
    return new ApiError('SVC_RUNTIME_REQUEST_TIMEOUT', 'The client closed the connection; nothing was kept.');
  }
  if (thrown instanceof StorageError) return refusedByDisk(thrown, 'The storage could not complete the operation');
  return fromFramework(thrown) ?? internalError(thrown);
}

function internalError(cause: unknown): ApiError {
  return new ApiError(
    'SVC_RUNTIME_INTERNAL_ERROR',
    'The server failed unexpectedly; its log has the cause under the request id.',
    {},
    { cause },
  );
}

export function badRequest(message: string, details: Record<string, unknown> = {}): ApiError {
  return new ApiError('SVC_RUNTIME_VALIDATION_FAILED', message, details);
}

interface RenderedFailure {
  readonly error: ApiError;
  readonly text: string;
}

/** The failure and its envelope as text. A fault of the server's goes to the log, with what was behind it where something was. */
export function reportFailure(
  thrown: unknown,
  request: FastifyRequest,
  runtime: { readonly moduleHash: string },
): RenderedFailure {
  const rendered = renderFailure(thrown, request.id, runtime);
  const { status, code, message, cause } = rendered.error;
  if (status >= 500) {
    request.log.error({ requestId: request.id, code, ...(cause !== undefined && { err: cause }) }, message);
  }
  return rendered;
}

/** Details that JSON cannot carry are a fault of ours and answered as one. */
function renderFailure(thrown: unknown, requestId: string, runtime: { readonly moduleHash: string }): RenderedFailure {
  const error = toApiError(thrown);
  try {
    return { error, text: envelopeText(error, requestId, runtime.moduleHash) };
  } catch (cause) {
    const internal = internalError(cause);
    return { error: internal, text: envelopeText(internal, requestId, '') };
  }
}

export function envelopeText(error: ApiError, requestId: string, moduleHash: string): string {
  const { code } = error;
  const message = cut(error.message, MESSAGE_LENGTH_MAX);
  const details = Object.fromEntries(
    Object.entries(error.details).map(([key, value]) => [
      key,
      typeof value === 'string' ? cut(value, DETAIL_LENGTH_MAX) : value,
    ]),
  );
  return JSON.stringify({ error: { code, message, details }, requestId, moduleHash } satisfies ErrorEnvelope);
}

/** A received value is named in a failure, and may be as long as a body. Nobody reads more of it than this. */
const MESSAGE_LENGTH_MAX = 4000;
const DETAIL_LENGTH_MAX = 1000;

function cut(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text;
}

/** Fastify's own errors with a 4xx status: what the client sent could not be read. */
function fromFramework(thrown: unknown): ApiError | undefined {
  if (!(thrown instanceof Error) || !('statusCode' in thrown)) return undefined;
  const status = Number(thrown.statusCode);
  if (!(status >= 400 && status < 500)) return undefined;
  const code = 'code' in thrown ? String(thrown.code) : '';
  return new ApiError('SVC_RUNTIME_VALIDATION_FAILED', FRAMEWORK_MESSAGES[code] ?? UNREADABLE, {}, { cause: thrown });
}

const UNREADABLE = 'The request could not be read; send well-formed HTTP with a JSON body.';

const FRAMEWORK_MESSAGES: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'The path is not well-formed; percent-encode it as UTF-8.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The content type is not well-formed; send "content-type: application/json".',
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'The body has no content type; send "content-type: application/json".',
};
