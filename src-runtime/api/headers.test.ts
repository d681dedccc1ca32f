/** Context is sent in headers and received unchanged. */

import { describe, expect, it } from 'vitest';
import { contextFieldOfHeader, headerBytes, headerOfContextField, headerText } from './headers.js';

describe('context headers', () => {
  it.each([
    ['tenantId', 'x-tenant-id'],
    ['principalId', 'x-principal-id'],
    ['fooBar', 'x-context-foo-bar'],
    ['now', 'x-context-now'],
  ])('are converted from %s to %s and back', (field, header) => {
    expect(headerOfContextField(field)).toBe(header);
    expect(contextFieldOfHeader(header)).toBe(field);
  });

  it('do not include other headers', () => {
    expect(['host', 'x-fork-id', 'x-context-', 'x-contextual'].map(contextFieldOfHeader)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('carry any text as bytes that a header may contain', () => {
    for (const text of ['acme', 'Zoë & Söhne', '株式会社', '50% off', '']) {
      expect(headerBytes(text)).toMatch(/^[\0-\xff]*$/);
      expect(headerText(headerBytes(text))).toBe(text);
    }
  });

  it('keep bytes that are not UTF-8', () => {
    expect(headerText('Zo\xeb')).toBe('Zo\xeb');
  });
});
