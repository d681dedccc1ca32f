/** A logged call opens in its panel, or says why not. */

import { describe, expect, it } from 'vitest';
import type { RequestDetail } from '../../../src-runtime/api/schemas/request-log.js';
import { openedCall } from './opened-call.js';
import { requestRow } from './testing/request-rows.js';

function opened(path: string, body: unknown, more: Partial<RequestDetail> = {}) {
  const text = JSON.stringify(body);
  const detail = { moduleHash: '', headers: {}, answerHeaders: {}, answer: null };
  return openedCall({
    ...requestRow(1, { method: 'POST', path }),
    ...detail,
    body: { text, bytes: text.length, cut: false },
    ...more,
  });
}

describe('a logged request', () => {
  it('opens as a call, an ad-hoc text or a batch, on any fork', () => {
    expect(opened('/v1/dispatch/mutation?dryRun=true', { path: 'm::sign', args: { code: 'X' } })).toEqual({
      kind: 'dispatch',
      path: 'm::sign',
      args: { code: 'X' },
    });
    expect(opened('/v1/query/adhoc', { source: 'query q() -> Int { value 1 }' })).toMatchObject({
      kind: 'adhoc',
      args: {},
    });
    const steps = [
      { mutation: 'm::sign', args: { rent: 1 } },
      { query: 'm::all', args: { of: { $step: 0 } } },
    ];
    for (const path of ['/v1/batch', '/v1/forks/what-if/batch?effects=true']) {
      expect(opened(path, { steps })).toEqual({ kind: 'batch', steps });
    }
  });

  it('does not open if neither panel sends it or it is incomplete', () => {
    expect(opened('/v1/explain', { relation: 'm::r', tuple: [] })).toBeUndefined();
    expect(opened('/v1/forks/batch', {})).toBeUndefined();
    expect(opened('/v1/dispatch/query', 'no call')).toBeUndefined();
  });

  it('gives the reason if a batch is truncated, erased or invalid', () => {
    const problem = (body: unknown, more?: Partial<RequestDetail>) => opened('/v1/batch', body, more);
    const cut = { body: { text: '{"steps": [', bytes: 1_000_000, cut: true } };
    expect(problem({}, cut)).toEqual({ kind: 'batch', problem: expect.stringContaining('truncated') });
    expect(problem({}, { body: null, erased: true })).toMatchObject({ problem: expect.stringContaining('erased') });
    expect(problem({ steps: [{ queries: 'm::all' }] })).toMatchObject({ problem: expect.stringContaining('Step 0') });
  });
});
