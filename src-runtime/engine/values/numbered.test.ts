import { expect, it, vi } from 'vitest';
import { LargeMap } from '../../base/large-map.js';
import { EvaluationFault } from '../errors.js';
import { Lasting, Passing, Tried } from './numbered.js';

function withMapsOf(keysMax: number): Lasting<string, string> {
  return new Lasting(new LargeMap<string, number>(keysMax));
}

/** A Map with a small limit, in place of V8's 2^24 keys. */
class SmallMap<K, V> extends Map<K, V> {
  override set(key: K, value: V): this {
    if (this.size >= 4 && !this.has(key)) throw new RangeError('Map maximum size exceeded');
    return super.set(key, value);
  }
}

it('numbers more values than one Map can hold', () => {
  vi.stubGlobal('Map', SmallMap);
  const table = withMapsOf(4);
  const texts = Array.from({ length: 30 }, (_, at) => `text ${at}`);
  expect(texts.map((text) => table.numberOf(text, text))).toEqual([...texts.keys()]);
  expect(texts.map((text) => table.numberOf(text, text))).toEqual([...texts.keys()]);
  expect(new Passing(table).numberOf('text 3', 'text 3')).toBe(3);
  vi.unstubAllGlobals();
});

it('removes the values of a dropped trial from each of its maps', () => {
  const table = withMapsOf(2);
  table.numberOf('kept', 'kept');
  const tried = new Tried(table);
  for (const text of ['a', 'b', 'c', 'd']) tried.numberOf(text, text);
  expect(table.numberOf('c', 'c')).toBe(3);
  tried.drop();
  expect(['kept', 'a', 'b', 'c', 'd'].map((text) => table.known(text))).toEqual([
    0,
    undefined,
    undefined,
    3,
    undefined,
  ]);
});

it('fails at the limit of distinct values, and does not count dropped ones', () => {
  const table = new Lasting<string, string>(new LargeMap<string, number>(), 3);
  const tried = new Tried(table);
  for (const text of ['a', 'b', 'c']) tried.numberOf(text, text);
  expect(() => tried.numberOf('d', 'd')).toThrow(
    new EvaluationFault('factBudget', 'more than 3 distinct values of one type'),
  );
  tried.drop();
  expect([table.numberOf('d', 'd'), table.numberOf('e', 'e')]).toEqual([3, 4]);
});
