/** The typed client: the requests that it sends, and how it reports failures. */

import { describe, expect, it } from 'vitest';
import { createClient } from './client.js';
import { ApiFailure, ConnectionFailure } from './failures.js';

/** A fetch that records its arguments and returns this response. */
function answering(status: number, body: unknown) {
  const calls: { url: string; init: RequestInit }[] = [];
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const fake = async (url: unknown, init?: RequestInit) => {
    calls.push({ url: String(url), init: init ?? {} });
    return new Response(text, { status });
  };
  return { calls, client: createClient({ baseUrl: 'http://127.0.0.1:1', token: 't', fetch: fake as typeof fetch }) };
}

const FRAME = { requestId: 'r', moduleHash: 'h' };

describe('the client', () => {
  it('sends token, context, fork and paging, and returns the whole body', async () => {
    const { calls, client } = answering(200, { result: [], nextCursor: 'n', ...FRAME });
    const answer = await client.query(
      { path: 'a::b', args: { x: 1 } },
      { context: { tenantId: 'Zoë', fooBar: '1' }, fork: 'f', limit: 5, page: 'a b' },
    );
    expect(answer).toEqual({ result: [], nextCursor: 'n', ...FRAME });
    expect(calls[0]?.url).toBe('http://127.0.0.1:1/v1/dispatch/query?limit=5&page=a%20b');
    expect(calls[0]?.init).toMatchObject({
      method: 'POST',
      body: '{"path":"a::b","args":{"x":1}}',
      headers: {
        authorization: 'Bearer t',
        'content-type': 'application/json',
        'x-tenant-id': 'Zo\xc3\xab',
        'x-context-foo-bar': '1',
        'x-fork-id': 'f',
      },
    });
  });

  it('requests no larger page than the server allows, once that is known', async () => {
    const urls: string[] = [];
    const fake = async (url: unknown) => {
      urls.push(String(url));
      return new Response(JSON.stringify({ result: [], ...FRAME }));
    };
    let rowsMax: number | undefined;
    const client = createClient({ baseUrl: '', fetch: fake as typeof fetch, rowsMax: () => rowsMax });
    await client.individuals({ limit: 200 });
    rowsMax = 50;
    await client.individuals({ limit: 200 });
    await client.individuals({ limit: 20 });
    await client.individuals();
    expect(urls).toEqual(['?limit=200', '?limit=50', '?limit=20', ''].map((query) => `/v1/individuals${query}`));
  });

  it('sends its moment to whatever reads facts, and to writes, which the server refuses', async () => {
    const urls: string[] = [];
    const fake = async (url: unknown) => {
      urls.push(String(url));
      return new Response(JSON.stringify({ result: [], ...FRAME }));
    };
    let moment: number | undefined;
    const client = createClient({ baseUrl: '', fetch: fake as typeof fetch, asOf: () => moment });
    await client.counts();
    moment = 7;
    await client.counts();
    await client.mutation({ path: 'a::b' });
    await client.forks();
    await client.counts({ asOf: 3 });
    await client.counts({ asOf: undefined });
    await client.createFork({}, { asOf: undefined });
    expect(urls.map((url) => url.slice('/v1/'.length))).toEqual([
      'counts',
      'counts?asOf=7',
      'dispatch/mutation?asOf=7',
      'forks',
      'counts?asOf=3',
      'counts',
      'forks',
    ]);
  });

  it('sends ad-hoc bodies and batches to their routes', async () => {
    const { calls, client } = answering(200, { result: [], ...FRAME });
    await client.queryAdhoc({ source: 'query q() -> Int { value 1 }' }, { limit: 2 });
    await client.mutateAdhoc({ source: 'mutation m() { }', args: {} }, { dryRun: true });
    await client.batch({ steps: [{ query: 'a::b' }, { compute: 'a::c', args: { x: { $step: 0 } } }] });
    expect(calls.map(({ url, init }) => [url.slice('http://127.0.0.1:1'.length), init.body])).toEqual([
      ['/v1/query/adhoc?limit=2', '{"source":"query q() -> Int { value 1 }"}'],
      ['/v1/mutation/adhoc?dryRun=true', '{"source":"mutation m() { }","args":{}}'],
      ['/v1/batch', '{"steps":[{"query":"a::b"},{"compute":"a::c","args":{"x":{"$step":0}}}]}'],
    ]);
  });

  it('escapes reserved characters in a path', async () => {
    const { calls, client } = answering(200, { result: {}, ...FRAME });
    await client.individual('#i3');
    await client.relation('lease::active');
    expect(calls.map(({ url }) => url.slice('http://127.0.0.1:1'.length))).toEqual([
      '/v1/individuals/%23i3',
      '/v1/relations/lease%3A%3Aactive',
    ]);
  });

  it('names forks in the path', async () => {
    const { calls, client } = answering(200, { result: {}, ...FRAME });
    await client.createFork({ id: 'what if' });
    await client.promoteFork('what if', { dryRun: true });
    await client.diffForks('main', 'what if', { derived: true, limit: 5 });
    await client.diffForks('main', 'what if', { relation: 'a::b', limit: 5 });
    await client.diffCounts('main', 'what if', { layer: 'firings' });
    await client.previewPromotion('what if', { layer: 'derived' });
    await client.countPromotion('what if');
    await client.pickTransaction('what if', { from: 'main', txn: 7 }, { dryRun: true, keep: 'parent' });
    await client.deriveFork('what if');
    await client.forkProjection('what if');
    await client.deriveTrace('what if', { limit: 5 });
    await client.abortFork('what if');
    expect(calls.map(({ url, init }) => `${init.method} ${url.slice('http://127.0.0.1:1'.length)}`)).toEqual([
      'POST /v1/forks',
      'POST /v1/forks/what%20if/promote?dryRun=true',
      'GET /v1/forks/main/diff/what%20if?derived=true&limit=5',
      'GET /v1/forks/main/diff/what%20if?relation=a%3A%3Ab&limit=5',
      'GET /v1/forks/main/diff/what%20if/counts?layer=firings',
      'GET /v1/forks/what%20if/promotion?layer=derived',
      'GET /v1/forks/what%20if/promotion/counts',
      'POST /v1/forks/what%20if/pick?dryRun=true&keep=parent',
      'POST /v1/forks/what%20if/derive',
      'GET /v1/forks/what%20if/derived',
      'GET /v1/forks/what%20if/derive/trace?limit=5',
      'DELETE /v1/forks/what%20if',
    ]);
  });

  it('throws the envelope as an ApiFailure', async () => {
    const error = { code: 'SVC_RUNTIME_UNKNOWN_QUERY', message: 'No.', details: { path: 'a::b' } };
    const { client } = answering(404, { error, ...FRAME });
    const failure = await client.query({ path: 'a::b' }).catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(ApiFailure);
    expect(failure).toMatchObject({
      status: 404,
      code: error.code,
      message: 'No.',
      details: error.details,
      requestId: 'r',
    });
  });

  it.each([
    [502, '<html>Bad gateway</html>'],
    [200, 'null'],
    [200, '{}'],
  ])('rejects a %i with %s as a response', async (status, body) => {
    await expect(answering(status, body).client.health()).rejects.toThrow(ConnectionFailure);
  });

  it('names the address if there is no response', async () => {
    const refused = async () => {
      throw new TypeError('fetch failed');
    };
    const client = createClient({ baseUrl: 'http://127.0.0.1:1', fetch: refused });
    await expect(client.health()).rejects.toThrow("Can't reach http://127.0.0.1:1. Is it running?");
  });
});
