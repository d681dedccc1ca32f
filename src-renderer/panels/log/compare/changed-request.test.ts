/** The edited text is what is sent; problems are shown before. */

import { describe, expect, it } from 'vitest';
import type { RequestDetail } from '../../../../src-runtime/api/schemas/request-log.js';
import { sentHeaders } from '../request-text.js';
import { requestRow } from '../testing/request-rows.js';
import { draftOf, readDraft } from './changed-request.js';

const REQUEST: RequestDetail = {
  ...requestRow(1, { method: 'POST', path: '/v1/explain' }),
  moduleHash: '',
  headers: { 'content-type': 'application/json', 'user-agent': 'ci', 'x-fork-id': 'main', 'x-tenant-id': 'north' },
  body: { text: '{"relation":"lease::liable","depth":3}', bytes: 38, cut: false },
  answerHeaders: {},
  answer: null,
};

describe('the draft of a request', () => {
  it('equals the original request until it is edited', () => {
    const read = readDraft(REQUEST, draftOf(REQUEST));
    if (!('request' in read)) throw new Error('It cannot be sent.');
    expect(sentHeaders(read.request)).toEqual(sentHeaders(REQUEST));
    expect(JSON.parse(read.request.body?.text ?? '')).toEqual(JSON.parse(REQUEST.body?.text ?? ''));
  });

  it('sends the edited fork, context and body, without removed headers', () => {
    const read = readDraft(REQUEST, { headers: 'X-Fork-Id: what-if\n\nx-context-region: a: b\n', body: '[]' });
    if (!('request' in read)) throw new Error('It cannot be sent.');
    expect(sentHeaders(read.request)).toEqual([
      ['content-type', 'application/json'],
      ['x-fork-id', 'what-if'],
      ['x-context-region', 'a: b'],
    ]);
    expect(read.request.body?.text).toBe('[]');
    expect(read.request.path).toBe('/v1/explain');
  });

  it('leaves a body unformatted if formatting would lose digits', () => {
    const text = '{"rent":1.10,"id":12345678901234567890}';
    expect(draftOf({ ...REQUEST, body: { text, bytes: 39, cut: false } }).body).toBe(text);
  });

  it.each([
    ['x-fork-id', '“x-fork-id” is not a header. Write a name, a colon and a value.'],
    ['Authorization: Bearer x', 'Authorization cannot be changed here. Change only fork and context headers.'],
    ['x-fork-id: a\nX-Fork-Id: b', 'x-fork-id appears twice.'],
  ])('is rejected with the headers %j', (headers, headersProblem) => {
    expect(readDraft(REQUEST, { headers, body: '{}' })).toEqual({ headersProblem });
  });

  it('is rejected with malformed JSON, unless the original body is not JSON', () => {
    expect(readDraft(REQUEST, { headers: '', body: '{"a":' })).toHaveProperty('bodyProblem');
    const table = { ...REQUEST, headers: { 'content-type': 'text/csv' } };
    expect(readDraft(table, { headers: '', body: 'a;b' })).toHaveProperty('request.body.text', 'a;b');
  });
});
