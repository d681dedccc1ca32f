/** How much memory the process may still take, for evaluations that stop in time. */

import { totalmem } from 'node:os';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By default, the part of the machine's memory, or of the container's, that the process may take. */
const MACHINE_SHARE = 0.6;

/** V8 ends the process at its own limit. The rest is for work between two checks. */
const HEAP_SHARE = 0.9;

/** After a collection this part of the limit must be free, so that the next one is far enough. */
const FREE_SHARE = 0.05;

export interface MemoryUse {
  /** Objects, garbage included. */
  readonly heap: number;
  readonly heapMax: number;
  /** Array buffers and other memory outside of the heap, garbage included. */
  readonly outside: number;
}

export class ProcessMemory {
  /** Bytes that the process may take. */
  limit: number;
  private readonly measure: () => MemoryUse;
  private readonly collect: () => void;

  constructor(limit: number, measure = measured, collect = garbageCollector()) {
    this.limit = limit;
    this.measure = measure;
    this.collect = collect;
  }

  /**
   * Bytes that are left; none at the limit, or near that of V8. What is measured may be garbage, so a shortage is
   * measured again after a collection.
   */
  left(): number {
    const left = this.measured();
    if (left > 0) return left;
    this.collect();
    return this.measured() - this.limit * FREE_SHARE;
  }

  private measured(): number {
    const { heap, heapMax, outside } = this.measure();
    return Math.min(this.limit - heap - outside, heapMax * HEAP_SHARE - heap);
  }
}

/** A share of what the machine or the container has. */
export function defaultMemoryLimit(machine = totalmem(), container = process.constrainedMemory()): number {
  // Without a container it is 0, or more than any machine has.
  return Math.floor(MACHINE_SHARE * (container > 0 ? Math.min(machine, container) : machine));
}

export const processMemory = new ProcessMemory(defaultMemoryLimit());

function measured(): MemoryUse {
  const { used_heap_size: heap, heap_size_limit: heapMax, external_memory: outside } = getHeapStatistics();
  return { heap, heapMax, outside };
}

/** V8 has no other way to collect at a chosen moment. */
function garbageCollector(): () => void {
  let collect: (() => void) | undefined;
  return () => {
    if (collect === undefined) {
      setFlagsFromString('--expose-gc');
      collect = runInNewContext('gc') as () => void;
      setFlagsFromString('--no-expose-gc');
    }
    collect();
    // Array buffers are freed in the background, and not counted before the next collection.
    collect();
  };
}
