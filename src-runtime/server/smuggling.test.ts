/**
 * Bytes that two HTTP parsers may split differently, which can hide a request inside another. Each is refused in the envelope or gets one
 * response, and nothing after it is run.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkContract } from './testing/contract.js';
import { createFakeRuntime } from './testing/fake-runtime.js';
import { serveFake, type TestServer } from './testing/http.js';
import { exchange } from './testing/raw-http.js';

const TOKEN = 'authorization: Bearer test-token';
const HIDDEN = `GET /v1/schema HTTP/1.1\r\nhost: 127.0.0.1\r\n${TOKEN}\r\n\r\n`;
const QUERY = '{"path":"a::b"}';

let server: TestServer;
beforeAll(async () => {
  server = await serveFake(createFakeRuntime());
});
afterAll(() => server.close());

/** A POST with these header lines and this body, then a request that must get no response. */
function post(lines: readonly string[], body = ''): string {
  const head = ['POST /v1/dispatch/query HTTP/1.1', 'host: 127.0.0.1', TOKEN, 'content-type: application/json'];
  return `${[...head, ...lines].join('\r\n')}\r\n\r\n${body}${HIDDEN}`;
}

function get(lines: readonly string[], start = 'GET /v1/errors HTTP/1.1'): string {
  return `${[start, 'host: 127.0.0.1', TOKEN, ...lines].join('\r\n')}\r\n\r\n${HIDDEN}`;
}

const CHUNKED = `f\r\n${QUERY}\r\n0\r\n\r\n`;

describe('a request with an ambiguous end is refused with everything after it', () => {
  it.each([
    ['a length and chunks', post(['content-length: 5', 'transfer-encoding: chunked'], CHUNKED)],
    ['chunks and a length', post(['transfer-encoding: chunked', 'content-length: 5'], CHUNKED)],
    ['two lengths', post(['content-length: 15', 'content-length: 16'], QUERY)],
    ['one length twice', post(['content-length: 15', 'content-length: 15'], QUERY)],
    ['a list of lengths', post(['content-length: 15, 15'], QUERY)],
    ['a length with a sign', post(['content-length: +15'], QUERY)],
    ['a length in hexadecimal', post(['content-length: 0xf'], QUERY)],
    ['a length beyond all numbers', post(['content-length: 99999999999999999999'], QUERY)],
    ['an encoding that is no chunking', post(['transfer-encoding: xchunked'], CHUNKED)],
    ['chunking that is not last', post(['transfer-encoding: chunked, identity'], CHUNKED)],
    ['chunking twice', post(['transfer-encoding: chunked', 'transfer-encoding: identity'], CHUNKED)],
    ['a blank before the colon', post(['transfer-encoding : chunked'], CHUNKED)],
    ['a chunk size that is none', post(['transfer-encoding: chunked'], `g\r\n${QUERY}\r\n0\r\n\r\n`)],
    ['a chunk size that overflows', post(['transfer-encoding: chunked'], `fffffffffffffffff\r\n${QUERY}\r\n0\r\n\r\n`)],
    ['a chunk longer than it says', post(['transfer-encoding: chunked'], `3\r\n${QUERY}\r\n0\r\n\r\n`)],
    ['a header folded onto two lines', get(['x-fork-id: main', ' transfer-encoding: chunked'])],
    ['lines that end in a bare LF', get(['x-a: 1\ntransfer-encoding: chunked'])],
    ['lines that end in a bare CR', get(['x-a: 1\rtransfer-encoding: chunked'])],
    ['a NUL in a header', get(['x-fork-id: ma\0in'])],
    ['a header line without a colon', get(['x-fork-id'])],
    ['a version that is none', get([], 'GET /v1/errors HTTP/9.9')],
    ['no version', get([], 'GET /v1/errors')],
    ['the preface of HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${HIDDEN}`],
    ['a TLS hello', `\u0016\u0003\u0001\u0002\0\u0001${HIDDEN}`],
  ])('%s', async (_name, bytes) => {
    const answers = await exchange(server.port, [Buffer.from(bytes, 'latin1')]);
    // Without a version the first line is a separate request, which is refused before the rest.
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
    for (const { status, headers, body } of answers) {
      const contentType = headers['content-type'] ?? '';
      await checkContract({
        ...{ method: 'POST', path: '/v1/dispatch/query', status, contentType, text: body },
        requestId: headers['x-request-id'] ?? null,
      });
    }
    expect((await server.call('GET', '/v1/errors')).status).toBe(200);
  });
});

describe('a declared body is not parsed as a request', () => {
  it.each([
    ['of a GET', `GET /v1/errors HTTP/1.1\r\nhost: 127.0.0.1\r\n${TOKEN}\r\ncontent-length: ${HIDDEN.length}\r\n`],
    ['of a route that is none', `POST /v1/none HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${HIDDEN.length}\r\n`],
    ['of one that is refused', `POST /v1/batch HTTP/1.1\r\nhost: evil.example\r\ncontent-length: ${HIDDEN.length}\r\n`],
  ])('%s', async (_name, head) => {
    const last = `GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`;
    const answers = await exchange(server.port, [Buffer.from(`${head}\r\n${HIDDEN}${last}`)]);
    expect(answers.length).toBeLessThanOrEqual(2);
    expect(answers.map(({ body }) => body).join()).not.toContain('"concepts"');
  });
});

describe('a request with two hosts is refused', () => {
  it.each(['127.0.0.1', 'evil.example'])('if the second is %s', async (second) => {
    const head = `GET /v1/errors HTTP/1.1\r\nhost: 127.0.0.1\r\nhost: ${second}\r\n${TOKEN}\r\n`;
    const [answer] = await exchange(server.port, [Buffer.from(`${head}connection: close\r\n\r\n`)]);
    expect([answer?.status, answer?.body]).toEqual([400, expect.stringContaining('Host')]);
  });
});

describe('values from the client', () => {
  it('do not get into the headers of the response', async () => {
    const head = `GET /v1/%0d%0ax-injected:%201 HTTP/1.1\r\nhost: 127.0.0.1\r\n${TOKEN}\r\n`;
    const bytes = `${head}x-request-id: a%0d%0ax-injected: 1\r\nconnection: close\r\n\r\n`;
    const [answer] = await exchange(server.port, [Buffer.from(bytes)]);
    expect([answer?.status, answer?.headers['x-injected']]).toEqual([404, undefined]);
  });
});

describe('a body that does not arrive', () => {
  it.each([
    ['JSON', post(['content-length: 9999'], QUERY)],
    [
      'JSON lines',
      post(['content-length: 9999'], QUERY).replace('dispatch/query', 'import').replace('json', 'x-ndjson'),
    ],
  ])('times out as %s, with a response in the envelope', async (_, bytes) => {
    const impatient = await serveFake(createFakeRuntime(), { arrivalMs: 50 });
    const [answer] = await exchange(impatient.port, [Buffer.from(bytes)]);
    await impatient.close();
    expect([answer?.status, answer?.body]).toEqual([408, expect.stringContaining('SVC_RUNTIME_REQUEST_TIMEOUT')]);
  });
});
