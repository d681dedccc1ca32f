/** Reads request bodies: size first, then content type, then JSON, which is the order in which failures are told. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../api/errors.js';
import { invariant } from '../../base/invariant.js';
import type { MaybePromise } from '../../base/ports.js';
import { drive } from '../../engine/index.js';
import { cancellationOf, createDeadline } from './deadline.js';
import { badRequest } from './envelope.js';
import { type BodyReader, GatheredRequest } from './gathered-request.js';
import { decodeText, parseJson, parseLongJson } from './json-text.js';

export const ARTIFACT_CONTENT_TYPE = 'application/vnd.entail.artifact+json';

/** What a route takes as its body: JSON to be checked by its schema, or the bytes as they are. */
export type BodyKind = 'json' | 'artifact';

/** Replaces Fastify's parsers by one that takes any content type, so that the size is looked at before the type. */
export function registerBodyParser(app: FastifyInstance, bodyBytesMax: number): void {
  const parse: BodyParser = (request, _payload, done) => {
    readAll(request, bodyBytesMax, (failure, bytes) => {
      if (failure !== undefined) return done(failure);
      try {
        const body = decodeBody(request, bytes);
        if (body instanceof Promise) body.then((parsed) => done(null, parsed), done);
        else done(null, body);
      } catch (error) {
        done(error as Error);
      }
    });
  };
  app.removeAllContentTypeParsers();
  // Fastify remembers which parser a type has only where the type is named.
  for (const contentType of [JSON_TYPE, '*']) app.addContentTypeParser(contentType, parse);
}

type BodyParser = (
  request: FastifyRequest,
  payload: unknown,
  done: (error: Error | null, body?: unknown) => void,
) => void;

/**
 * Nothing reads the body of a GET. What of it is still on its way when the answer has been sent would reset the
 * connection, and the end of a long answer would be lost.
 */
export function passOverBody(request: FastifyRequest, bodyBytesMax: number, done: (failure?: Error) => void): void {
  const { method, headers } = request;
  const isRead = method !== 'GET' && method !== 'HEAD';
  const isSent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (isRead || !isSent) done();
  else readAll(request, bodyBytesMax, done);
}

/** A body whose declared length is too much is refused before it is read. */
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
  // Many clients name the type of what they never send.
  if (bytes.length === 0) return undefined;
  const kind = request.routeOptions.config.body ?? 'json';
  checkContentType(request.headers['content-type'] ?? '', kind);
  if (kind === 'artifact') return bytes;
  const text = decodeText(bytes);
  // Takes less to keep than the bytes, once it is there.
  if (recording !== undefined) recording.body = text;
  if (text.length < LONG_CHARACTERS) return parseJson(text);
  return drive(parseLongJson(text), createDeadline(Number.POSITIVE_INFINITY, { isCancelled: cancellationOf(request) }));
}

/** From here on others have turns while a body is read. */
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

/**
 * Past the limit the rest is read and thrown away, so that the client gets to see the answer rather than a reset
 * connection; a client that goes on beyond all reason is cut off.
 */
function readAll({ raw }: FastifyRequest, bytesMax: number, done: BodyDone): void {
  invariant(raw instanceof GatheredRequest, 'requests are made by the server that this one is');
  raw.readBody(new BoundedBody(raw, bytesMax, done));
}

type BodyDone = (failure: Error | undefined, bytes: Buffer) => void;

class BoundedBody implements BodyReader {
  private readonly request: GatheredRequest;
  private readonly bytesMax: number;
  private readonly done: BodyDone;
  private chunks: Buffer[] | undefined = [];
  private length = 0;

  constructor(request: GatheredRequest, bytesMax: number, done: BodyDone) {
    this.request = request;
    this.bytesMax = bytesMax;
    this.done = done;
  }

  onPart(chunk: Buffer): void {
    this.length += chunk.length;
    if (this.length <= this.bytesMax) {
      this.chunks?.push(chunk);
      return;
    }
    const isFirst = this.chunks !== undefined;
    this.chunks = undefined;
    if (this.length > DISCARDED_MAX_FACTOR * this.bytesMax) this.request.destroy();
    if (isFirst) this.done(tooLarge(this.bytesMax), NO_BYTES);
  }

  onWhole(): void {
    const { chunks } = this;
    if (chunks === undefined) return;
    this.done(undefined, chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
  }

  onLost(): void {
    if (this.chunks === undefined) return;
    this.chunks = undefined;
    this.done(badRequest('The body ended before it was whole; send it again.'), NO_BYTES);
  }
}

const NO_BYTES = Buffer.alloc(0);
const DISCARDED_MAX_FACTOR = 16;

function tooLarge(bytesMax: number): ApiError {
  return new ApiError(
    'SVC_RUNTIME_REQUEST_TOO_LARGE',
    `The body is larger than ${bytesMax} bytes; send less, or raise the body limit of the server.`,
    { limitBytes: bytesMax },
  );
}
