/**
 * Builds the proof of a fact from the top down, breadth first. A derived fact is explained by lower
 * premises, so every path ends in stored facts and no proof of it is lower as far as heights are known. A fact that occurs
 * twice is expanded where it occurs first.
 */

import type { Condition, Expression, Json, Literal, Type } from '../../artifact/types.js';
import { invariant } from '../../base/invariant.js';
import { factId } from '../fact-id.js';
import type { Inputs } from '../inputs.js';
import { conditionOf, groupOf, normalise, type Step, variablesOf } from '../plan/normalise.js';
import { partsOf } from '../reads.js';
import type { EngineProofNode, EngineProofPremise, ExplainOptions } from '../types.js';
import { toWire } from '../values/wire.js';
import {
  type CodeBindings,
  factLike,
  factsRead,
  findBindings,
  type HeightLimits,
  headBindings,
  tupleOf,
  typesOf,
} from './search.js';

const NODES_MAX = 10_000;

/** Deeper proofs are cut, because those who print or check them recurse. */
const DEPTH_MAX = 1000;

interface Task {
  readonly node: EngineProofNode;
  readonly path: string;
  readonly codes: readonly number[];
  readonly depth: number;
}

/** What the premises of one clause instance are made from. */
interface Instance {
  readonly bindings: CodeBindings;
  readonly types: ReadonlyMap<string, Type>;
  readonly limits: HeightLimits;
  readonly depth: number;
}

export class Prover {
  private readonly inputs: Inputs;
  private readonly options: ExplainOptions;
  private readonly seen = new Set<string>();
  private readonly queue: Task[] = [];
  private nodesLeft: number;
  isCut = false;

  constructor(inputs: Inputs, options: ExplainOptions) {
    this.inputs = inputs;
    this.options = options;
    this.nodesLeft = options.nodesMax ?? NODES_MAX;
  }

  /** The whole proof of a fact that holds. */
  *prove(path: string, codes: readonly number[]): Generator<void, EngineProofNode> {
    const node = this.factPremise(path, codes, 0);
    invariant(node !== undefined && 'kind' in node, 'a fact that was not asked for yet is expanded');
    yield* this.expandAll();
    return node;
  }

  /** A premise for a fact that holds, to be expanded by `expandAll`. Undefined where there is no room for it. */
  factPremise(path: string, codes: readonly number[], depth: number): EngineProofPremise | undefined {
    const tuple = this.wireTuple(path, codes) as Json[];
    const id = factId(path, tuple);
    if (this.seen.has(id)) return { ref: id };
    if (!this.takeNode()) return undefined;
    this.seen.add(id);
    const kind = this.kindOf(path, codes);
    const node: EngineProofNode = { kind, factId: id, relation: path, tuple, premises: [] };
    if (kind === 'derived') this.queue.push({ node, path, codes, depth });
    const event = kind === 'stored' ? this.options.eventOf?.(path, codes) : undefined;
    if (event !== undefined) node.event = event;
    return node;
  }

  *expandAll(): Generator<void, void> {
    for (let next = 0; next < this.queue.length; next++) {
      const task = this.queue[next] as Task;
      if (task.depth >= DEPTH_MAX || this.nodesLeft <= 0) this.cut(task.node);
      else yield* this.expand(task);
      yield;
    }
    this.queue.length = 0;
  }

  private kindOf(path: string, codes: readonly number[]): 'declared' | 'stored' | 'derived' {
    if (this.inputs.program.isRule(path)) return 'derived';
    return this.options.isDeclared?.(path, codes) === true ? 'declared' : 'stored';
  }

  private takeNode(): boolean {
    if (this.nodesLeft <= 0) return false;
    this.nodesLeft -= 1;
    return true;
  }

  private cut(node: EngineProofNode): void {
    node.cut = true;
    this.isCut = true;
  }

  private *expand({ node, path, codes, depth }: Task): Generator<void, void> {
    const { program } = this.inputs;
    const limits = this.limitsOf(path, codes);
    for (const [number, clause] of program.clausesOf(path).entries()) {
      const head = headBindings(this.inputs, path, clause, codes);
      if (head === undefined) continue;
      const types = typesOf(clause.condition);
      const [bindings] = yield* findBindings(this.inputs, clause.condition, head, types, false, limits);
      if (bindings === undefined) continue;
      node.rule = { path, clause: number, span: clause.span };
      node.bindings = this.wireBindings(bindings, types);
      yield* this.addPremises(node, clause.condition, { bindings, types, limits, depth: depth + 1 });
      return;
    }
    invariant(false, `a fact of ${path} is an instance of one of its clauses`);
  }

  /** Of the fact's component, the facts below its own height. */
  private limitsOf(path: string, codes: readonly number[]): HeightLimits {
    const { program } = this.inputs;
    const { relation, version } = this.inputs.derived(path);
    const height = relation.heightOf(relation.find(codes, version));
    const members = program.componentOf(path).recursive ? program.componentOf(path).paths : [];
    return new Map(members.map((member) => [member, height]));
  }

  /** Adds the premises of a condition in source order. */
  *addPremises(node: EngineProofNode, condition: Condition, instance: Instance): Generator<void, void> {
    const { steps } = normalise(this.inputs.program, condition);
    for (const [index, literal] of condition.literals.entries()) {
      const own = steps.filter((step) => step.literal === index);
      const premise = yield* this.premise(literal, own, instance);
      if (premise === undefined) this.cut(node);
      else node.premises.push(premise);
    }
  }

  *premise(
    literal: Literal,
    steps: readonly Step[],
    instance: Instance,
  ): Generator<void, EngineProofPremise | undefined> {
    switch (literal.op) {
      case 'atom': {
        const tuple = tupleOf(this.inputs, literal, instance.bindings);
        const codes = factLike(this.inputs, literal.relation, tuple, instance.limits);
        invariant(codes !== undefined, `a premise of ${literal.relation} holds`);
        return this.factPremise(literal.relation, codes, instance.depth);
      }
      case 'absent': {
        if (!this.takeNode()) return undefined;
        const tuple = this.wireTuple(literal.relation, tupleOf(this.inputs, literal, instance.bindings));
        return { kind: 'absent', relation: literal.relation, tuple, premises: [] };
      }
      case 'test':
        return yield* this.test(literal.text, literal.condition, null, steps, instance);
      case 'let':
        return yield* this.test(literal.text, literal.value, literal.variable, steps, instance);
      case 'each':
        return yield* this.test(literal.text, literal.in, literal.variable, steps, instance);
    }
  }

  private *test(
    text: string,
    expression: Expression,
    variable: string | null,
    steps: readonly Step[],
    instance: Instance,
  ): Generator<void, EngineProofNode | undefined> {
    if (!this.takeNode()) return undefined;
    const aggregates = aggregatesIn(expression);
    const node: EngineProofNode = { kind: aggregates.length > 0 ? 'aggregate' : 'test', text, premises: [] };
    const names = new Set([...variablesOf(expression)].filter((name) => instance.bindings.has(name)));
    const used = new Map([...instance.bindings].filter(([name]) => names.has(name)));
    if (used.size > 0) node.bindings = this.wireBindings(used, instance.types);
    if (variable !== null) node.value = this.wireBindings(instance.bindings, instance.types)[variable] ?? null;
    this.addFacts(node, factsRead(this.inputs, steps, instance.bindings, instance.limits).facts, instance.depth);
    for (const aggregate of aggregates) yield* this.addContributions(node, aggregate, instance);
    return node;
  }

  private addFacts(
    node: EngineProofNode,
    facts: readonly { readonly path: string; readonly codes: number[] }[],
    depth: number,
  ): void {
    for (const { path, codes } of facts) {
      const premise = this.factPremise(path, codes, depth + 1);
      if (premise === undefined) this.cut(node);
      else if (!isPresent(node.premises, premise)) node.premises.push(premise);
    }
  }

  /** The facts behind every binding that the aggregate counted. */
  private *addContributions(
    node: EngineProofNode,
    aggregate: Expression & { op: 'aggregate' },
    instance: Instance,
  ): Generator<void, void> {
    const condition = conditionOf(aggregate);
    const group = new Map(
      [...groupOf(aggregate)].flatMap((name) => {
        const code = instance.bindings.get(name);
        return code === undefined ? [] : [[name, code] as const];
      }),
    );
    const types = typesOf(condition, instance.types);
    const { steps } = normalise(this.inputs.program, condition);
    const found = yield* findBindings(this.inputs, aggregate.condition, group, types, true);
    for (const bindings of found) {
      if (this.nodesLeft <= 0) {
        this.cut(node);
        return;
      }
      this.addFacts(node, factsRead(this.inputs, steps, bindings, new Map()).facts, instance.depth);
      yield;
    }
  }

  wireTuple(path: string, codes: readonly (number | null)[]): Json[] {
    const endpoints = this.inputs.program.relations.get(path)?.endpoints ?? [];
    return endpoints.map(({ type }, column) => {
      const code = codes[column] ?? null;
      return code === null ? null : toWire(type, this.inputs.interner.decode(type, code));
    });
  }

  wireBindings(bindings: CodeBindings, types: ReadonlyMap<string, Type>): Record<string, Json> {
    const wire: [string, Json][] = [];
    for (const [name, code] of bindings) {
      const type = types.get(name);
      if (type !== undefined) wire.push([name, toWire(type, this.inputs.interner.decode(type, code))]);
    }
    return Object.fromEntries(wire);
  }
}

function isPresent(premises: readonly EngineProofPremise[], premise: EngineProofPremise): boolean {
  return 'ref' in premise && premises.some((each) => ('ref' in each ? each.ref : each.factId) === premise.ref);
}

function aggregatesIn(expression: Expression): (Expression & { op: 'aggregate' })[] {
  if (expression.op === 'aggregate') return [expression];
  return partsOf(expression).flatMap(aggregatesIn);
}
