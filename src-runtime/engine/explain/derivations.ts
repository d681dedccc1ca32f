/** The derivation graph of a fact: facts and instances of clauses, built on demand. */

import type { Clause, Condition, Literal, Type } from '../../artifact/types.js';
import { invariant } from '../../base/invariant.js';
import { type Inputs, type Materialised, relationOf } from '../evaluate/inputs.js';
import type { Component, EngineProgram } from '../program/program.js';
import { noReads, readsOfCondition } from '../program/reads.js';
import type { Relation } from '../relation/relation.js';
import { comparison } from '../values/compare.js';
import { explicitCondition, premisesOf } from './premises.js';
import { type CodeBindings, Finder, type HeightLimits, headBindings, tupleOf, typesOf } from './search.js';

/** A derived fact. One object for each fact, so that facts are compared by identity. */
export interface FactNode {
  readonly path: string;
  readonly codes: readonly number[];
  /** Greater than that of every fact of its component in some derivation of it; at least 1. */
  readonly height: number;
  /** True if `height` is known to be the least of any proof across all components. */
  readonly isLowest: boolean;
  /** All of them, or as many as were searched for; undefined before `expand`. */
  instances: readonly Instance[] | undefined;
  /** False if there are more instances or premises than were searched for. */
  isWhole: boolean;
  /** The result of `lower`, once computed. */
  lower: readonly Instance[] | undefined;
  /** The result of `flat`, once computed. */
  flat: readonly Instance[] | undefined;
}

/** A one-step derivation: a clause and the bindings under which its head is the fact. */
export interface Instance {
  readonly clause: Clause;
  /** Index of the clause. */
  readonly number: number;
  readonly bindings: CodeBindings;
  readonly types: ReadonlyMap<string, Type>;
  /** Limits on ranks within the fact's component under which it was found. */
  readonly limits: HeightLimits;
  /** The distinct derived facts among its premises. */
  readonly premises: readonly FactNode[];
  /** True if it aggregates more facts than were searched for, so that there may be more premises. */
  readonly isCut: boolean;
}

type Atom = Literal & { readonly op: 'atom' };

interface KnownFinder {
  readonly finder: Finder;
  readonly types: ReadonlyMap<string, Type>;
}

/** The known facts of one relation. */
interface KnownFacts {
  readonly relation: Relation;
  readonly version: number;
  readonly isLowest: boolean;
  /** By row. */
  readonly nodes: Map<number, FactNode>;
}

/** Instances over lower facts to choose the first from. */
const LOWER_MAX = 16;

/** Instances of one fact to search for. */
export const INSTANCES_MAX = 1000;

export class Derivations {
  readonly inputs: Inputs;
  private readonly facts = new Map<string, KnownFacts>();
  private readonly componentInputs = new Map<Component, Inputs>();
  private readonly lowestComponents = new Map<Component, boolean>();
  /** By clause: searches for all instances of a fact, and for one below its height. */
  private readonly finders = new Map<Clause, KnownFinder>();
  private readonly lowerFinders = new Map<Clause, KnownFinder>();

  constructor(inputs: Inputs) {
    this.inputs = inputs;
  }

  /** The fact has to hold, and to be derived. */
  *node(path: string, codes: readonly number[]): Generator<void, FactNode> {
    return nodeIn(yield* this.factsOf(path), path, codes);
  }

  /**
   * What clauses of the relation read. If facts of its component only follow by way of replaced values, these are read
   * too, within the component.
   */
  inputsOf(path: string): Inputs {
    const { inputs } = this;
    const component = inputs.program.componentOf(path);
    const known = this.componentInputs.get(component);
    if (known !== undefined) return known;
    const histories = new Map<string, Materialised>();
    for (const member of component.paths) {
      const { history } = relationOf(inputs, member).relation.ownRanks;
      if (history !== null) histories.set(member, { relation: history, version: 0, size: history.count });
    }
    const found =
      histories.size === 0
        ? inputs
        : { ...inputs, derived: (read: string) => histories.get(read) ?? inputs.derived(read) };
    this.componentInputs.set(component, found);
    return found;
  }

  private *factsOf(path: string): Generator<void, KnownFacts> {
    const known = this.facts.get(path);
    if (known !== undefined) return known;
    const { relation, version } = relationOf(this.inputsOf(path), path);
    yield* relation.extendIdentityInBlocks();
    const isLowest = this.hasLowestHeights(this.inputs.program.componentOf(path));
    const facts = { relation, version, isLowest, nodes: new Map<number, FactNode>() };
    this.facts.set(path, facts);
    return facts;
  }

  /** An instance whose premises in the fact's component are all lower: the first of `lower`. */
  *lowest(node: FactNode): Generator<void, Instance> {
    const [first] = yield* this.lower(node);
    invariant(first !== undefined, `a fact of ${node.path} is an instance of one of its clauses`);
    return first;
  }

  /** Such instances in the order of `expand`; some of them if there are many. */
  *lower(node: FactNode): Generator<void, readonly Instance[]> {
    if (node.lower !== undefined) return node.lower;
    const found: Instance[] = [];
    for (const [number, clause] of this.inputs.program.clausesOf(node.path).entries()) {
      if (found.length >= LOWER_MAX) break;
      const some = yield* this.find(node, number, clause, this.limitsOf(node), LOWER_MAX - found.length);
      found.push(...this.sorted(clause, some));
    }
    if (found.some(({ isCut }) => isCut)) node.isWhole = false;
    node.lower = found.map((each) => knownAs(node.instances ?? node.flat, each));
    return node.lower;
  }

  /** Finds every instance of the fact, by clause, then in the language's order of their bindings. */
  *expand(node: FactNode): Generator<void, readonly Instance[]> {
    if (node.instances !== undefined) return node.instances;
    const instances = yield* this.all(node, () => true);
    if (instances.some(({ isCut }) => isCut)) node.isWhole = false;
    // An instance that may have been chosen keeps its identity, and is included even beyond the limit.
    for (const known of [...(node.lower ?? []), ...(node.flat ?? [])]) {
      const same = instances.findIndex((each) => isSame(each, known));
      if (same < 0) instances.push(known);
      else instances[same] = known;
    }
    node.instances = instances;
    return instances;
  }

  /** Finds the instances without a derived premise, which give the fact a proof of height 1. */
  *flat(node: FactNode): Generator<void, readonly Instance[]> {
    if (node.instances !== undefined) return node.instances.filter(isFlat);
    if (node.flat !== undefined) return node.flat;
    const { program } = this.inputs;
    const mayBeFlat = ({ condition }: Clause) =>
      condition.literals.every((literal) => literal.op !== 'atom' || !program.isRule(literal.relation));
    const found = yield* this.all(node, mayBeFlat);
    if (found.some(({ premises, isCut }) => isCut && premises.length === 0)) node.isWhole = false;
    node.flat = found.filter(isFlat).map((each) => knownAs(node.lower, each));
    return node.flat;
  }

  private *all(node: FactNode, isCompared: (clause: Clause) => boolean): Generator<void, Instance[]> {
    const instances: Instance[] = [];
    for (const [number, clause] of this.inputs.program.clausesOf(node.path).entries()) {
      if (!isCompared(clause)) continue;
      const found = yield* this.find(node, number, clause, new Map(), INSTANCES_MAX);
      if (found.length >= INSTANCES_MAX) node.isWhole = false;
      instances.push(...this.sorted(clause, found));
    }
    return instances;
  }

  private *find(
    node: FactNode,
    number: number,
    clause: Clause,
    limits: HeightLimits,
    most: number,
  ): Generator<void, Instance[]> {
    const inputs = this.inputsOf(node.path);
    const head = headBindings(inputs, node.path, clause, node.codes);
    if (head === undefined) return [];
    const condition = explicitCondition(inputs.program, clause);
    const { finder, types } = this.finderFor(inputs, clause, condition, head, limits);
    const found = yield* finder.find(head, limits, most);
    const instances: Instance[] = [];
    for (let index = 0; index < Math.min(found.count, most); index++) {
      const bindings = found.at(index);
      const { premises, isCut } = yield* this.derivedPremises(inputs, clause, bindings, types, limits);
      instances.push({ clause, number, bindings, types, limits, premises, isCut });
      if (index % 64 === 63) yield;
    }
    return instances;
  }

  private finderFor(
    inputs: Inputs,
    clause: Clause,
    condition: Condition,
    head: CodeBindings,
    limits: HeightLimits,
  ): KnownFinder {
    const kinds = limits.size === 0 ? this.finders : this.lowerFinders;
    const known = kinds.get(clause);
    if (known !== undefined) return known;
    const types = typesOf(condition);
    const shape = { names: [...head.keys()], types, limited: [...limits.keys()], pauses: limits.size > 0 };
    const made = { finder: new Finder(inputs, condition, shape), types };
    kinds.set(clause, made);
    return made;
  }

  private *derivedPremises(
    inputs: Inputs,
    clause: Clause,
    bindings: CodeBindings,
    types: ReadonlyMap<string, Type>,
    limits: HeightLimits,
  ): Generator<void, Pick<Instance, 'premises' | 'isCut'>> {
    const { program } = inputs;
    const premises = new Set<FactNode>();
    const wants = (path: string): boolean => program.isRule(path);
    const condition = explicitCondition(program, clause);
    const atoms = derivedAtoms(program, clause);
    if (atoms !== undefined) {
      for (const atom of atoms) {
        const facts = this.facts.get(atom.relation) ?? (yield* this.factsOf(atom.relation));
        premises.add(nodeIn(facts, atom.relation, tupleOf(inputs, atom, bindings) as number[]));
      }
      return { premises: [...premises], isCut: false };
    }
    const found = yield* premisesOf({ inputs, bindings, types, limits, wants }, condition);
    for (const { facts } of found) for (const { path, codes } of facts) premises.add(yield* this.node(path, codes));
    return { premises: [...premises], isCut: found.some(({ isCut }) => isCut) };
  }

  private sorted(clause: Clause, instances: Instance[]): Instance[] {
    if (instances.length < 2) return instances;
    const { inputs } = this;
    const orders = explicitCondition(inputs.program, clause).variables.map(({ name, type }) => ({
      name,
      compare: comparison(inputs.program, type),
      decode: (code: number | undefined) => (code === undefined ? null : inputs.interner.decode(type, code)),
    }));
    return instances.sort((left, right) => {
      for (const { name, compare, decode } of orders) {
        const [one, other] = [left.bindings.get(name), right.bindings.get(name)];
        const order = one === other ? 0 : compare(decode(one), decode(other));
        if (order !== 0) return order;
      }
      return 0;
    });
  }

  /** In the fact's component: facts below its height. */
  private limitsOf({ path, height }: FactNode): HeightLimits {
    const { recursive, paths } = this.inputs.program.componentOf(path);
    return new Map(recursive ? paths.map((member) => [member, height]) : []);
  }

  /**
   * Evaluation in rounds finds each fact at its least height. If everything below is stored, that is the whole height.
   */
  private hasLowestHeights(component: Component): boolean {
    const known = this.lowestComponents.get(component);
    if (known !== undefined) return known;
    const { inputs } = this;
    const { program } = inputs;
    const isExact = component.paths.every((path) => relationOf(inputs, path).relation.ownRanks.areLowest);
    const has =
      isExact &&
      component.paths.every((path) =>
        program
          .clausesOf(path)
          .every((clause) =>
            [...positiveReads(program, clause)].every(
              (read) => !program.isRule(read) || component.paths.includes(read),
            ),
          ),
      );
    this.lowestComponents.set(component, has);
    return has;
  }
}

function nodeIn({ relation, version, isLowest, nodes }: KnownFacts, path: string, codes: readonly number[]): FactNode {
  const row = relation.find(codes, version);
  invariant(row >= 0, `a fact of ${path} that is explained holds`);
  const known = nodes.get(row);
  if (known !== undefined) return known;
  const node = {
    path,
    codes,
    height: Math.max(1, relation.rankOf(row)),
    isLowest,
    instances: undefined,
    isWhole: true,
    lower: undefined,
    flat: undefined,
  };
  nodes.set(row, node);
  return node;
}

const POSITIVE_READS = new WeakMap<Clause, ReadonlySet<string>>();

/** The relations whose facts a proof by the clause can contain. */
function positiveReads(program: EngineProgram, clause: Clause): ReadonlySet<string> {
  const known = POSITIVE_READS.get(clause);
  if (known !== undefined) return known;
  const literals = clause.condition.literals.filter(({ op }) => op !== 'absent');
  const { relations } = readsOfCondition(program, { ...clause.condition, literals }, noReads());
  POSITIVE_READS.set(clause, relations);
  return relations;
}

const DERIVED_ATOMS = new WeakMap<Clause, readonly Atom[] | null>();

/**
 * The atoms of derived relations, if they are all derived premises; undefined if an expression reads derived facts too.
 */
function derivedAtoms(program: EngineProgram, clause: Clause): readonly Atom[] | undefined {
  const known = DERIVED_ATOMS.get(clause);
  if (known !== undefined) return known ?? undefined;
  const { literals } = explicitCondition(program, clause);
  const atoms = literals.filter((literal) => literal.op === 'atom');
  const others = { variables: [], literals: literals.filter(({ op }) => op !== 'atom' && op !== 'absent') };
  const readsOthers = [...readsOfCondition(program, others, noReads()).relations].some((path) => program.isRule(path));
  const found = readsOthers ? null : atoms.filter(({ relation }) => program.isRule(relation));
  DERIVED_ATOMS.set(clause, found);
  return found ?? undefined;
}

/** The facts of an aggregate may be derived, or none. That depends on the instance, not on its clause. */
function isFlat({ premises, isCut }: Instance): boolean {
  return premises.length === 0 && !isCut;
}

/** One object for each instance, so that a chosen one is the same for everyone who finds it. */
function knownAs(known: readonly Instance[] | undefined, found: Instance): Instance {
  return known?.find((each) => isSame(each, found)) ?? found;
}

function isSame(left: Instance, right: Instance): boolean {
  if (left.number !== right.number) return false;
  for (const [name, code] of left.bindings) if (right.bindings.get(name) !== code) return false;
  return true;
}
