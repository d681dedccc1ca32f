/** Turns thrown errors into the error envelope. */

import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../api/errors.js';
import type { ErrorEnvelope } from '../../api/schemas/schemas.js';
import { DeadlineExceeded, RequestCancelled } from '../../base/ports.js';
import { StorageError } from '../../storage/event-store.js';
import { refusedByDisk, timedOut } from '../../world/wire/faults.js';

/** The ApiError that the client receives. What it need not know stays in `cause`. */
function toApiError(thrown: unknown, request: FastifyRequest): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof DeadlineExceeded) return timedOut(thrown);
  // The client never receives this one. Its status keeps it out of the error log.
  if (thrown instanceof RequestCancelled) {
    return new ApiError('SVC_RUNTIME_REQUEST_TIMEOUT', 'The client closed the connection; nothing was kept.');
  }
  if (thrown instanceof StorageError) return refusedByDisk(thrown, 'The storage could not complete the operation');
  return fromFramework(thrown, request) ?? internalError(thrown);
}

function internalError(cause: unknown): ApiError {
  return new ApiError(
    'SVC_RUNTIME_INTERNAL_ERROR',
    'The server failed unexpectedly; its log has the cause under the request id.',
    {},
    { cause },
  );
}

export function tooLarge(limitBytes: number): ApiError {
  return new ApiError(
    'SVC_RUNTIME_REQUEST_TOO_LARGE',
    `The body is larger than ${limitBytes} bytes; send less, or raise the body limit of the server.`,
    { limitBytes },
  );
}

export function badRequest(message: string, details: Record<string, unknown> = {}): ApiError {
  return new ApiError('SVC_RUNTIME_VALIDATION_FAILED', message, details);
}

interface RenderedFailure {
  readonly error: ApiError;
  readonly text: string;
}

/** The error and its envelope as text. Logs server faults with their cause. */
export function reportFailure(
  thrown: unknown,
  request: FastifyRequest,
  runtime: { readonly moduleHash: string },
): RenderedFailure {
  const rendered = renderFailure(thrown, request, runtime);
  const { status, code, message, cause } = rendered.error;
  if (status >= 500) {
    request.log.error({ requestId: request.id, code, ...(cause !== undefined && { err: cause }) }, message);
  }
  return rendered;
}

/** Details that cannot be serialized are a server fault. */
function renderFailure(
  thrown: unknown,
  request: FastifyRequest,
  runtime: { readonly moduleHash: string },
): RenderedFailure {
  const error = toApiError(thrown, request);
  try {
    return { error, text: envelopeText(error, request.id, runtime.moduleHash) };
  } catch (cause) {
    const internal = internalError(cause);
    return { error: internal, text: envelopeText(internal, request.id, '') };
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

/** Messages and details quote received values, which may be as long as a body. */
const MESSAGE_LENGTH_MAX = 4000;
const DETAIL_LENGTH_MAX = 1000;

function cut(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text;
}

/** Fastify reports requests that it cannot read as errors with a 4xx status. */
function fromFramework(thrown: unknown, request: FastifyRequest): ApiError | undefined {
  if (!(thrown instanceof Error) || !('statusCode' in thrown)) return undefined;
  const status = Number(thrown.statusCode);
  if (!(status >= 400 && status < 500)) return undefined;
  const code = 'code' in thrown ? String(thrown.code) : '';
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(request.routeOptions.bodyLimit);
  return new ApiError('SVC_RUNTIME_VALIDATION_FAILED', FRAMEWORK_MESSAGES[code] ?? UNREADABLE, {}, { cause: thrown });
}

const UNREADABLE = 'The request could not be read; send well-formed HTTP with a JSON body.';

const FRAMEWORK_MESSAGES: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'The path is not well-formed; percent-encode it as UTF-8.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The content type is not well-formed; send "content-type: application/json".',
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'The body has no content type; send "content-type: application/json".',
};
