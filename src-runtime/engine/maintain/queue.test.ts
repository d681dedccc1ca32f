import { describe, expect, it } from 'vitest';
import { Queue } from './queue.js';

describe('the maintenance queue', () => {
  it('returns the lowest rows of all paths first, ascending and each once', () => {
    const queue = new Queue(['a', 'b']);
    for (const row of [7, 3, 7, 5]) queue.add('a', 2, row);
    for (let row = 300; row > 0; row--) queue.add('b', 1, row);
    const first = queue.next();
    expect([...(first?.keys() ?? [])]).toEqual(['b']);
    expect(first?.get('b')).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    expect(queue.next()).toEqual(new Map([['a', [3, 5, 7]]]));
    expect(queue.next()).toBeUndefined();
  });

  it('combines several ranks of a few rows, and returns lower rows added later before the rest', () => {
    const queue = new Queue(['a']);
    for (let rank = 1000; rank >= 500; rank--) queue.add('a', rank, rank);
    const first = queue.next();
    expect(first?.get('a')?.at(-1)).toBe(755);
    queue.add('a', 4, 9);
    expect(queue.next()?.get('a')?.slice(0, 2)).toEqual([9, 756]);
    expect(queue.isDoneWith('a')).toBe(true);
    queue.add('a', 1, 1);
    expect(queue.isDoneWith('a')).toBe(false);
  });
});
