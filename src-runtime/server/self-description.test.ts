/** What the server says of itself: every route, in OpenAPI. */

import { afterEach, describe, expect, it } from 'vitest';
import { createFakeRuntime } from './testing/fake-runtime.js';
import { serveFake, type TestServer } from './testing/http.js';

let server: TestServer;
afterEach(() => server.close());

describe('what the server says of itself', () => {
  it('GET /v1/openapi.json describes every route in OpenAPI 3.1', async () => {
    server = await serveFake(createFakeRuntime());
    const { body } = await server.call('GET', '/v1/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    expect(Object.keys(body.paths['/v1/module'].put.requestBody.content)).toEqual([
      'application/vnd.entail.artifact+json',
    ]);
    expect(Object.keys(body.paths).sort()).toEqual([
      '/healthz',
      '/readyz',
      '/v1/batch',
      '/v1/checks',
      '/v1/checks/states',
      '/v1/counts',
      '/v1/derived/facts/{factId}/explain',
      '/v1/derived/individuals/{id}',
      '/v1/derived/individuals/{id}/explain',
      '/v1/dispatch/compute',
      '/v1/dispatch/mutation',
      '/v1/dispatch/query',
      '/v1/dispatch/query/explain',
      '/v1/dispatch/query/profile',
      '/v1/errors',
      '/v1/events',
      '/v1/explain',
      '/v1/forks',
      '/v1/forks/{fork}',
      '/v1/forks/{fork}/batch',
      '/v1/forks/{fork}/checks',
      '/v1/forks/{fork}/checks/states',
      '/v1/forks/{fork}/derive',
      '/v1/forks/{fork}/derive/trace',
      '/v1/forks/{fork}/derived',
      '/v1/forks/{fork}/diff/{other}',
      '/v1/forks/{fork}/diff/{other}/counts',
      '/v1/forks/{fork}/dispatch/compute',
      '/v1/forks/{fork}/dispatch/mutation',
      '/v1/forks/{fork}/dispatch/query',
      '/v1/forks/{fork}/dispatch/query/explain',
      '/v1/forks/{fork}/dispatch/query/profile',
      '/v1/forks/{fork}/explain',
      '/v1/forks/{fork}/import',
      '/v1/forks/{fork}/mutation/adhoc',
      '/v1/forks/{fork}/pick',
      '/v1/forks/{fork}/promote',
      '/v1/forks/{fork}/promote/undo',
      '/v1/forks/{fork}/promotion',
      '/v1/forks/{fork}/promotion/counts',
      '/v1/forks/{fork}/query/adhoc',
      '/v1/forks/{fork}/query/adhoc/explain',
      '/v1/forks/{fork}/query/adhoc/profile',
      '/v1/forks/{fork}/update',
      '/v1/forks/{fork}/update/counts',
      '/v1/health',
      '/v1/import',
      '/v1/individuals',
      '/v1/individuals/{id}',
      '/v1/module',
      '/v1/module/artifact',
      '/v1/module/change',
      '/v1/module/collections',
      '/v1/module/collections/{name}',
      '/v1/module/environments',
      '/v1/module/environments/{name}',
      '/v1/module/reload',
      '/v1/module/sources',
      '/v1/mutation/adhoc',
      '/v1/openapi.json',
      '/v1/query/adhoc',
      '/v1/query/adhoc/explain',
      '/v1/query/adhoc/profile',
      '/v1/relations/{path}',
      '/v1/requests',
      '/v1/requests/{requestId}',
      '/v1/schema',
      '/v1/snapshot',
      '/v1/stored/individuals/{id}',
      '/v1/tests',
      '/v1/tests/coverage',
      '/v1/tests/run',
      '/v1/tests/try',
      '/v1/transactions',
      '/v1/transactions/{txn}',
      '/v1/transactions/{txn}/effects',
      '/v1/transactions/{txn}/undo',
    ]);
  });
});
