import { describe, expect, it } from 'vitest';
import { allChanges, scenario, workloadAfter } from './closure-changes.js';
import { runEntail } from './entail.js';
import { maintainByEntail } from './entail-maintenance.js';
import { partsStore, readCosts } from './forks.js';
import { runByHand } from './hand.js';
import { maintainByHand } from './hand-maintenance.js';
import { mutationCosts } from './mutation.js';
import { runSqljs } from './sqljs.js';
import { WORKLOAD_NAMES, workload } from './workloads.js';

describe('a workload of the benchmark', () => {
  it.each(WORKLOAD_NAMES)('%s has the same result by hand, by the engine and in SQL', async (name) => {
    const input = workload(name, 'tiny');
    const { summary } = await runByHand(input);
    expect(summary.facts).toBeGreaterThan(20);
    expect((await runEntail(input)).summary).toEqual(summary);
    expect((await runSqljs(input)).summary).toEqual(summary);
  });

  it.each(['W5a', 'W5b'] as const)('%s has as many facts after each change by hand as by the engine', async (name) => {
    const changes = scenario(name, 'tiny');
    const byHand = await maintainByHand(changes);
    const byEntail = await maintainByEntail(changes);
    expect(byEntail.steps.map(({ facts }) => facts)).toEqual(byHand.steps.map(({ facts }) => facts));
    expect(byEntail.checksum).toBe(byHand.checksum);
  });

  it('W5c has as many facts after each change as are derived by hand from what there is then', async () => {
    const changes = scenario('W5c', 'tiny');
    const { steps } = await maintainByEntail(changes);
    const made = allChanges(changes.phases);
    const byHand = made.map((_, index) => runByHand(workloadAfter(changes.start, made.slice(0, index + 1))));
    expect(steps.map(({ facts }) => facts)).toEqual((await Promise.all(byHand)).map(({ summary }) => summary.facts));
  });

  it('W8 reads through forks what main has', async () => {
    expect((await readCosts(partsStore(1000), 1000, { runs: 1, leastMs: 0 })).length).toBe(4);
  });

  it('W6 breaks no check', async () => {
    expect((await mutationCosts(1000, 5)).at(-1)?.storedFacts).toBe(1000);
  });
});
