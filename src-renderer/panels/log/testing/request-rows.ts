/** Rows of the log for tests: what a test does not name is of no matter to it. */

import type { RequestSummary } from '../../../../src-runtime/api/schemas/request-log.js';

export function requestRow(seq: number, more: Partial<RequestSummary> = {}): RequestSummary {
  return {
    seq,
    requestId: `r${seq}`,
    at: '',
    method: 'GET',
    path: '/v1/schema',
    status: 200,
    ms: 1,
    bytes: 2,
    ...more,
  };
}
