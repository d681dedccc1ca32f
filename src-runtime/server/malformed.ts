/** Answers what never became a request: malformed HTTP on the socket, in the same envelope as every other failure. */

import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '../api/errors.js';
import { badRequest, envelopeText } from './envelope.js';
import { freshRequestId } from './request-id.js';

/** For Fastify's `clientErrorHandler`. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex, moduleHash: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  answerRaw(socket, clientError(error.code), moduleHash);
}

/** CONNECT asks for a tunnel, which Node hands over as a bare socket and no router sees. */
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
      'The request does not begin with a method that is known; send GET, POST, PUT or DELETE over http.',
    );
  }
  return badRequest('The request is not well-formed HTTP/1.1.');
}

function answerRaw(socket: Duplex, error: ApiError, moduleHash: string): void {
  const requestId = freshRequestId();
  const body = envelopeText(error, requestId, moduleHash);
  const reason = error.status === 408 ? 'Request Timeout' : 'Bad Request';
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${reason}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
