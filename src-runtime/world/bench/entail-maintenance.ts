/** W5 through the engine: each change is a transaction that sees the closure before it commits. */

import { unhurried } from '../../base/ports.js';
import type { FactStore } from '../../engine/index.js';
import {
  allChanges,
  type Change,
  type Maintained,
  measured,
  measuredPhases,
  type Scenario,
  type Step,
  workloadAfter,
} from './closure-changes.js';
import { loadedStore, programOf, runEntail } from './entail.js';
import { type Summary, summaryOf } from './peer.js';
import type { Workload } from './workloads.js';

/** Warm, as the derivation is that it is compared with. Throws where the maintained closure is not the one that is derived anew. */
export async function maintainByEntail(scenario: Scenario): Promise<Maintained> {
  const { start } = scenario;
  const { summary } = await runEntail(start);
  const { steps, maintained } = await measuredPhases(scenario, (changes, isHeavy) => maintain(start, changes, isHeavy));
  // Behind the others, as what the many stores leave behind would be in their way.
  const { steps: firstSteps } = await measured(scenario.size, () => makeFirsts(scenario));
  const { summary: anew } = await runEntail(workloadAfter(start, allChanges(scenario.phases)));
  if (anew.facts !== maintained.facts || anew.checksum !== maintained.checksum)
    throw new Error(`the maintained closure has ${maintained.facts} facts, the one derived anew ${anew.facts}`);
  return { factsAtFirst: summary.facts, steps, firstSteps, ...maintained };
}

async function maintain(
  start: Workload,
  changes: Iterable<Change>,
  isHeavy: boolean,
): Promise<{ steps: readonly Step[]; maintained: Summary }> {
  const { store, deriveMs } = await derivedStore(start);
  const steps: Step[] = [];
  let state = start;
  for (const change of changes) {
    if (isHeavy) {
      state = workloadAfter(state, [change]);
      const anewMs = await derivationMs(state);
      collectGarbage();
      steps.push({ ...(await make(store, change)), deriveMs: anewMs });
    } else steps.push({ ...(await make(store, change)), deriveMs });
  }
  const view = store.view();
  const maintained = summaryOf([(await view.materialise('graph::path', unhurried)).rows()]);
  view.release();
  store.close();
  return { steps, maintained };
}

/** Each on a closure of its own. */
async function makeFirsts({ start, firsts }: Scenario): Promise<{ steps: readonly Step[] }> {
  const steps: Step[] = [];
  for (const change of firsts) {
    const { store } = await derivedStore(start);
    const deriveMs = await derivationMs(workloadAfter(start, [change]));
    collectGarbage();
    steps.push({ ...(await make(store, change)), deriveMs });
    store.close();
  }
  return { steps };
}

async function derivationMs(state: Workload): Promise<number> {
  collectGarbage();
  const { store, deriveMs } = await derivedStore(state);
  store.close();
  return deriveMs;
}

/** Under `--expose-gc`. */
function collectGarbage(): void {
  const { gc } = globalThis as { gc?: () => void };
  gc?.();
}

async function derivedStore(start: Workload): Promise<{ store: FactStore; deriveMs: number }> {
  const store = loadedStore(programOf(start.source), start);
  const view = store.view();
  const startedAt = performance.now();
  await view.materialise('graph::path', unhurried);
  const deriveMs = performance.now() - startedAt;
  view.release();
  return { store, deriveMs };
}

async function make(store: FactStore, { group, kind, edge }: Change): Promise<Omit<Step, 'deriveMs'>> {
  const startedAt = performance.now();
  const transaction = store.begin();
  const isChanged =
    kind === 'insert' ? transaction.insert('graph::edge', edge) : transaction.delete('graph::edge', edge);
  const { size } = await transaction.view.materialise('graph::path', unhurried);
  transaction.commit();
  const ms = performance.now() - startedAt;
  if (!isChanged) throw new Error(`${group}: ${edge.join(' to ')} is no change`);
  return { group, ms, facts: size };
}
