/** The error registry: 43 codes with condition and remedy, and the page in the docs that is generated from it. */

import { describe, expect, it } from 'vitest';
import { ERROR_WORDS } from './error-words.js';
import { ApiError, ERROR_CODES, ERROR_REGISTRY } from './errors.js';

describe('the error registry', () => {
  it('has 43 codes under nine statuses', () => {
    expect(ERROR_CODES).toHaveLength(43);
    const statuses = new Set(ERROR_CODES.map((code) => ERROR_REGISTRY[code].status));
    expect([...statuses].sort()).toEqual([400, 403, 404, 405, 408, 409, 413, 500, 503]);
  });

  it('has a condition and a remedy for every code', () => {
    for (const code of ERROR_CODES) {
      expect(code).toMatch(/^SVC_RUNTIME_[A-Z_]+$/);
      expect(ERROR_REGISTRY[code].condition).toMatch(/\.$/);
      expect(ERROR_REGISTRY[code].remedy).toMatch(/\.$/);
    }
  });

  it('has one plain sentence each for the cause and the advice of every code', () => {
    expect(Object.keys(ERROR_WORDS)).toEqual(ERROR_CODES);
    for (const sentence of Object.values(ERROR_WORDS).flatMap(({ cause, advice }) => [cause, advice])) {
      expect(sentence).toMatch(/^[A-Z][^.]*(\.\w[^.]*)*\.$/);
      // Wire names and words of the implementation belong in the registry.
      expect(sentence).not.toMatch(/details|descriptor|coerc|wire|materiali|lower(ed|ing)|\/v1/i);
    }
  });

  it('gives an error the status of its code', () => {
    expect(new ApiError('SVC_RUNTIME_FORK_CLOSED', 'It is closed.').status).toBe(409);
  });

  it('equals docs/errors.md (npx vitest run src-runtime/api --update writes it)', async () => {
    await expect(errorsPage()).toMatchFileSnapshot('../../docs/errors.md');
  });
});

function errorsPage(): string {
  const rows = ERROR_CODES.map((code) => ({ code, ...ERROR_REGISTRY[code] }));
  return [
    '# Errors',
    '',
    'Every failure of the `/v1` API has the body `{ error: { code, message, details }, requestId, moduleHash }`. A client',
    'switches on `error.code`; the message is for people. The same list is served by `GET /v1/errors`.',
    '',
    'Each entry has an explanation as the workbench shows it, and the `condition` and `remedy` of the list.',
    '',
    'This page is generated from `src-runtime/api/errors.ts`; a test compares the two.',
    '',
    '| Code | Status |',
    '|---|---|',
    ...rows.map(({ code, status }) => `| [\`${code}\`](#${code.toLowerCase()}) | ${status} |`),
    '',
    ...rows.flatMap(({ code, status, condition, remedy }) => [
      `## ${code}`,
      '',
      `Status ${status}. ${ERROR_WORDS[code].cause} ${ERROR_WORDS[code].advice}`,
      '',
      `Condition: ${condition}`,
      '',
      `Remedy: ${remedy}`,
      '',
    ]),
  ].join('\n');
}
