import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factId, parseFactId } from './fact-id.js';

describe('fact ids', () => {
  it('decode to a short fact', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.integer(), fc.boolean()), { maxLength: 4 }),
        (tuple) => {
          const id = factId('lease::liable', tuple);
          expect(id).toMatch(/^[A-Za-z0-9_-]{1,200}$/);
          if (id.startsWith('f')) expect(parseFactId(id)).toEqual({ path: 'lease::liable', tuple });
        },
      ),
    );
  });

  it('are a deterministic digest for a long fact', () => {
    const id = factId('lease::note', ['x'.repeat(500)]);
    expect(id).toMatch(/^h[0-9a-f]{64}$/);
    expect(parseFactId(id)).toEqual({ hash: id });
    expect(factId('lease::note', ['x'.repeat(500)])).toBe(id);
  });

  it.each(['', 'f', 'f!', 'fQUJD', 'h12', 'x', 'f_____w'])('reject %j', (id) => {
    expect(parseFactId(id)).toBeUndefined();
  });
});
