/** W5 through the engine: each change is a transaction that reads the derived facts before it commits. */

import { noDeadline } from '../../src-runtime/base/ports.js';
import type { FactStore } from '../../src-runtime/engine/index.js';
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

/** Runs warm, like its baseline. Throws if the maintained facts differ from those of a full derivation. */
export async function maintainByEntail(scenario: Scenario): Promise<Maintained> {
  const { start } = scenario;
  const { summary } = await runEntail(start);
  const { steps, maintained } = await measuredPhases(scenario, (changes, isHeavy) => maintain(start, changes, isHeavy));
  // Runs last, because the garbage of its many stores would slow the other measurements down.
  const { steps: firstSteps } = await measured(scenario.size, () => makeFirsts(scenario));
  const { summary: rederived } = await runEntail(workloadAfter(start, allChanges(scenario.phases)));
  if (rederived.facts !== maintained.facts || rederived.checksum !== maintained.checksum)
    throw new Error(`maintenance has ${maintained.facts} facts, a full derivation has ${rederived.facts}`);
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
      steps.push({ ...(await make(store, start, change)), deriveMs: anewMs });
    } else steps.push({ ...(await make(store, start, change)), deriveMs });
  }
  const view = store.view();
  const maintained = summaryOf([(await view.materialise(pathsOf(start).derived, noDeadline)).rows()]);
  view.release();
  store.close();
  return { steps, maintained };
}

/** Makes each change on a separate closure. */
async function makeFirsts({ start, firsts }: Scenario): Promise<{ steps: readonly Step[] }> {
  const steps: Step[] = [];
  for (const change of firsts) {
    const { store } = await derivedStore(start);
    const deriveMs = await derivationMs(workloadAfter(start, [change]));
    collectGarbage();
    steps.push({ ...(await make(store, start, change)), deriveMs });
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

/** Requires `--expose-gc`. */
function collectGarbage(): void {
  const { gc } = globalThis as { gc?: () => void };
  gc?.();
}

async function derivedStore(start: Workload): Promise<{ store: FactStore; deriveMs: number }> {
  const store = loadedStore(programOf(start.source), start);
  const view = store.view();
  const startedAt = performance.now();
  await view.materialise(pathsOf(start).derived, noDeadline);
  const deriveMs = performance.now() - startedAt;
  view.release();
  return { store, deriveMs };
}

/** Paths of the changed relation and of the derived one. */
function pathsOf({ module, inputs, reads }: Workload): { readonly stored: string; readonly derived: string } {
  return { stored: `${module}::${inputs[0]?.name}`, derived: `${module}::${reads[0]?.name}` };
}

async function make(store: FactStore, start: Workload, { group, kind, edge }: Change): Promise<Omit<Step, 'deriveMs'>> {
  const { stored, derived } = pathsOf(start);
  const startedAt = performance.now();
  const transaction = store.begin();
  const isChanged = kind === 'insert' ? transaction.insert(stored, edge) : transaction.delete(stored, edge);
  const { size } = await transaction.view.materialise(derived, noDeadline);
  transaction.commit();
  const ms = performance.now() - startedAt;
  if (!isChanged) throw new Error(`${group}: ${edge.join(' to ')} is no change`);
  return { group, ms, facts: size };
}
