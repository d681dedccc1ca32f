/** Checks each step of a proof against the oracle's facts, knowing only the language's definition of rules. */

import { expect } from 'vitest';
import type { Condition, Expression, Literal, RuleDeclaration } from '../../artifact/types.js';
import type { EngineProofNode, EngineProofPremise } from '../types.js';
import { holdsNaively, type NaiveBindings, type NaiveFacts, type NaiveTuple, solveNaively, unify } from './naive.js';

export interface Judged {
  /** Derived facts on the longest path. */
  readonly height: number;
  /** Equal for proofs that choose the same instance for every fact. */
  readonly picks: string;
}

/**
 * Fails unless every step is an instance of its rule, every leaf holds, and no fact depends on itself. With
 * `mayBeReplaced`, a better value may have replaced a premise since.
 */
export function checkProof(
  rules: readonly RuleDeclaration[],
  facts: NaiveFacts,
  proof: EngineProofNode,
  mayBeReplaced = false,
): Judged {
  const checker = new Checker(rules, facts, mayBeReplaced);
  checker.collect(proof);
  const height = checker.visit(proof, new Set());
  return { height, picks: checker.picks.sort().join('\n') };
}

class Checker {
  readonly picks: string[] = [];
  private readonly rules: ReadonlyMap<string, RuleDeclaration>;
  private readonly facts: NaiveFacts;
  private readonly mayBeReplaced: boolean;
  private readonly nodes = new Map<string, EngineProofNode>();
  private readonly heights = new Map<EngineProofNode, number>();

  constructor(rules: readonly RuleDeclaration[], facts: NaiveFacts, mayBeReplaced: boolean) {
    this.mayBeReplaced = mayBeReplaced;
    this.rules = new Map(rules.map((rule) => [rule.path, rule]));
    this.facts = facts;
  }

  collect(node: EngineProofNode): void {
    if (node.factId !== undefined) {
      expect(this.nodes.has(node.factId)).toBe(false);
      this.nodes.set(node.factId, node);
    }
    for (const premise of [...node.premises, ...contributed(node)]) if (!('ref' in premise)) this.collect(premise);
  }

  private resolve(premise: EngineProofPremise): EngineProofNode {
    const node = 'ref' in premise ? this.nodes.get(premise.ref) : premise;
    if (node === undefined) throw new Error('a reference has no target');
    return node;
  }

  visit(node: EngineProofNode, above: ReadonlySet<EngineProofNode>): number {
    expect(above.has(node)).toBe(false);
    const known = this.heights.get(node);
    if (known !== undefined) return known;
    const inner = new Set([...above, node]);
    const below = node.premises.map((premise) => this.visit(this.resolve(premise), inner));
    if (node.kind === 'stored' || node.kind === 'derived') {
      const holds = this.facts.has(node.relation ?? '', (node.tuple ?? []) as NaiveTuple);
      expect(holds || this.isReplaceable(node.relation)).toBe(true);
      expect(this.rules.has(node.relation ?? '')).toBe(node.kind === 'derived');
    }
    if (node.kind === 'derived') this.checkStep(node);
    const height = Math.max(0, ...below) + (node.kind === 'derived' ? 1 : 0);
    this.heights.set(node, height);
    return height;
  }

  private isReplaceable(relation = ''): boolean {
    return this.mayBeReplaced && this.rules.get(relation)?.parameters.at(-1)?.keeps !== undefined;
  }

  private checkStep(node: EngineProofNode): void {
    const clause = this.rules.get(node.rule?.path ?? '')?.body.clauses[node.rule?.clause ?? -1];
    if (clause === undefined) throw new Error('a step names no clause');
    const bindings = (node.bindings ?? {}) as NaiveBindings;
    expect(clause.head.map((head) => (head.op === 'variable' ? bindings[head.name] : null))).toEqual(node.tuple);
    const premises = node.premises.map((premise) => this.resolve(premise));
    expect(premises.length).toBe(clause.condition.literals.length);
    const atoms: (string | undefined)[] = [];
    for (const [index, literal] of clause.condition.literals.entries()) {
      const premise = premises[index] as EngineProofNode;
      if (literal.op !== 'atom' || !this.isReplaceable(literal.relation))
        expect(holdsNaively(this.facts, literal, bindings)).toBe(true);
      if (literal.op === 'atom') {
        expect(premise.relation).toBe(literal.relation);
        expect(unify(literal.args, (premise.tuple ?? []) as NaiveTuple, bindings)).toBeDefined();
        atoms.push(premise.factId);
      } else this.checkOther(literal, premise, bindings);
    }
    this.picks.push(JSON.stringify([node.factId, node.rule?.clause, Object.entries(bindings).sort(), atoms]));
  }

  private checkOther(literal: Literal, premise: EngineProofNode, bindings: NaiveBindings): void {
    const aggregates = aggregatesIn(literal);
    const kind = literal.op === 'absent' ? 'absent' : aggregates.length > 0 ? 'aggregate' : 'test';
    expect(premise.kind).toBe(kind);
    if (kind !== 'aggregate') return;
    const counts = aggregates.map(({ condition, over }, place) => {
      const own = condition.variables.map(({ name }) => name);
      const group = Object.fromEntries(Object.entries(bindings).filter(([name]) => !own.includes(name)));
      const found = solveNaively(this.facts, condition, group);
      const listed = premise.aggregates?.[place]?.contributions.map((each) => over.map((name) => each.bindings[name]));
      const distinct = new Set(found.map((each) => JSON.stringify(over.map((name) => each[name]))));
      expect(listed?.map((each) => JSON.stringify(each)).sort()).toEqual([...distinct].sort());
      return new Set(found.map((each) => JSON.stringify(own.map((name) => each[name])))).size;
    });
    // Each premise of a contribution is a premise of the node too, or is not a fact.
    const facts = new Set(premise.premises.map((each) => this.resolve(each).factId));
    for (const each of contributed(premise)) {
      const { factId } = this.resolve(each);
      expect(factId === undefined || facts.has(factId)).toBe(true);
    }
    expect(premise.contributions).toBe(counts.reduce((total, each) => total + each, 0));
  }
}

function contributed({ aggregates = [] }: EngineProofNode): EngineProofPremise[] {
  return aggregates.flatMap(({ contributions }) => contributions.flatMap(({ premises }) => premises));
}

/** Aggregates anywhere in a part of a body. */
export function aggregatesIn(node: unknown): { readonly condition: Condition; readonly over: readonly string[] }[] {
  if (typeof node !== 'object' || node === null) return [];
  const { op } = node as { op?: Expression['op'] };
  if (op === 'aggregate') return [node as ReturnType<typeof aggregatesIn>[number]];
  return Object.values(node).flatMap(aggregatesIn);
}
