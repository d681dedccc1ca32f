import { describe, expect, it } from 'vitest';
import { allChanges, scenario, workloadAfter } from './closure-changes.js';
import { runEntail } from './entail.js';
import { maintainByEntail } from './entail-maintenance.js';
import { partsStore, readCosts } from './forks.js';
import { runByHand } from './hand.js';
import { maintainByHand } from './hand-maintenance.js';
import { mutationCosts } from './mutation.js';
import { questionCosts } from './questions.js';
import { saturationCosts } from './saturation.js';
import { shortestTimes } from './shortest.js';
import { runSqljs } from './sqljs.js';
import { WORKLOAD_NAMES, workload } from './workloads.js';

describe('a workload of the benchmark', () => {
  it.each(WORKLOAD_NAMES)('%s has the same result in hand-written code, the engine and SQL', async (name) => {
    const input = workload(name, 'tiny');
    const { summary } = await runByHand(input);
    expect(summary.facts).toBeGreaterThan(20);
    expect((await runEntail(input)).summary).toEqual(summary);
    expect((await runSqljs(input)).summary).toEqual(summary);
  });

  it.each(['W5a', 'W5b'] as const)(
    '%s has the same number of facts after each change in hand-written code and the engine',
    async (name) => {
      const changes = scenario(name, 'tiny');
      const byHand = await maintainByHand(changes);
      const byEntail = await maintainByEntail(changes);
      expect(byEntail.steps.map(({ facts }) => facts)).toEqual(byHand.steps.map(({ facts }) => facts));
      expect(byEntail.checksum).toBe(byHand.checksum);
    },
  );

  it('W5c maintains as many facts after each change as a derivation by hand-written code', async () => {
    const changes = scenario('W5c', 'tiny');
    const { steps } = await maintainByEntail(changes);
    const made = allChanges(changes.phases);
    const byHand = made.map((_, index) => runByHand(workloadAfter(changes.start, made.slice(0, index + 1))));
    expect(steps.map(({ facts }) => facts)).toEqual((await Promise.all(byHand)).map(({ summary }) => summary.facts));
  });

  it('W8 reads the same facts through forks as on main', async () => {
    expect((await readCosts(partsStore(1000), 1000, { runs: 1, leastMs: 0 })).length).toBe(4);
  });

  it('W9 has the same distances as hand-written code, after changes too', async () => {
    expect((await shortestTimes('tiny', { runs: 1, leastMs: 0 })).length).toBe(6);
  });

  it('W10 answers questions about pairs', async () => {
    expect((await questionCosts('tiny'))[0]).toMatchObject({ facts: 253, held: 4 });
  });

  it('W11 saturates an ontology as hand-written code does', async () => {
    const [hand] = await saturationCosts('tiny', { runs: 1, leastMs: 0 });
    expect([hand?.subsumptions, hand?.links].every((count = 0) => count > 500)).toBe(true);
  });

  it('W6 has no violations', async () => {
    expect((await mutationCosts(1000, 5)).at(-1)?.storedFacts).toBe(1000);
  });
});
