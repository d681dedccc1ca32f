/** Reads request bodies. Failures are reported in the order size, content type, JSON. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MaybePromise } from '../../base/ports.js';
import { drive } from '../../engine/index.js';
import { cancellationOf, createDeadline } from './deadline.js';
import { badRequest, tooLarge } from './envelope.js';
import { decodeText, parseJson, parseLongJson } from './json-text.js';

export const ARTIFACT_CONTENT_TYPE = 'application/vnd.entail.artifact+json';

/** What a route takes as its body: JSON that its schema checks, or an artifact as bytes. */
export type BodyKind = 'json' | 'artifact';

/** Takes any content type, so that a body that is too large is refused for its size and not for its type. */
export function registerBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // Fastify caches the parser of a type only if the type is named.
  for (const contentType of [JSON_TYPE, '*']) {
    app.addContentTypeParser(contentType, { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
      const body = decodeBody(request, bytes);
      if (body instanceof Promise) return body;
      done(null, body);
      return undefined;
    });
  }
}

/**
 * Reads the body of a GET, which no route uses, before the request runs. If the client closes the connection after this
 * request, unread bytes would reset it, and the end of a long response would be lost.
 */
export function discardBody({ method, headers, raw }: FastifyRequest, done: () => void): void {
  const isParsed = method !== 'GET' && method !== 'HEAD';
  const isSent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (isParsed || !isSent) done();
  else raw.once('end', done).resume();
}

/** Refuses a body by its declared length, before it is read. */
export function checkDeclaredSize(request: FastifyRequest, bodyBytesMax: number): void {
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax) throw tooLarge(bodyBytesMax);
}

function decodeBody(request: FastifyRequest, bytes: Buffer): MaybePromise<unknown> {
  const { recording } = request;
  if (recording !== undefined) recording.body = bytes;
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== '') {
    throw badRequest(`The body is encoded as "${encoding}"; send it without a content-encoding.`);
  }
  // Many clients send a content type without a body.
  if (bytes.length === 0) return undefined;
  const kind = request.routeOptions.config.body ?? 'json';
  checkContentType(request.headers['content-type'] ?? '', kind);
  if (kind === 'artifact') return bytes;
  const text = decodeText(bytes);
  // The text takes less memory than the bytes, and exists anyway.
  if (recording !== undefined) recording.body = text;
  if (text.length < LONG_CHARACTERS) return parseJson(text);
  return drive(parseLongJson(text), createDeadline(Number.POSITIVE_INFINITY, { isCancelled: cancellationOf(request) }));
}

/** Longer bodies are parsed in time slices. */
const LONG_CHARACTERS = 262_144;

function checkContentType(header: string, kind: BodyKind): void {
  if (header === JSON_TYPE) return;
  const contentType = header.split(';')[0]?.trim().toLowerCase() ?? '';
  const expected = kind === 'artifact' ? [ARTIFACT_CONTENT_TYPE, JSON_TYPE] : [JSON_TYPE];
  if (expected.includes(contentType)) return;
  const received = contentType === '' ? 'no content type' : `"${contentType}"`;
  throw badRequest(
    `Expected a body of ${expected.join(' or ')}, got ${received}. Send it as "content-type: ${expected[0]}".`,
    {
      expected,
      received,
    },
  );
}

const JSON_TYPE = 'application/json';
