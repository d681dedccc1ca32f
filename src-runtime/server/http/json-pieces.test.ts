/** JSON in pieces is the same text as in one, and no piece holds more than some rows. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLong, jsonPieces } from './json-pieces.js';

describe('JSON in pieces', () => {
  it('is what JSON.stringify makes of it', () => {
    const rows = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 150, size: 'max' });
    const answer = fc.record(
      {
        result: fc.oneof(rows, fc.record({ facts: rows, name: fc.string() })),
        requestId: fc.string(),
        txn: fc.constant(undefined),
      },
      { requiredKeys: ['result'] },
    );
    fc.assert(
      fc.property(answer, (value) => {
        expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value));
      }),
    );
  });

  it.each([
    ['of a list', (rows: readonly unknown[]) => ({ result: rows })],
    ['of a list in the result', (rows: readonly unknown[]) => ({ result: { facts: rows } })],
    ['of a list in one of a few rows', (rows: readonly unknown[]) => ({ result: [{ result: null, events: rows }] })],
  ])('has few rows a piece, %s', (_, answer) => {
    const value = answer(Array.from({ length: 1000 }, (_row, index) => ({ row: index })));
    expect(isLong(value)).toBe(true);
    const rowsOf = (piece: string) => piece.match(/"row":/g)?.length ?? 0;
    expect(Math.max(...[...jsonPieces(value)].map(rowsOf))).toBeLessThanOrEqual(16);
  });

  it('cuts a row that is long itself, and has long rows alone in theirs', () => {
    const list = Array.from({ length: 1000 }, (_, index) => index);
    const rows = [...list, ...Array.from({ length: 20 }, () => ({ text: 'x'.repeat(100_000) })), { list }, list];
    const pieces = [...jsonPieces({ result: rows })];
    expect(pieces.join('')).toBe(JSON.stringify({ result: rows }));
    const textsOf = (piece: string) => piece.match(/"text":/g)?.length ?? 0;
    expect(pieces.filter((piece) => textsOf(piece) > 1)).toHaveLength(1);
    expect(Math.max(...pieces.filter((piece) => textsOf(piece) === 0).map(({ length }) => length))).toBeLessThan(1_000);
  });

  it('is one piece where there is no long list', () => {
    const value = { result: [1, 2, 3], nextCursor: undefined };
    expect(isLong(value)).toBe(false);
    expect([...jsonPieces(value)]).toEqual(['{"result":[1,2,3]}']);
  });
});
