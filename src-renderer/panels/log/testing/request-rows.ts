/** Log rows for tests with defaults. */

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
