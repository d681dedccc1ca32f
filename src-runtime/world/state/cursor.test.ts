import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api/errors.js';
import { createCursors } from './cursor.js';

const cursors = createCursors(new Uint8Array(32).fill(7));
const request = ['query', 'lease::activeLeases', { minRent: '900' }];

function codeOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
  return 'none';
}

describe('a cursor', () => {
  it('returns the key it was issued with, for the same request', () => {
    const cursor = cursors.issue(request, ['Zoë "Ω"', null, 12]);
    expect(cursors.read(request, cursor)).toEqual(['Zoë "Ω"', null, 12]);
  });

  it('does not depend on the order of argument names', () => {
    const cursor = cursors.issue(['q', { a: 1, b: 2 }], [1]);
    expect(cursors.read(['q', { b: 2, a: 1 }], cursor)).toEqual([1]);
  });

  it.each([
    ['another request', ['query', 'lease::activeLeases', { minRent: '901' }], (text: string) => text],
    ['a changed key', request, (text: string) => text.slice(0, -2) + (text.endsWith('5d') ? '5e' : '5d')],
    ['a changed tag', request, (text: string) => (text.startsWith('0') ? '1' : '0') + text.slice(1)],
    ['an arbitrary text', request, () => 'page-2'],
    ['an empty text', request, () => ''],
  ])('is refused with %s', (_, requested, tamper) => {
    const cursor = tamper(cursors.issue(request, ['x']));
    expect(codeOf(() => cursors.read(requested, cursor))).toBe('SVC_RUNTIME_INVALID_CURSOR');
  });

  it('is refused under another key', () => {
    const foreign = createCursors(new Uint8Array(32).fill(8)).issue(request, ['x']);
    expect(codeOf(() => cursors.read(request, foreign))).toBe('SVC_RUNTIME_INVALID_CURSOR');
  });
});
