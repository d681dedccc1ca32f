/** Logged requests become an HTTP archive. */

import { expect, it } from 'vitest';
import type { RequestDetail } from '../../../../src-runtime/api/schemas/request-log.js';
import { harOf } from './har.js';

const request = (more: Partial<RequestDetail>): RequestDetail => ({
  seq: 1,
  requestId: 'r1',
  at: '2026-01-01T00:00:00.000Z',
  method: 'POST',
  path: '/v1/dispatch/query?limit=2&x=a%20b',
  status: 200,
  ms: 12.5,
  bytes: 20,
  moduleHash: '',
  headers: { 'content-type': 'application/json', 'x-fork-id': 'main' },
  body: { text: '{"path":"m::q"}', bytes: 15, cut: false },
  answerHeaders: { 'content-type': 'application/json; charset=utf-8' },
  answer: { text: '{"result":[]', bytes: 20, cut: true },
  ...more,
});

it('exports requests and responses in order of arrival', () => {
  const later = request({ seq: 2, requestId: 'r2', method: 'GET', path: '/v1/schema', body: null, answer: null });
  const { log } = harOf([later, request({})], 'http://127.0.0.1:8080', '1.0') as {
    log: { entries: Record<string, Record<string, unknown>>[]; version: string; creator: unknown };
  };
  expect([log.version, log.creator]).toEqual(['1.2', { name: 'Entail', version: '1.0' }]);
  expect(log.entries.map(({ comment }) => comment)).toEqual(['r1', 'r2']);
  const [first, second] = log.entries;
  expect(first).toMatchObject({
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 12.5,
    timings: { send: 0, wait: 12.5, receive: 0 },
  });
  expect(first?.['request']).toMatchObject({
    method: 'POST',
    url: 'http://127.0.0.1:8080/v1/dispatch/query?limit=2&x=a%20b',
    queryString: [
      { name: 'limit', value: '2' },
      { name: 'x', value: 'a b' },
    ],
    headers: [
      { name: 'content-type', value: 'application/json' },
      { name: 'x-fork-id', value: 'main' },
    ],
    postData: { mimeType: 'application/json', text: '{"path":"m::q"}' },
    bodySize: 15,
  });
  expect(first?.['response']).toMatchObject({
    status: 200,
    content: {
      size: 20,
      mimeType: 'application/json; charset=utf-8',
      text: '{"result":[]',
      comment: 'Truncated by the log: 12 characters of 20 bytes.',
    },
  });
  expect(second?.['request']).not.toHaveProperty('postData');
  expect(second?.['response']).not.toHaveProperty('content.text');
});

it('exports timings in HAR phases and in those of the server', () => {
  const phases = [
    { phase: 'receiving', ms: 1 },
    { phase: 'evaluating', ms: 8 },
    { phase: 'encoding', ms: 1.5 },
    { phase: 'sending', ms: 2 },
  ] as const;
  const { log } = harOf([request({ phases: [...phases] })], '', '1.0') as { log: { entries: { timings: unknown }[] } };
  expect(log.entries[0]?.timings).toEqual({
    ...{ send: 1, wait: 9.5, receive: 2 },
    ...{ _receiving: 1, _evaluating: 8, _encoding: 1.5, _sending: 2 },
  });
});
