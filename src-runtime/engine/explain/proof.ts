/** Writes proofs from the top, breadth first. A repeated fact is expanded at its first occurrence. */

import type { Json, Literal, Type } from '../../artifact/types.js';
import { invariant } from '../../base/invariant.js';
import type { Inputs } from '../evaluate/inputs.js';
import { factId } from '../fact-id.js';
import { isHidden } from '../plan/normalise.js';
import { variablesOf } from '../plan/variables.js';
import type { EngineProofNode, EngineProofPremise, ExplainOptions } from '../types.js';
import { toWire } from '../values/wire.js';
import { valuesPutIn } from './comparisons.js';
import { aggregationsOf } from './contributions.js';
import type { Derivations, Instance } from './derivations.js';
import type { Choice } from './minimal.js';
import { branchOf, explicitCondition, expressionOf, type Premise, premisesOf, type Site } from './premises.js';
import { type CodeBindings, tupleOf } from './search.js';

export const NODES_MAX = 10_000;

/**
 * Levels of a proof; it is cut below, whatever its number of nodes. JSON.stringify recurses, and overflows Node's stack
 * between 2,000 and 4,000 levels.
 */
export const LEVELS_MAX = 1000;

interface Task {
  readonly node: EngineProofNode;
  readonly path: string;
  readonly codes: readonly number[];
  readonly depth: number;
}

/** The context in which the premises of a clause instance are written. */
interface WriteContext {
  readonly site: Site;
  readonly depth: number;
}

/** An aggregate whose contributions are still to be written. */
interface PendingAggregate {
  readonly node: EngineProofNode;
  readonly premise: Premise;
  readonly written: WriteContext;
}

const NO_CHOICE: Choice = new Map();

export class Prover {
  isCut = false;
  nodesLeft: number;
  private readonly graph: Derivations;
  private readonly inputs: Inputs;
  private readonly options: ExplainOptions;
  /** Chosen instances. Other facts are proven from below their own height. */
  private readonly choice: Choice;
  private readonly seen: Set<string>;
  private readonly queue: Task[] = [];
  private readonly pendingAggregates: PendingAggregate[] = [];

  constructor(
    graph: Derivations,
    options: ExplainOptions,
    nodesMax: number,
    choice = NO_CHOICE,
    seen: Set<string> = new Set(),
  ) {
    this.graph = graph;
    this.inputs = graph.inputs;
    this.options = options;
    this.choice = choice;
    this.nodesLeft = nodesMax;
    this.seen = seen;
  }

  /** The whole proof of a fact that holds. */
  *prove(path: string, codes: readonly number[]): Generator<void, EngineProofNode> {
    const node = this.factPremise(path, codes, 0);
    invariant(node !== undefined && 'kind' in node, 'a fact that was not asked for yet is expanded');
    yield* this.expandAll();
    return node;
  }

  /** A premise for a fact that holds, to be expanded by `expandAll`; undefined at the node limit. */
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
      const { node, path, codes, depth } = this.queue[next] as Task;
      if (this.nodesLeft <= 0) this.cut(node, 'nodes');
      else if (depth >= LEVELS_MAX) this.cut(node, 'levels');
      else {
        const fact = yield* this.graph.node(path, codes);
        yield* this.expand(node, this.choice.get(fact) ?? (yield* this.graph.lowest(fact)), depth);
      }
      yield;
    }
    this.queue.length = 0;
    yield* this.writeContributions();
  }

  /** Contributions come last, so that they neither expand facts of the proof itself nor use up its room. */
  private *writeContributions(): Generator<void, void> {
    if (this.pendingAggregates.length === 0) return;
    const { graph, options, choice, seen } = this;
    const inside = new Prover(graph, options, options.nodesMax ?? NODES_MAX, choice, seen);
    for (const { node, premise, written } of this.pendingAggregates.splice(0)) {
      node.aggregates = yield* aggregationsOf(inside, premise, written.site, written.depth + 1);
    }
    yield* inside.expandAll();
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

  private cut(node: EngineProofNode, by?: EngineProofNode['cutBy']): void {
    node.cut = true;
    if (by !== undefined) node.cutBy = by;
    this.isCut = true;
  }

  private *expand(node: EngineProofNode, instance: Instance, depth: number): Generator<void, void> {
    const { bindings, types, limits, clause, number } = instance;
    const path = node.relation ?? '';
    node.rule = { path, clause: number, span: clause.span, ...branchOf(clause) };
    node.bindings = this.wireBindings(bindings, types);
    const condition = explicitCondition(this.inputs.program, clause);
    const site = { inputs: this.graph.inputsOf(path), bindings, types, limits, wants: everything };
    for (const premise of yield* premisesOf(site, condition)) {
      const written = yield* this.premise(premise, { site, depth: depth + 1 });
      if (written === undefined) this.cut(node, 'nodes');
      else node.premises.push(written);
    }
  }

  /** Undefined at the node limit. */
  *premise(premise: Premise, written: WriteContext): Generator<void, EngineProofPremise | undefined> {
    const { literal, facts } = premise;
    if (literal.op === 'atom') {
      const [fact] = facts;
      invariant(fact !== undefined, `a premise of ${literal.relation} holds`);
      return this.factPremise(literal.relation, fact.codes, written.depth);
    }
    if (!this.takeNode()) return undefined;
    invariant(literal.op !== 'either', 'a premise is of one alternative');
    if (literal.op !== 'absent') return yield* this.test(literal, premise, written);
    const tuple = this.wireTuple(literal.relation, tupleOf(this.inputs, literal, written.site.bindings));
    return { kind: 'absent', relation: literal.relation, tuple, premises: [] };
  }

  private *test(
    literal: Literal & { op: 'test' | 'let' | 'each' },
    premise: Premise,
    written: WriteContext,
  ): Generator<void, EngineProofNode> {
    const { facts, taken, isCut } = premise;
    const { bindings, types } = written.site;
    const expression = expressionOf(literal);
    const isAggregate = taken.length > 0;
    const node: EngineProofNode = { kind: isAggregate ? 'aggregate' : 'test', text: literal.text, premises: [] };
    const names = expression === undefined ? new Set<string>() : variablesOf(expression);
    const used = new Map([...bindings].filter(([name]) => names.has(name)));
    if (used.size > 0) node.bindings = this.wireBindings(used, types);
    const values = yield* valuesPutIn(this.inputs, literal, bindings, types);
    if (values !== undefined) node.values = [...values];
    if (literal.op !== 'test') node.value = this.wireValue(literal.variable, bindings, types) ?? null;
    if (isAggregate) {
      node.contributions = taken.reduce((count, { found }) => count + found.count, 0);
      this.pendingAggregates.push({ node, premise, written });
    }
    if (isCut) this.cut(node);
    for (const { path, codes } of facts) {
      const premise = this.factPremise(path, codes, written.depth + 1);
      if (premise !== undefined) node.premises.push(premise);
      else {
        this.cut(node, 'nodes');
        break;
      }
    }
    return node;
  }

  wireTuple(path: string, codes: readonly (number | null)[]): Json[] {
    const endpoints = this.inputs.program.relations.get(path)?.endpoints ?? [];
    return endpoints.map(({ type }, column) => {
      const code = codes[column] ?? null;
      return code === null ? null : toWire(type, this.inputs.interner.decode(type, code));
    });
  }

  /** By their names in the source. */
  wireBindings(bindings: CodeBindings, types: ReadonlyMap<string, Type>): Record<string, Json> {
    const wire: [string, Json][] = [];
    for (const name of bindings.keys()) {
      const value = isHidden(name) ? undefined : this.wireValue(name, bindings, types);
      if (value !== undefined) wire.push([name, value]);
    }
    return Object.fromEntries(wire);
  }

  private wireValue(name: string, bindings: CodeBindings, types: ReadonlyMap<string, Type>): Json | undefined {
    const type = types.get(name);
    const code = bindings.get(name);
    return type === undefined || code === undefined ? undefined : toWire(type, this.inputs.interner.decode(type, code));
  }
}

function everything(): boolean {
  return true;
}
