import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clause, Json, Literal, RuleDeclaration } from '../artifact/types.js';
import { unhurried } from '../base/ports.js';
import { EvaluationFault } from './errors.js';
import { explain } from './explain/explain.js';
import { literalText } from './explain/search.js';
import { loadProgram } from './program.js';
import { FactStore } from './store.js';
import {
  evaluateNaively,
  holdsNaively,
  type NaiveBindings,
  NaiveFacts,
  NaiveFault,
  type NaiveTuple,
  unify,
} from './testing/naive.js';
import { type RandomProgram, randomProgram } from './testing/random-program.js';
import type { EngineProofNode, EngineProofPremise, RelationReader, View } from './types.js';
import { Interner } from './values/codec.js';
import { constantValue, toWire } from './values/wire.js';

const RUNS = 400;

function storeOf(random: RandomProgram): FactStore {
  const program = loadProgram(random.artifact);
  const store = new FactStore(program, new Interner(program));
  const transaction = store.begin();
  for (const [path, tuple] of random.facts) transaction.insert(path, encode(transaction.view, path, tuple));
  transaction.commit();
  return store;
}

function encode(view: View, path: string, tuple: readonly Json[]): number[] {
  const endpoints = view.program.relations.get(path)?.endpoints ?? [];
  return endpoints.map(({ type }, column) => view.interner.encode(type, constantValue(type, tuple[column] ?? null)));
}

function decode(view: View, reader: RelationReader): NaiveTuple[] {
  return [...reader.rows()].map((row) =>
    reader.info.endpoints.map(
      ({ type }, column) => toWire(type, view.interner.decode(type, row[column] ?? 0)) as NaiveTuple[number],
    ),
  );
}

/** The oracle's facts; a NaiveFault where evaluation fails. */
function naive(random: RandomProgram): NaiveFacts | NaiveFault {
  const facts = new NaiveFacts();
  for (const [path, tuple] of random.facts) facts.add(path, tuple);
  try {
    evaluateNaively(facts, random.levels);
    return facts;
  } catch (error) {
    if (error instanceof NaiveFault) return error;
    throw error;
  }
}

async function materialiseAll(random: RandomProgram, view: View): Promise<Map<string, NaiveTuple[]> | EvaluationFault> {
  const facts = new Map<string, NaiveTuple[]>();
  try {
    for (const { path } of random.levels.flat()) facts.set(path, decode(view, await view.materialise(path, unhurried)));
    return facts;
  } catch (error) {
    if (error instanceof EvaluationFault) return error;
    throw error;
  }
}

function sorted(tuples: readonly NaiveTuple[]): string[] {
  return tuples.map((tuple) => JSON.stringify(tuple)).sort();
}

describe('evaluation of random programs', () => {
  it('derives what the oracle derives, and fails where it fails', async () => {
    await fc.assert(
      fc.asyncProperty(randomProgram, async (random) => {
        const view = storeOf(random).view();
        const expected = naive(random);
        const actual = await materialiseAll(random, view);
        if (expected instanceof NaiveFault || actual instanceof EvaluationFault) {
          expect([expected instanceof NaiveFault, actual instanceof EvaluationFault]).toEqual([true, true]);
          return;
        }
        for (const { path } of random.levels.flat()) {
          expect([path, sorted(actual.get(path) ?? [])]).toEqual([path, sorted(expected.tuples(path))]);
        }
      }),
      { numRuns: RUNS },
    );
  }, 120_000);

  it('proves every fact by instances of its rules, down to stored facts', async () => {
    await fc.assert(
      fc.asyncProperty(randomProgram, async (random) => {
        const facts = naive(random);
        if (facts instanceof NaiveFault) return;
        const view = storeOf(random).view();
        for (const { path } of random.levels.flat()) {
          for (const tuple of facts.tuples(path).slice(0, 6)) {
            const explanation = await explain(view, path, encode(view, path, tuple as Json[]), {}, unhurried);
            if (!explanation.holds) throw new Error(`${path}(${tuple.join()}) has no proof`);
            new ProofChecker(random.levels.flat(), facts).check(explanation.proof);
          }
        }
      }),
      { numRuns: RUNS },
    );
  }, 120_000);

  it('says of a fact that does not hold which premises fail', async () => {
    await fc.assert(
      fc.asyncProperty(randomProgram, fc.nat({ max: 4 }), async (random, value) => {
        const facts = naive(random);
        if (facts instanceof NaiveFault) return;
        const view = storeOf(random).view();
        for (const { path, parameters, body } of random.levels.flat()) {
          const tuple = parameters.map(({ type }) => (type.kind === 'class' ? `#i${value}` : value));
          if (facts.has(path, tuple)) continue;
          const explanation = await explain(view, path, encode(view, path, tuple), {}, unhurried);
          if (explanation.holds) throw new Error(`${path}(${tuple.join()}) does not hold`);
          for (const { fails, clause, bindings, satisfied } of explanation.whyNot.clauses) {
            expect(fails).not.toBeNull();
            checkWhyNot(
              facts,
              body.clauses[clause] as Clause,
              bindings as NaiveBindings,
              satisfied.length,
              fails?.text,
            );
          }
        }
      }),
      { numRuns: RUNS / 4 },
    );
  }, 120_000);
});

/** As many premises hold under the bindings as the engine says, and the one that it names is not among them. */
function checkWhyNot(
  facts: NaiveFacts,
  { condition }: Clause,
  bindings: NaiveBindings,
  satisfied: number,
  failing: string | undefined,
): void {
  const holding = condition.literals.filter((literal) => holdsOrFaults(facts, literal, bindings) === true);
  expect(holding.length).toBeGreaterThanOrEqual(satisfied);
  const named = condition.literals.filter((literal) => literalText(literal) === failing);
  expect(named.length).toBeGreaterThan(0);
  expect(named.every((literal) => holding.includes(literal))).toBe(false);
}

function holdsOrFaults(facts: NaiveFacts, literal: Literal, bindings: NaiveBindings): boolean {
  try {
    return holdsNaively(facts, literal, bindings);
  } catch (error) {
    if (error instanceof NaiveFault) return false;
    throw error;
  }
}

/** Knows of proofs only what the language says of rules: judges each step against the oracle's facts. */
class ProofChecker {
  private readonly rules: ReadonlyMap<string, RuleDeclaration>;
  private readonly facts: NaiveFacts;
  private readonly nodes = new Map<string, EngineProofNode>();
  private readonly finished = new Set<EngineProofNode>();

  constructor(rules: readonly RuleDeclaration[], facts: NaiveFacts) {
    this.rules = new Map(rules.map((rule) => [rule.path, rule]));
    this.facts = facts;
  }

  check(proof: EngineProofNode): void {
    this.collect(proof);
    this.visit(proof, new Set());
  }

  private collect(node: EngineProofNode): void {
    if (node.factId !== undefined) {
      expect(this.nodes.has(node.factId)).toBe(false);
      this.nodes.set(node.factId, node);
    }
    for (const premise of node.premises) if (!('ref' in premise)) this.collect(premise);
  }

  private resolve(premise: EngineProofPremise): EngineProofNode {
    const node = 'ref' in premise ? this.nodes.get(premise.ref) : premise;
    if (node === undefined) throw new Error('a reference leads nowhere');
    return node;
  }

  private visit(node: EngineProofNode, above: ReadonlySet<EngineProofNode>): void {
    expect(above.has(node)).toBe(false);
    if (this.finished.has(node)) return;
    const inner = new Set([...above, node]);
    for (const premise of node.premises) this.visit(this.resolve(premise), inner);
    if (node.kind === 'stored' || node.kind === 'derived') {
      expect(this.facts.has(node.relation ?? '', (node.tuple ?? []) as NaiveTuple)).toBe(true);
      expect(this.rules.has(node.relation ?? '')).toBe(node.kind === 'derived');
    }
    if (node.kind === 'derived') this.checkStep(node);
    this.finished.add(node);
  }

  private checkStep(node: EngineProofNode): void {
    const clause = this.rules.get(node.rule?.path ?? '')?.body.clauses[node.rule?.clause ?? -1];
    if (clause === undefined) throw new Error('a step names no clause');
    const bindings = (node.bindings ?? {}) as NaiveBindings;
    expect(clause.head.map((head) => (head.op === 'variable' ? bindings[head.name] : null))).toEqual(node.tuple);
    expect(node.premises.length).toBe(clause.condition.literals.length);
    for (const [index, literal] of clause.condition.literals.entries()) {
      expect(holdsNaively(this.facts, literal, bindings)).toBe(true);
      if (literal.op !== 'atom') continue;
      const premise = this.resolve(node.premises[index] as EngineProofPremise);
      expect(premise.relation).toBe(literal.relation);
      expect(unify(literal.args, (premise.tuple ?? []) as NaiveTuple, bindings)).toBeDefined();
    }
  }
}
