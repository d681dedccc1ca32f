/** Measures the memory per fact of two columns: stored, derived, and derived and maintained. */

import { noDeadline } from '../../src-runtime/base/ports.js';
import { FactStore, Interner } from '../../src-runtime/engine/index.js';
import { loadedStore, programOf } from './entail.js';
import { CLOSURE, type Workload, type WorkloadSize, workload } from './workloads.js';

export interface MemoryOfFacts {
  readonly title: string;
  readonly facts: number;
  readonly bytesPerFact: number;
}

const STORED = { full: 1_000_000, tiny: 10_000 } as const;

/** Requires `--expose-gc`, and throws without it. */
export async function memoryOfFacts(size: WorkloadSize): Promise<MemoryOfFacts[]> {
  return [memoryOfStored(STORED[size]), ...(await memoryOfDerived(workload('W1a', size)))];
}

/** A separate function, so that its store is garbage when the next one is measured. */
function memoryOfStored(facts: number): MemoryOfFacts {
  const program = programOf(CLOSURE);
  const before = bytesInUse();
  const store = new FactStore(program, new Interner(program));
  const transaction = store.begin();
  for (let node = 0; node < facts; node++) transaction.insert('graph::edge', [node, (node * 7) % facts]);
  transaction.commit();
  const bytes = bytesInUse() - before;
  // Using the store here keeps it in memory until it has been measured.
  store.close();
  return { title: 'stored', facts, bytesPerFact: bytes / facts };
}

async function memoryOfDerived(graph: Workload): Promise<MemoryOfFacts[]> {
  const store = loadedStore(programOf(CLOSURE), graph);
  const before = bytesInUse();
  const derived = await sizeOfClosure(store);
  const derivedBytes = bytesInUse() - before;
  const change = store.begin();
  change.insert('graph::edge', [0, 0]);
  await change.view.materialise('graph::path', noDeadline);
  change.commit();
  const maintained = await sizeOfClosure(store);
  const maintainedBytes = bytesInUse() - before;
  store.close();
  return [
    { title: 'derived', facts: derived, bytesPerFact: derivedBytes / derived },
    { title: 'derived, then maintained', facts: maintained, bytesPerFact: maintainedBytes / maintained },
  ];
}

async function sizeOfClosure(store: FactStore): Promise<number> {
  const view = store.view();
  const { size } = await view.materialise('graph::path', noDeadline);
  view.release();
  return size;
}

/** Bytes of the heap and of typed arrays outside of it, after a garbage collection. */
export function bytesInUse(): number {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined) throw new Error('memory is measured under node --expose-gc');
  gc();
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
