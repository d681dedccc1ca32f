/** A world over a folder or another store, without a server, and the CPU time of work on it. */

import { encodeArtifact } from '../src-runtime/artifact/index.js';
import { noDeadline } from '../src-runtime/base/ports.js';
import { compile } from '../src-runtime/compiler/index.js';
import type { EventStore } from '../src-runtime/storage/event-store.js';
import { openSqlJsStore } from '../src-runtime/storage/index.js';
import { createRuntime } from '../src-runtime/world/index.js';

export const quiet = { info: () => {}, warn: () => {} };
export const NOW = { headerContext: {}, bodyContext: {}, forks: [] };

export async function openWorld(folder: string, text: string) {
  return await openWorldOn(await openSqlJsStore({ directory: folder, log: quiet }), text);
}

export async function openWorldOn(store: EventStore, text: string) {
  const { artifact } = compile([{ file: 'bench.entail', text }]);
  if (artifact === undefined) throw new Error('the module compiles');
  const runtime = createRuntime({
    store,
    clock: { now: () => Date.now() },
    stopwatch: { now: () => performance.now() },
    createDeadline: () => noDeadline,
    log: quiet,
    limits: {
      bodyBytes: 1e6,
      rows: 1e6,
      timeoutMs: 1e6,
      batchSteps: 1,
      explainNodes: 1,
      factsPerRule: 20_000_000,
    },
    scopeIdBits: 128,
    acceptSchemaChange: false,
    adhoc: false,
    cursorKey: new Uint8Array(32),
  });
  await runtime.loadArtifact(encodeArtifact(artifact), 'artifact');
  return { store, runtime };
}

/** In milliseconds, of all threads. */
export async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
