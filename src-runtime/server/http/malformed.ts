/** Responds to malformed HTTP, which never becomes a request, with the error envelope. */

import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '../../api/errors.js';
import { badRequest, envelopeText } from './envelope.js';
import { type RequestHead, unknownMethodHead } from './request-head.js';
import { freshRequestId, requestIdOf } from './request-id.js';
import { allowOf } from './unrouted.js';

/**
 * For Fastify's `clientErrorHandler`. A request with a method that Node does not know is well-formed: `refuse` returns its error.
 */
export function respondToClientError(
  error: Error & { readonly code?: string; readonly rawPacket?: unknown },
  socket: Duplex,
  moduleHash: string,
  refuse: (head: RequestHead) => ApiError,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const { code, rawPacket } = error;
  const head = code === 'HPE_INVALID_METHOD' && Buffer.isBuffer(rawPacket) ? unknownMethodHead(rawPacket) : undefined;
  if (head !== undefined) answerRaw(socket, refuse(head), moduleHash, requestIdOf(head));
  else answerRaw(socket, clientError(code), moduleHash);
}

/** Node passes CONNECT requests on as bare sockets, which no router sees. */
export function refuseTunnels(server: Server, moduleHash: () => string): void {
  server.on('connect', (_request, socket: Duplex) => {
    answerRaw(socket, badRequest('CONNECT is not supported; this server is no proxy.'), moduleHash());
  });
}

function clientError(code: string | undefined): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('SVC_RUNTIME_REQUEST_TIMEOUT', 'The request did not arrive in time; send it again.');
  }
  if (code === 'HPE_HEADER_OVERFLOW') return badRequest('The headers of the request are too large; send fewer.');
  if (code === 'HPE_INVALID_METHOD') {
    return badRequest(
      'The request does not begin with a method that is known; send GET, POST, PUT, PATCH or DELETE over http.',
    );
  }
  return badRequest('The request is not well-formed HTTP/1.1.');
}

function answerRaw(socket: Duplex, error: ApiError, moduleHash: string, requestId = freshRequestId()): void {
  const body = envelopeText(error, requestId, moduleHash);
  const allow = allowOf(error);
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
      ...(allow === undefined ? [] : [`allow: ${allow}`]),
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
