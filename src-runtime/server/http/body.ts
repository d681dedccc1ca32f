/** Reads request bodies. Failures are reported in the order size, content type, JSON. */

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { jsonWords } from '../../base/json-words.js';
import type { MaybePromise } from '../../base/ports.js';
import { drive } from '../../engine/index.js';
import type { Arrivals } from './arrivals.js';
import { cancellationOf, createDeadline } from './deadline.js';
import { badRequest, tooLarge } from './envelope.js';
import type { JsonLines } from './json-lines.js';
import { LINES_CONTENT_TYPE, readLines } from './json-lines.js';
import { decodeText, parseJson, parseLongJson } from './json-text.js';

export const ARTIFACT_CONTENT_TYPE = 'application/vnd.entail.artifact+json';

/** What a route takes as its body: JSON that its schema checks, the same with its rows as JSON lines, or an artifact as bytes. */
export type BodyKind = 'json' | 'rows' | 'artifact';

declare module 'fastify' {
  interface FastifyRequest {
    /** The rows of a body of JSON lines. */
    lines: JsonLines | undefined;
  }
}

/** Stands for the rows of JSON lines while a schema checks the rest of the body. The rows are checked as they are read. */
const ROWS_TO_COME: readonly unknown[] = [{}];

/** Takes any content type, so that a body that is too large is refused for its size and not for its type. */
export function registerBodyParser(app: FastifyInstance, { end }: Pick<Arrivals, 'end'>): void {
  app.removeAllContentTypeParsers();
  // Fastify caches the parser of a type only if the type is named.
  for (const contentType of [JSON_TYPE, '*']) {
    app.addContentTypeParser(contentType, { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
      end(request.raw);
      const body = decodeBody(request, bytes);
      if (body instanceof Promise) return body;
      done(null, body);
      return undefined;
    });
  }
  app.decorateRequest('lines');
  app.addContentTypeParser(LINES_CONTENT_TYPE, (request: FastifyRequest, payload: IncomingMessage) =>
    // The rest of a refused body is read and dropped. Otherwise the connection would be reset before the client reads the response.
    readRows(request, payload, app).finally(() => payload.resume()),
  );
}

/** The first line is the body without its rows. */
async function readRows(request: FastifyRequest, payload: IncomingMessage, app: FastifyInstance): Promise<unknown> {
  checkEncoding(request);
  checkContentType(request.headers['content-type'] ?? '', request.routeOptions.config.body ?? 'json');
  const { head, lines } = await readLines(
    payload.iterator({ destroyOnReturn: false }),
    app.initialConfig.bodyLimit ?? 0,
  );
  if (request.recording !== undefined) request.recording.body = head;
  const body = parseJson(head);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest(`Expected a JSON object in the first line, got ${jsonWords(body)}.`);
  }
  if (lines.count === 0) throw badRequest('Expected rows after the first line, got none.', { path: '$.rows' });
  request.lines = lines;
  return { ...body, rows: ROWS_TO_COME };
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
  if (!isStream(request) && Number(request.headers['content-length'] ?? 0) > bodyBytesMax) throw tooLarge(bodyBytesMax);
}

/** A body of lines may be of any length and take any time, because its limits are those of a line. */
export function isStream({ routeOptions, headers }: FastifyRequest): boolean {
  return routeOptions.config.body === 'rows' && isLines(headers['content-type']);
}

function checkEncoding({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return;
  throw badRequest(`The body is encoded as "${encoding}"; send it without a content-encoding.`);
}

function decodeBody(request: FastifyRequest, bytes: Buffer): MaybePromise<unknown> {
  const { recording } = request;
  if (recording !== undefined) recording.body = bytes;
  checkEncoding(request);
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
  const contentType = essenceOf(header);
  const expected = EXPECTED[kind];
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

function isLines(header: string | undefined): boolean {
  return header !== undefined && essenceOf(header) === LINES_CONTENT_TYPE;
}

function essenceOf(header: string): string {
  return header.split(';')[0]?.trim().toLowerCase() ?? '';
}

const JSON_TYPE = 'application/json';

const EXPECTED: Readonly<Record<BodyKind, readonly string[]>> = {
  json: [JSON_TYPE],
  rows: [JSON_TYPE, LINES_CONTENT_TYPE],
  artifact: [ARTIFACT_CONTENT_TYPE, JSON_TYPE],
};
