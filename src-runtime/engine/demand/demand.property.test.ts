import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../artifact/types.js';
import { noDeadline } from '../../base/ports.js';
import { runs } from '../../base/testing/property-runs.js';
import { EvaluationFault } from '../errors.js';
import { explain } from '../explain/explain.js';
import { solve } from '../store/solve.js';
import type { FactStore } from '../store/store.js';
import { atom, condition, constant, INT, v } from '../testing/ir.js';
import { NaiveFault, type NaiveTuple, type NaiveValue } from '../testing/naive.js';
import { type RandomProgram, randomFact, randomProgram } from '../testing/random-program.js';
import { byKey, deriveNaively, encode, storeOf, toggle, withWhatItForces } from '../testing/random-store.js';
import type { Bindings, RelationInfo } from '../types.js';
import { constantValue, toWire } from '../values/wire.js';

/** Never derives a whole rule because of what its questions cost. */
const ASKING = { questionCostMin: Number.POSITIVE_INFINITY };

/** For each endpoint: how it is bound, and the number of the value. */
type Pattern = readonly { readonly by: 'none' | 'constant' | 'variable'; readonly value: number }[];

const patterns: fc.Arbitrary<readonly Pattern[]> = fc.array(
  fc.array(
    fc.record({ by: fc.constantFrom('none', 'constant', 'variable', 'variable'), value: fc.nat({ max: 4 }) } as const),
    { minLength: 3, maxLength: 3 },
  ),
  { minLength: 1, maxLength: 4 },
);

/** The tuples that match the pattern, as the store finds them; or the fault. */
async function answered(store: FactStore, info: RelationInfo, pattern: Pattern): Promise<string[] | EvaluationFault> {
  const bound: Record<string, Bindings[string]> = {};
  const types = Object.fromEntries(info.endpoints.map(({ type }, at) => [`x${at}`, type]));
  const args = info.endpoints.map(({ type }, at) => {
    const { by, value } = pattern[at] as Pattern[number];
    if (by === 'none') return v(`x${at}`);
    if (by === 'constant' && type === INT) return constant(type, value);
    bound[`g${at}`] = { type, value: constantValue(type, wireOf(type, value)) };
    return v(`g${at}`);
  });
  const goal = condition([atom(info.path, ...args)], types, Object.keys(bound));
  const view = store.view();
  try {
    const found: string[] = [];
    for await (const batch of solve(view, goal, bound, {}, noDeadline)) {
      for (const solution of batch) {
        const tuple = info.endpoints.map(({ type }, at) => {
          const { by, value } = pattern[at] as Pattern[number];
          return by === 'none' ? toWire(type, solution[`x${at}`] ?? null) : wireOf(type, value);
        });
        found.push(JSON.stringify(tuple));
      }
    }
    return found.sort();
  } catch (error) {
    if (error instanceof EvaluationFault) return error;
    throw error;
  } finally {
    view.release();
  }
}

function wireOf(type: RelationInfo['endpoints'][number]['type'], value: number): Json {
  if (type.kind === 'list') return value === 4 ? [] : [value];
  if (type.kind === 'record') return { n: value % 3, p: '#i0' };
  return type === INT ? value : `#i${value}`;
}

function matching(tuples: readonly NaiveTuple[], info: RelationInfo, pattern: Pattern): string[] {
  const matches = (tuple: readonly NaiveValue[]): boolean =>
    info.endpoints.every(({ type }, at) => {
      const { by, value } = pattern[at] as Pattern[number];
      return by === 'none' || JSON.stringify(tuple[at]) === JSON.stringify(wireOf(type, value));
    });
  return tuples
    .filter(matches)
    .map((tuple) => JSON.stringify(tuple))
    .sort();
}

/** The same by reading the relation, without repeated values of variables. */
async function listed(store: FactStore, info: RelationInfo, pattern: Pattern): Promise<string[] | EvaluationFault> {
  const view = store.view();
  const values = info.endpoints.map(({ type }, at) => {
    const { by, value } = pattern[at] as Pattern[number];
    return by === 'none' ? null : constantValue(type, wireOf(type, value));
  });
  try {
    const reader = await view.materialiseLike(info.path, values, noDeadline);
    const tuples = [...reader.rows()].map((row) =>
      info.endpoints.map(({ type }, at) => toWire(type, view.interner.decode(type, row[at] as number))),
    );
    return matching(tuples as NaiveTuple[], info, pattern);
  } catch (error) {
    if (error instanceof EvaluationFault) return error;
    throw error;
  } finally {
    view.release();
  }
}

async function checkAll(
  random: RandomProgram,
  facts: Iterable<RandomProgram['facts'][number]>,
  store: FactStore,
  questions: readonly Pattern[],
): Promise<void> {
  const expected = deriveNaively(random, facts);
  for (const { path } of random.levels.flat()) {
    const info = store.program.relations.get(path) as RelationInfo;
    for (const pattern of questions) {
      const actual = await answered(store, info, pattern);
      if (expected instanceof NaiveFault) continue;
      expect([path, actual]).toEqual([path, matching(expected.tuples(path), info, pattern)]);
      expect([path, await listed(store, info, pattern)]).toEqual([path, actual]);
    }
  }
}

describe('questions about random programs', () => {
  it('find the facts that the oracle derives', async () => {
    await fc.assert(
      fc.asyncProperty(randomProgram, patterns, async (random, questions) => {
        await checkAll(random, random.facts, storeOf(random, ASKING), questions);
      }),
      { numRuns: runs(200) },
    );
  }, 120_000);

  it('explain a fact as if its rules had been derived whole', async () => {
    await fc.assert(
      fc.asyncProperty(randomProgram, async (random) => {
        const expected = deriveNaively(random, random.facts);
        if (expected instanceof NaiveFault) return;
        const [asked, whole] = [storeOf(random, ASKING), storeOf(random, ASKING)];
        for (const { path } of random.levels.flat()) {
          for (const tuple of expected.tuples(path).slice(0, 4)) {
            const proofs: unknown[] = [];
            for (const store of [asked, whole]) {
              const view = store.view();
              if (store === whole) await view.materialise(path, noDeadline);
              const codes = encode(view, path, tuple as readonly Json[]);
              proofs.push(await explain(view, path, codes, { proofsMax: 3 }, noDeadline));
              view.release();
            }
            expect(proofs[0]).toEqual(proofs[1]);
          }
        }
      }),
      { numRuns: runs(100) },
    );
  }, 120_000);

  it('never depend on what has been derived, even if some rule faults', async () => {
    await fc.assert(
      fc.asyncProperty(randomProgram, patterns, randomFact, async (random, questions, change) => {
        const [asked, derived] = [storeOf(random, ASKING), storeOf(random, ASKING)];
        const deriveAll = async (): Promise<void> => {
          const view = derived.view();
          for (const { path } of random.levels.flat())
            await Promise.resolve(view.materialise(path, noDeadline)).catch(() => undefined);
          view.release();
        };
        const compare = async (): Promise<void> => {
          for (const { path } of random.levels.flat()) {
            const info = asked.program.relations.get(path) as RelationInfo;
            for (const pattern of questions) {
              const [one, other] = [await answered(asked, info, pattern), await answered(derived, info, pattern)];
              expect([path, other instanceof EvaluationFault ? 'fault' : other]).toEqual([
                path,
                one instanceof EvaluationFault ? 'fault' : one,
              ]);
            }
          }
        };
        await deriveAll();
        await compare();
        for (const store of [asked, derived]) {
          const stored = byKey(random.facts);
          const transaction = store.begin();
          for (const each of withWhatItForces(stored, change)) toggle(transaction, stored, each);
          transaction.commit();
        }
        await compare();
        await deriveAll();
        await compare();
      }),
      { numRuns: runs(150) },
    );
  }, 120_000);

  it('find them after changes, whether rules were derived whole before or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomProgram,
        patterns,
        fc.array(fc.tuple(randomFact, fc.nat({ max: 3 })), { maxLength: 4 }),
        async (random, questions, changes) => {
          const store = storeOf(random, ASKING);
          const stored = byKey(random.facts);
          const rules = random.levels.flat();
          for (const [fact, at] of changes) {
            const transaction = store.begin();
            for (const each of withWhatItForces(stored, fact)) toggle(transaction, stored, each);
            transaction.commit();
            const [rule] = at === 0 ? [] : rules.slice(at - 1);
            const view = store.view();
            if (rule !== undefined)
              await Promise.resolve(view.materialise(rule.path, noDeadline)).catch(() => undefined);
            view.release();
            await checkAll(random, stored.values(), store, questions);
          }
        },
      ),
      { numRuns: runs(100) },
    );
  }, 120_000);
});
