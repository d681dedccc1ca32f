/** The requests that each filter of the log matches. */

import { describe, expect, it } from 'vitest';
import { isOwnReading, matchesRequest } from './request-filter.js';
import type { RequestFilter, RequestSummary } from './schemas/request-log.js';

const REFUSED: RequestSummary = {
  seq: 7,
  requestId: 'abc-1',
  at: '2026-01-01T00:00:00.000Z',
  method: 'POST',
  path: '/v1/dispatch/mutation?dryRun=true',
  status: 400,
  ms: 1.5,
  code: 'SVC_RUNTIME_CHECK_VIOLATION',
  fork: 'what-if',
  tenant: 'acme',
  subject: 'lease::sign',
  client: 'workbench',
  bytes: 120,
};

describe('a filter matches', () => {
  it.each<[RequestFilter, RequestFilter]>([
    [{ status: '400' }, { status: '404' }],
    [{ status: '4xx' }, { status: '2xx' }],
    [{ code: 'SVC_RUNTIME_CHECK_VIOLATION' }, { code: 'SVC_RUNTIME_CHECK' }],
    [{ method: 'post' }, { method: 'GET' }],
    [{ fork: 'what-if' }, { fork: 'main' }],
    [{ tenant: 'acme' }, { tenant: 'globex' }],
    [{ client: 'workbench' }, { client: 'ci' }],
    [{ notClient: 'ci' }, { notClient: 'workbench' }],
    [{ text: 'DISPATCH' }, { text: 'adhoc' }],
    [{ text: 'lease::S' }, { text: 'lease::end' }],
    [{ text: 'abc-' }, { text: 'abd-' }],
    [{ text: 'WORK sign ' }, { text: 'work signed' }],
    [{ text: 'sign -query' }, { text: 'sign -MUTATION' }],
    [{ text: '-' }, { text: '-a' }],
    [
      { status: '4xx', method: 'POST' },
      { status: '4xx', method: 'GET' },
    ],
    [{}, { text: 'nothing of it' }],
  ])('%j and not %j', (fitting, other) => {
    expect([matchesRequest(REFUSED, fitting), matchesRequest(REFUSED, other)]).toEqual([true, false]);
  });
});

describe('a request of the workbench itself', () => {
  const isRead = (change: Partial<RequestSummary>) => isOwnReading({ ...REFUSED, status: 200, ...change });

  it('is a successful read or explanation', () => {
    expect(isRead({ method: 'GET', path: '/v1/schema' })).toBe(true);
    expect(isRead({ path: '/v1/explain' })).toBe(true);
    expect(isRead({ path: '/v1/live' })).toBe(true);
    expect(isRead({ method: 'GET', path: '/v1/schema', status: 500 })).toBe(false);
    expect(isRead({ method: 'GET', path: '/v1/schema', client: 'ci' })).toBe(false);
    expect(isRead({})).toBe(false);
  });

  it('may be the repeated call that proves a refusal, and is refused again', () => {
    for (const path of ['/v1/batch?explain=true&dryRun=true', '/v1/dispatch/mutation?dryRun=true&explain=true']) {
      expect(isRead({ path, status: 400 })).toBe(true);
      expect(isRead({ path, status: 400, client: 'ci' })).toBe(false);
    }
    expect(isRead({ path: '/v1/dispatch/mutation?explain=true', status: 400 })).toBe(false);
  });

  it('is not a dry run that the user started', () => {
    for (const route of ['dispatch/mutation', 'mutation/adhoc', 'batch', 'forks/f/batch']) {
      const path = `/v1/${route}?dryRun=true&effects=true&explain=true`;
      expect(isRead({ path })).toBe(false);
      expect(isRead({ path, status: 400 })).toBe(false);
    }
    expect(isRead({ path: '/v1/forks/f/pick?dryRun=true&effects=true&explain=true' })).toBe(true);
  });
});
