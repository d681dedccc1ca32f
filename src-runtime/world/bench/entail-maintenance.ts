/** W5 through the engine: each change is a transaction that sees the closure before it commits. */

import { unhurried } from '../../base/ports.js';
import { edgesAfter, type Maintained, measured, type Scenario, type Step } from './closure-changes.js';
import { loadedStore, programOf, runEntail } from './entail.js';
import { median, type Summary, summaryOf } from './peer.js';

/** Derivations from nothing, of which the median is taken. */
const DERIVED = 5;

/** Warm, as the derivation is that it is compared with. Throws where the maintained closure is not the one that is derived anew. */
export async function maintainByEntail(scenario: Scenario): Promise<Maintained> {
  const { start } = scenario;
  const { summary } = await runEntail(start);
  const derived: number[] = [];
  for (let run = 0; run < DERIVED; run++) derived.push((await runEntail(start)).evaluateMs);
  const deriveMs = median(derived);
  const { steps, maintained } = await measured(scenario, () => maintain(scenario));
  const inputs = start.inputs.map((input) => ({ ...input, rows: edgesAfter(scenario) }));
  const { summary: anew } = await runEntail({ ...start, inputs });
  if (anew.facts !== maintained.facts || anew.checksum !== maintained.checksum)
    throw new Error(`the maintained closure has ${maintained.facts} facts, the one derived anew ${anew.facts}`);
  return { deriveMs, factsAtFirst: summary.facts, steps, ...maintained };
}

async function maintain({ start, changes }: Scenario): Promise<{ steps: readonly Step[]; maintained: Summary }> {
  const store = loadedStore(programOf(start.source), start);
  const before = store.view();
  await before.materialise('graph::path', unhurried);
  before.release();
  const steps: Step[] = [];
  for (const { group, kind, edge } of changes) {
    const startedAt = performance.now();
    const transaction = store.begin();
    const isChanged =
      kind === 'insert' ? transaction.insert('graph::edge', edge) : transaction.delete('graph::edge', edge);
    const { size } = await transaction.view.materialise('graph::path', unhurried);
    transaction.commit();
    steps.push({ group, ms: performance.now() - startedAt, facts: size });
    if (!isChanged) throw new Error(`${group}: ${edge.join(' to ')} is no change`);
  }
  const view = store.view();
  const maintained = summaryOf([(await view.materialise('graph::path', unhurried)).rows()]);
  view.release();
  store.close();
  return { steps, maintained };
}
