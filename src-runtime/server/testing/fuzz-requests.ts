/** Random requests to every route of the OpenAPI document, with callables, names and types of the module, and a few faults. */

import fc from 'fast-check';
import type { ServedSchema } from '../../api/schemas/module-schemas.js';
import type { ApiDocument, Operation } from '../http/api-document.js';
import { bodyFor, bytesOf } from './fuzz-bodies.js';
import { mostly, oddJson, oddText, seldom } from './fuzz-values.js';

export interface FuzzRequest {
  readonly method: string;
  /** As written on the request line. */
  readonly target: string;
  /** In latin1, the encoding of headers. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array | undefined;
  readonly chunked: boolean;
  /** The number of chunks, written in separate rounds of the event loop. */
  readonly pieces: number;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PURGE', 'M-SEARCH'];

export function fuzzRequests({ paths }: ApiDocument, schema: ServedSchema): fc.Arbitrary<FuzzRequest> {
  const names = [
    ...[...schema.concepts, ...schema.relations, ...schema.defines, ...schema.checks, ...schema.individuals],
    ...[...schema.queries, ...schema.mutations, ...schema.functions],
  ].map(({ path }) => path);
  const name = mostly(fc.constantFrom(...names), oddText);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return fc.constantFrom(...operations).chain(({ path, method, operation }) =>
    fc.record({
      method: mostly(fc.constant(method), fc.constantFrom(...METHODS)),
      target: targetOf(path, operation, name),
      headers: headersFor(path),
      body:
        operation.requestBody === undefined
          ? seldom(bytesOf(oddJson))
          : mostly<Uint8Array | undefined>(bodyFor(path, schema, name), seldom(bytesOf(oddJson))),
      chunked: fc.boolean(),
      pieces: mostly(fc.constant(1), fc.integer({ min: 2, max: 20 })),
    }),
  );
}

/** The bytes of the request, in chunks. */
export function piecesOf(request: FuzzRequest, token: string): Buffer[] {
  const { method, target, headers, body, chunked, pieces } = request;
  const framing = chunked ? 'transfer-encoding: chunked' : `content-length: ${body?.length ?? 0}`;
  const head = [
    `${method} ${target} HTTP/1.1`,
    'host: 127.0.0.1',
    'connection: close',
    `authorization: Bearer ${token}`,
    ...(body === undefined ? [] : [framing]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const sent = body !== undefined && chunked ? inChunks(body) : (body ?? new Uint8Array());
  const whole = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), sent]);
  const size = Math.ceil(whole.length / pieces);
  return Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
    whole.subarray(index * size, (index + 1) * size),
  );
}

function inChunks(body: Uint8Array): Buffer {
  const middle = Math.floor(body.length / 2);
  const chunks = [body.subarray(0, middle), body.subarray(middle)].filter(({ length }) => length > 0);
  const framed = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}\r\n`),
    chunk,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...framed, Buffer.from('0\r\n\r\n')]);
}

const SEGMENTS: Readonly<Record<string, readonly string[]>> = {
  fork: ['main', 'a', 'b'],
  other: ['main', 'a', 'b'],
  id: ['#i1', '#i2', '@lease::ada', 'acme'],
  factId: ['f0', '0'.repeat(64)],
};

function targetOf(pattern: string, { parameters = [] }: Operation, name: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const segmentOf = (parameter: string): fc.Arbitrary<string> => {
    const usual = SEGMENTS[parameter];
    return usual === undefined ? name : mostly(fc.constantFrom(...usual), oddText);
  };
  const known = parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name);
  const value = fc.oneof(name, oddText, fc.constantFrom('true', 'false', 'derived', '1', '3', '0', '999999999999999'));
  const pairs = fc.array(fc.tuple(mostly(fc.constantFrom(...known, 'limit'), oddText), value), { maxLength: 3 });
  const parts = pattern.split('/').map((part) => {
    const parameter = /^\{(.*)\}$/.exec(part)?.[1];
    return parameter === undefined ? fc.constant(part) : mostly(segmentOf(parameter).map(encoded), oddTarget);
  });
  const queryOf = (given: readonly (readonly [string, string])[]): string =>
    `?${given.map(([key, each]) => `${encoded(key)}=${encoded(each)}`).join('&')}`;
  return fc
    .tuple(fc.tuple(...parts), seldom(pairs), seldom(oddTarget))
    .map(([path, query, tail]) => `${path.join('/')}${query === undefined ? '' : queryOf(query)}${tail ?? ''}`);
}

/** Text without the characters that would end the request line. */
const oddTarget = oddText.map((text) => asLatin1(text).replace(/[\s\p{Cc}]/gu, '+'));

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function asLatin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

const CONTENT_TYPES = ['', 'text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', ';'];
const CHARSETS = ['', '; charset=utf-8', '; charset=utf-16', '; charset="', ';;'];

const HEADERS = [
  ...['x-fork-id', 'x-tenant-id', 'x-principal-id', 'x-context-now', 'x-context-tenant-id', 'x-context-'],
  ...['x-context-__proto__', 'x-context-constructor', 'x-request-id', 'accept', 'accept-encoding', 'content-encoding'],
  ...['last-event-id', 'expect', 'upgrade', 'origin', 'cookie', 'range', 'te', 'if-none-match', 'host', 'trailer'],
  ...['x-http-method-override', 'x-forwarded-host', 'forwarded', 'keep-alive'],
];
const HEADER_VALUES = [
  ...['main', 'a', 'text/event-stream', 'gzip', 'identity', '100-continue', 'websocket', '2026-01-31T10:00:00Z', '1'],
  ...['chunked', '127.0.0.1', 'evil.example'],
];

function headersFor(path: string): fc.Arbitrary<(readonly [string, string])[]> {
  const type = path === '/v1/module' ? 'application/vnd.entail.artifact+json' : 'application/json';
  const usual = fc.constantFrom(...CHARSETS).map((charset) => `${type}${charset}`);
  const value = fc.oneof(
    oddText.map((text) => asLatin1(text).replace(/[\r\n\0]/g, ' ')),
    fc.constantFrom(...HEADER_VALUES),
  );
  const odd = fc.array(fc.tuple(fc.constantFrom(...HEADERS), value), { maxLength: 3 });
  return fc
    .tuple(mostly(usual, fc.constantFrom(...CONTENT_TYPES)), seldom(odd))
    .map(([given, more]) => [['content-type', given] as const, ...(more ?? [])]);
}
