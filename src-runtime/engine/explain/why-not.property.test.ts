/** Why-nots of random programs, each clause checked by the oracle. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clause, Condition, Literal, RuleDeclaration, Term } from '../../artifact/types.js';
import { noDeadline } from '../../base/ports.js';
import { RUNS_ALL, runs } from '../../base/testing/property-runs.js';
import {
  holdsNaively,
  type NaiveBindings,
  type NaiveFacts,
  NaiveFault,
  type NaiveTuple,
  solveNaively,
  unify,
} from '../testing/naive.js';
import { randomProgram, sampleValue } from '../testing/random-program.js';
import { deriveNaively, encode, storeOf } from '../testing/random-store.js';
import type { EngineLaterPremise, EngineProofPremise, EngineWhyNot, EngineWhyNotClause } from '../types.js';
import { explain } from './explain.js';
import { literalText } from './search.js';

const RUNS = runs(100);

interface Oracle {
  readonly facts: NaiveFacts;
  readonly rules: readonly RuleDeclaration[];
}

describe('why-nots of random programs', () => {
  it.each([
    ['of rules that are derived whole', {}],
    ['of facts that are asked for', { questionCostMin: Number.POSITIVE_INFINITY }],
  ])(
    'report failing premises, blocked negations and why derived premises fail, %s',
    async (_how, limits) => {
      const seen = { blocked: 0, nested: 0, behind: 0, open: 0 };
      await fc.assert(
        fc.asyncProperty(randomProgram, fc.nat({ max: 4 }), async (random, value) => {
          const facts = deriveNaively(random, random.facts);
          if (facts instanceof NaiveFault) return;
          const rules = random.levels.flat();
          const view = storeOf(random, limits).view();
          for (const { path, parameters } of rules) {
            const tuple = parameters.map(({ type }) => sampleValue(type, value));
            if (facts.has(path, tuple)) continue;
            const explanation = await explain(view, path, encode(view, path, tuple), {}, noDeadline);
            if (explanation.holds) throw new Error(`expected that ${path}(${tuple.join()}) does not hold`);
            expectRight({ facts, rules }, explanation.whyNot, explanation.cut);
            const text = JSON.stringify(explanation);
            if (text.includes('"blockedBy"')) seen.blocked += 1;
            if (text.includes('"whyNot":{"id"')) seen.nested += 1;
            if (text.includes('"state":"fails"')) seen.behind += 1;
            if (text.includes('"state":"open"')) seen.open += 1;
          }
        }),
        { numRuns: RUNS },
      );
      if (RUNS_ALL) {
        expect(seen.blocked).toBeGreaterThan(0);
        expect(seen.nested).toBeGreaterThan(RUNS / 2);
        expect(seen.behind).toBeGreaterThan(RUNS / 10);
        expect(seen.open).toBeGreaterThan(0);
      }
    },
    300_000,
  );
});

/** Null leaves an endpoint of the goal open. */
function expectRight(oracle: Oracle, whyNot: EngineWhyNot, isCut: boolean): void {
  const { facts, rules } = oracle;
  const { relation, tuple, clauses } = whyNot;
  const agrees = (fact: NaiveTuple): boolean => fact.every((each, column) => (tuple[column] ?? each) === each);
  expect([relation, tuple, facts.tuples(relation).filter(agrees)]).toEqual([relation, tuple, []]);
  const rule = rules.find(({ path }) => path === relation);
  for (const answer of clauses) {
    const clause = rule?.body.clauses[answer.clause] as Clause;
    // The clause derives the fact, but another value is kept.
    if (answer.fails === null && answer.satisfied.length === clause.condition.literals.length) {
      expect([relation, rule?.parameters.at(-1)?.keeps]).not.toEqual([relation, undefined]);
      continue;
    }
    expectClause(facts, clause, tuple as NaiveTuple, answer, isCut);
    if (answer.fails?.whyNot !== undefined) expectRight(oracle, answer.fails.whyNot, isCut);
  }
}

/** As many premises hold under the bindings as reported, without the failing one. */
function expectClause(
  facts: NaiveFacts,
  { head, condition }: Clause,
  tuple: NaiveTuple,
  { bindings, satisfied, fails, behind = [] }: EngineWhyNotClause,
  isCut: boolean,
): void {
  const { literals } = condition;
  const bound = bindings as NaiveBindings;
  const holding = literals.filter((literal) => holdsOrFaults(facts, literal, bound));
  expect(holding.length).toBeGreaterThanOrEqual(satisfied.length);
  const named = literals.filter((literal) => literalText(literal, condition) === fails?.text);
  expect(named.length).toBeGreaterThan(0);
  expect(named.every((literal) => holding.includes(literal))).toBe(false);
  const fixed = unify(
    head.map((each, column) => ((tuple[column] ?? null) === null ? null : (each as Term))),
    tuple,
    {},
  );
  expect(fixed).toBeDefined();
  if (!isCut) expect(satisfied.length).toBeGreaterThanOrEqual(longestPrefix(facts, literals, fixed ?? {}));
  if (fails !== null) expect(satisfied.length + 1 + behind.length).toBe(literals.length);
  for (const each of behind) expectBehind(facts, condition, bound, each, isCut);
  if (fails?.blockedBy !== undefined) expectBlocking(facts, named, bound, fails.blockedBy);
}

/** Nothing satisfies it under the bindings, or it needs an unbound variable. */
function expectBehind(
  facts: NaiveFacts,
  condition: Condition,
  bound: NaiveBindings,
  { text, state, blockedBy }: EngineLaterPremise,
  isCut: boolean,
): void {
  const named = condition.literals.filter((literal) => literalText(literal, condition) === text);
  const solutions = (literal: Literal) => solveNaively(facts, { variables: [], literals: [literal] }, bound);
  const isMet = named.map((literal) => {
    if (literal.op !== 'atom') return holdsOrFaults(facts, literal, bound);
    return solutions(literal).length > 0;
  });
  if (state === 'fails') expect([text, isMet.includes(false)]).toEqual([text, true]);
  else if (!isCut) expect(named.some((literal) => literal.op !== 'atom' || solutions(literal).length > 0)).toBe(true);
  if (blockedBy !== undefined) expectBlocking(facts, named, bound, blockedBy);
}

/** The longest prefix of positive facts that hold together. */
function longestPrefix(facts: NaiveFacts, literals: readonly Literal[], fixed: NaiveBindings): number {
  let length = 0;
  while (literals[length]?.op === 'atom') {
    const prefix = { variables: [], literals: literals.slice(0, length + 1) };
    if (solveNaively(facts, prefix, fixed).length === 0) break;
    length += 1;
  }
  return length;
}

function expectBlocking(
  facts: NaiveFacts,
  named: readonly Literal[],
  bindings: NaiveBindings,
  blocking: EngineProofPremise,
): void {
  // What was reported before appears by its id only.
  if ('ref' in blocking) return;
  const { relation = '', tuple = [] } = blocking;
  expect(facts.has(relation, tuple as NaiveTuple)).toBe(true);
  const isMet = named.some(
    (literal) =>
      literal.op === 'absent' &&
      literal.relation === relation &&
      unify(literal.args, tuple as NaiveTuple, bindings) !== undefined,
  );
  expect(isMet).toBe(true);
}

function holdsOrFaults(facts: NaiveFacts, literal: Literal, bindings: NaiveBindings): boolean {
  try {
    return holdsNaively(facts, literal, bindings);
  } catch (error) {
    if (error instanceof NaiveFault) return false;
    throw error;
  }
}
