import { describe, expect, it } from 'vitest';
import { defaultMemoryLimit, ProcessMemory } from './process-memory.js';

function memoryOf(use: { heap: number; heapMax?: number; outside?: number; garbage?: number }, limit = 1_000) {
  const now = { heapMax: 10_000, outside: 0, garbage: 0, ...use };
  let collections = 0;
  const measure = () => ({ heap: now.heap + now.garbage, heapMax: now.heapMax, outside: now.outside });
  const collect = () => {
    collections += 1;
    now.garbage = 0;
  };
  const memory = new ProcessMemory(limit, measure, collect);
  return { memory, now, collections: () => collections };
}

describe('the memory that is left', () => {
  it('is the rest of the limit, or of 90 % of the heap that V8 allows', () => {
    expect(memoryOf({ heap: 300, outside: 500 }).memory.left()).toBe(200);
    expect(memoryOf({ heap: 300, heapMax: 400 }).memory.left()).toBe(60);
  });

  it('counts garbage only until a collection', () => {
    const { memory, collections } = memoryOf({ heap: 700, garbage: 400 });
    expect(memory.left()).toBe(250);
    expect([memory.left(), collections()]).toEqual([300, 1]);
  });

  it('is none if a collection frees too little', () => {
    const { memory, collections } = memoryOf({ heap: 960, garbage: 50 });
    expect([memory.left() > 0, collections()]).toEqual([false, 1]);
  });
});

describe('the default limit', () => {
  it('is a share of the machine, or of the container if that is smaller', () => {
    expect(defaultMemoryLimit(1_000, 0)).toBe(600);
    expect(defaultMemoryLimit(1_000, 2 ** 64)).toBe(600);
    expect(defaultMemoryLimit(1_000, 500)).toBe(300);
  });
});
