/** Expects a failure. */

import { expect } from 'vitest';
import { ERROR_REGISTRY, type ErrorCode } from '../../api/errors.js';
import type { TestResponse } from './http.js';

/** Expects a failure with this code and its status, in the envelope. */
export function expectCode({ status, body }: TestResponse, code: ErrorCode, message?: RegExp): void {
  expect(body).toMatchObject({ error: { code, details: expect.any(Object) }, requestId: expect.any(String) });
  expect(status).toBe(ERROR_REGISTRY[code].status);
  if (message !== undefined) expect(body.error.message).toMatch(message);
}
