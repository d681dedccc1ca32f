import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLong, jsonChunks } from './json-chunks.js';

describe('JSON chunks', () => {
  it('joins to the text of JSON.stringify', () => {
    const rows = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 150, size: 'max' });
    const response = fc.record(
      {
        result: fc.oneof(rows, fc.record({ facts: rows, name: fc.string() })),
        requestId: fc.string(),
        txn: fc.constant(undefined),
      },
      { requiredKeys: ['result'] },
    );
    fc.assert(
      fc.property(response, (value) => {
        expect([...jsonChunks(value)].join('')).toBe(JSON.stringify(value));
      }),
    );
  });

  it.each([
    ['a list', (rows: readonly unknown[]) => ({ result: rows })],
    ['a list in the result', (rows: readonly unknown[]) => ({ result: { facts: rows } })],
    ['a list in one of a few rows', (rows: readonly unknown[]) => ({ result: [{ result: null, events: rows }] })],
  ])('puts at most 16 rows of %s into a chunk', (_, response) => {
    const value = response(Array.from({ length: 1000 }, (_row, index) => ({ row: index })));
    expect(isLong(value)).toBe(true);
    const rowsOf = (chunk: string) => chunk.match(/"row":/g)?.length ?? 0;
    expect(Math.max(...[...jsonChunks(value)].map(rowsOf))).toBeLessThanOrEqual(16);
  });

  it('splits a long row, and gives rows with long texts a chunk each', () => {
    const list = Array.from({ length: 1000 }, (_, index) => index);
    const rows = [...list, ...Array.from({ length: 20 }, () => ({ text: 'x'.repeat(100_000) })), { list }, list];
    const chunks = [...jsonChunks({ result: rows })];
    expect(chunks.join('')).toBe(JSON.stringify({ result: rows }));
    const textsOf = (chunk: string) => chunk.match(/"text":/g)?.length ?? 0;
    expect(chunks.filter((chunk) => textsOf(chunk) > 1)).toHaveLength(1);
    expect(Math.max(...chunks.filter((chunk) => textsOf(chunk) === 0).map(({ length }) => length))).toBeLessThan(1_000);
  });

  it('makes one chunk of a value without long lists', () => {
    const value = { result: [1, 2, 3], nextCursor: undefined };
    expect(isLong(value)).toBe(false);
    expect([...jsonChunks(value)]).toEqual(['{"result":[1,2,3]}']);
  });
});
