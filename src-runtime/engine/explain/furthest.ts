/**
 * How far a clause gets: the most premises that hold together, a binding for them, the premise that fails, and the
 * remaining ones.
 */

import type { Clause, Condition, Literal } from '../../artifact/types.js';
import { EvaluationFault } from '../errors.js';
import type { Inputs } from '../evaluate/inputs.js';
import { literalVariables, variablesOf } from '../plan/variables.js';
import type { EngineProgram } from '../program/program.js';
import { type CodeBindings, type FoundBindings, findBindings, NotAsked, typesOf } from './search.js';

export interface Furthest {
  /** In an order in which each premise finds its variables bound. */
  readonly satisfied: readonly Literal[];
  readonly bindings: CodeBindings;
  /**
   * A premise that nothing satisfies together with the others; undefined if the clause holds or the search was given
   * up.
   */
  readonly failing: Literal | undefined;
  /** The other premises in source order. */
  readonly behind: readonly LaterPremise[];
  /** The search was given up: more premises may hold together, or none surely fails. */
  readonly isCut: boolean;
}

/** A premise after the failing one. */
export interface LaterPremise {
  readonly literal: Literal;
  /** False under these bindings too. Otherwise it waits for variables of failing premises, or was not tried. */
  readonly fails: boolean;
}

/** Limits of a search: sets of premises to try, and blocks of rows to visit. */
export interface SearchBudget {
  blocks: number;
}

const SETS_MAX = 64;

/** Sets in which each premise is tried first: alone, and with the premises that bind its variables. */
const SETS_FOR_EACH = 3;

/** Bindings to choose an example from. */
const EXAMPLES_MAX = 64;

type Outcome = CodeBindings | 'none' | 'faults' | 'unknown';

const SUBSETS = new WeakMap<Clause, Map<string, Condition>>();

interface Guard {
  readonly name: string;
  readonly concept: string;
}

/**
 * Premises that fail alone, or with those that bind their variables, count as failing before premises that fail only
 * with others. Ties follow source order.
 */
export function* furthest(
  inputs: Inputs,
  clause: Clause,
  head: CodeBindings,
  budget: SearchBudget,
): Generator<void, Furthest> {
  const search = new Search(inputs, clause, head, budget);
  return yield* search.run();
}

class Search {
  private readonly inputs: Inputs;
  private readonly clause: Clause;
  private readonly head: CodeBindings;
  private readonly budget: SearchBudget;
  private readonly own: ReadonlySet<string>;
  private readonly outcomes = new Map<string, Outcome>();
  private best: { readonly satisfied: readonly Literal[]; readonly bindings: CodeBindings };
  private isCut = false;

  constructor(inputs: Inputs, clause: Clause, head: CodeBindings, budget: SearchBudget) {
    this.inputs = inputs;
    this.clause = clause;
    this.head = head;
    this.budget = budget;
    this.own = new Set(clause.condition.variables.map(({ name }) => name));
    this.best = { satisfied: [], bindings: head };
  }

  *run(): Generator<void, Furthest> {
    const ordered = this.safeOrder();
    const dead = new Set<Literal>();
    for (const literal of ordered) {
      if (!this.isReady(literal, []) || this.isOpen(literal, [])) continue;
      if ((yield* this.outcome([literal])) === 'none') dead.add(literal);
    }
    yield* this.addUnmet(dead, ordered);
    const alive = ordered.filter((literal) => !dead.has(literal));
    yield* this.extend([], this.head, alive);
    yield* this.distinguish();
    const failing = yield* this.failing(dead);
    const behind = yield* this.behind(failing);
    const isWhole = this.best.satisfied.length === ordered.length;
    return { ...this.best, failing, behind, isCut: this.isCut || (failing === undefined && !isWhole) };
  }

  /**
   * If possible, an example does not use one individual for two variables: that would suggest that they have to be
   * equal.
   */
  private *distinguish(): Generator<void> {
    const { satisfied, bindings } = this.best;
    const names = this.clause.condition.variables.flatMap(({ name, type }) => (type.kind === 'class' ? [name] : []));
    const different = (example: CodeBindings): number => new Set(names.flatMap((name) => example.get(name) ?? [])).size;
    if (different(bindings) === names.filter((name) => bindings.has(name)).length) return;
    const found = yield* this.found(this.subsetOf(satisfied), this.head, EXAMPLES_MAX);
    if (typeof found === 'string') return;
    let best = bindings;
    for (let index = 0; index < Math.min(found.count, EXAMPLES_MAX); index++) {
      const example = found.at(index);
      if (different(example) > different(best)) best = example;
    }
    this.best = { satisfied, bindings: best };
  }

  /** A remaining premise that holds under these bindings is shown as satisfied. */
  private *behind(failing: Literal | undefined): Generator<void, LaterPremise[]> {
    const { satisfied, bindings } = this.best;
    const behind: LaterPremise[] = [];
    for (const literal of this.clause.condition.literals) {
      if (literal === failing || satisfied.includes(literal)) continue;
      const isCompared = literal.op === 'atom' || needsOf(literal, this.own).every((name) => bindings.has(name));
      // Of any class: a sentence could not tell that only a fact of an individual of the right class is missing.
      const condition = subset(this.clause, keyOf([literal], this.clause.condition.literals), [literal], []);
      const found = isCompared ? yield* this.found(condition, bindings, 1) : 'unknown';
      behind.push({ literal, fails: typeof found === 'object' && found.count === 0 });
    }
    return behind;
  }

  /**
   * A comparison fails like a missing fact: a delegation to another person must not be blamed for what its giver lacks.
   * Only premises before the first one that fails alone can take its place.
   */
  private *addUnmet(dead: Set<Literal>, ordered: readonly Literal[]): Generator<void> {
    const { literals } = this.clause.condition;
    const first = literals.findIndex((literal) => dead.has(literal));
    for (const literal of literals.slice(0, Math.max(first, 0))) {
      if (this.isReady(literal, [])) continue;
      const binders = this.bindersOf(literal, ordered);
      if (binders.some((each) => dead.has(each)) || typeof (yield* this.outcome(binders)) !== 'object') continue;
      if ((yield* this.outcome([...binders, literal])) === 'none') dead.add(literal);
    }
  }

  /** The first premises that bind its variables, with those that bind theirs, in an order that can be evaluated. */
  private bindersOf(literal: Literal, ordered: readonly Literal[]): Literal[] {
    const found = new Set<Literal>();
    const waiting = [literal];
    for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
      if (each.op === 'atom') continue;
      for (const name of needsOf(each, this.own)) {
        const binder = this.head.has(name) ? undefined : ordered.find((other) => [...boundBy(other)].includes(name));
        if (binder === undefined || found.has(binder)) continue;
        found.add(binder);
        waiting.push(binder);
      }
    }
    return ordered.filter((each) => found.has(each));
  }

  /** Adds each premise that holds with those before it, then checks whether leaving one out gets further. */
  private *extend(satisfied: readonly Literal[], bindings: CodeBindings, rest: readonly Literal[]): Generator<void> {
    if (satisfied.length > this.best.satisfied.length) this.best = { satisfied, bindings };
    const [literal, ...others] = rest;
    if (literal === undefined || satisfied.length + rest.length <= this.best.satisfied.length) return;
    if (this.isReady(literal, satisfied)) {
      const longer = [...satisfied, literal];
      const outcome = yield* this.outcome(longer);
      if (typeof outcome === 'object') yield* this.extend(longer, outcome, others);
    }
    yield* this.extend(satisfied, bindings, others);
  }

  private *failing(dead: ReadonlySet<Literal>): Generator<void, Literal | undefined> {
    const { satisfied } = this.best;
    const left = this.clause.condition.literals.filter((literal) => !satisfied.includes(literal));
    const ready = left.filter((literal) => this.isReady(literal, satisfied));
    // Facts of another class would seem to be missing for a non-existing individual.
    const isTold = (literal: Literal) => this.guards([literal]).every(({ name }) => this.binds(satisfied).has(name));
    let faulting: Literal | undefined;
    for (const literals of [ready.filter(isTold), ready.filter((literal) => !isTold(literal))]) {
      const first = literals.find((literal) => dead.has(literal));
      if (first !== undefined) return first;
      for (const literal of literals) {
        const outcome = yield* this.outcome([...satisfied, literal]);
        if (outcome === 'none') return literal;
        if (outcome === 'faults') faulting ??= literal;
      }
    }
    return faulting;
  }

  private *outcome(literals: readonly Literal[]): Generator<void, Outcome> {
    const all = this.clause.condition.literals;
    const key = keyOf(literals, all);
    const known = this.outcomes.get(key);
    if (known !== undefined) return known;
    if (this.outcomes.size >= SETS_MAX + SETS_FOR_EACH * all.length || this.budget.blocks <= 0) {
      this.isCut = true;
      return 'unknown';
    }
    const found = yield* this.found(this.subsetOf(literals), this.head, 1);
    const outcome = typeof found === 'string' ? found : found.count > 0 ? found.at(0) : 'none';
    this.outcomes.set(key, outcome);
    return outcome;
  }

  private subsetOf(literals: readonly Literal[]): Condition {
    return subset(this.clause, keyOf(literals, this.clause.condition.literals), literals, this.guards(literals));
  }

  private *found(
    condition: Condition,
    bound: CodeBindings,
    most: number,
  ): Generator<void, FoundBindings | 'faults' | 'unknown'> {
    const work = findBindings(this.inputs, condition, bound, typesOf(this.clause.condition), { most });
    try {
      for (;;) {
        const step = work.next();
        if (step.done === true) return step.value;
        this.budget.blocks -= 1;
        if (this.budget.blocks <= 0) {
          this.isCut = true;
          return 'unknown';
        }
        yield;
      }
    } catch (error) {
      // The whole body does not fault, so another premise fails before this one.
      if (error instanceof EvaluationFault) return 'faults';
      if (!(error instanceof NotAsked)) throw error;
      this.isCut = true;
      return 'unknown';
    }
  }

  /** A premise is ready once its variables are bound. */
  private isReady(literal: Literal, satisfied: readonly Literal[]): boolean {
    if (literal.op === 'atom') return true;
    const bound = this.binds(satisfied);
    return needsOf(literal, this.own).every((name) => bound.has(name));
  }

  private binds(literals: readonly Literal[]): ReadonlySet<string> {
    const bound = new Set(this.head.keys());
    for (const each of literals) for (const name of boundBy(each)) bound.add(name);
    return bound;
  }

  /**
   * The variables that these premises alone would bind to an individual of a class that another premise rejects, with
   * the concept that all of them accept.
   */
  private guards(literals: readonly Literal[]): Guard[] {
    const { program } = this.inputs;
    const guards: Guard[] = [];
    for (const { name, type } of this.clause.condition.variables) {
      if (type.kind !== 'class' || this.head.has(name)) continue;
      const concept = program.conceptOf(type.path);
      const taken = literals.flatMap((literal) => classesAt(program, literal, name));
      if (taken.length === 0 || taken.some((path) => program.isSubclass(path, concept))) continue;
      guards.push({ name, concept });
    }
    return guards;
  }

  /**
   * True if it would read a whole rule that has not been derived. It is taken to hold somewhere, which is only wrong if
   * the rule has no facts.
   */
  private isOpen(literal: Literal, satisfied: readonly Literal[]): boolean {
    if (!this.isAskedFor(literal)) return false;
    const bound = this.binds(satisfied);
    return !literal.args.some((arg) => arg?.op === 'constant' || (arg?.op === 'variable' && bound.has(arg.name)));
  }

  private isAskedFor(literal: Literal): literal is Literal & { op: 'atom' } {
    const { asking, program } = this.inputs;
    return asking !== undefined && literal.op === 'atom' && program.isRule(literal.relation);
  }

  /**
   * Source order, except that a premise waits until an earlier one binds its variables. If facts are asked for, premises
   * that ask wait until others have bound their arguments.
   */
  private safeOrder(): Literal[] {
    const waiting = [...this.clause.condition.literals];
    const ordered: Literal[] = [];
    const firstOf = (isNext: (literal: Literal) => boolean): number =>
      waiting.findIndex((literal) => this.isReady(literal, ordered) && isNext(literal));
    while (waiting.length > 0) {
      const places = [
        firstOf((literal) => !this.isAskedFor(literal)),
        firstOf((literal) => !this.isOpen(literal, ordered)),
        firstOf(() => true),
        0,
      ];
      ordered.push(...waiting.splice(places.find((place) => place >= 0) ?? 0, 1));
    }
    return ordered;
  }
}

function keyOf(literals: readonly Literal[], all: readonly Literal[]): string {
  return literals
    .map((literal) => all.indexOf(literal))
    .sort((left, right) => left - right)
    .join();
}

/** Plans are cached by condition, so each set of premises has one. */
function subset(clause: Clause, key: string, literals: readonly Literal[], guards: readonly Guard[]): Condition {
  const subsets = SUBSETS.get(clause) ?? new Map<string, Condition>();
  SUBSETS.set(clause, subsets);
  // The guards depend on the head too, whose open endpoints differ between questions.
  const guarded = `${key} ${guards.map(({ name }) => name).join()}`;
  const known = subsets.get(guarded) ?? {
    variables: clause.condition.variables,
    literals: [...literals, ...guards.map((guard) => guardLiteral(guard, clause))],
  };
  subsets.set(guarded, known);
  return known;
}

function guardLiteral({ name, concept }: Guard, { span }: Clause): Literal {
  return { op: 'atom', relation: concept, args: [{ op: 'variable', name }], span };
}

/** The classes of the endpoints at which a wanted fact has the variable. */
function classesAt(program: EngineProgram, literal: Literal, name: string): string[] {
  if (literal.op !== 'atom') return [];
  const endpoints = program.relations.get(literal.relation)?.endpoints ?? [];
  return literal.args.flatMap((arg, column) => {
    const type = endpoints[column]?.type;
    return arg?.op === 'variable' && arg.name === name && type?.kind === 'class' ? [type.path] : [];
  });
}

function boundBy(literal: Literal): Iterable<string> {
  return literal.op === 'absent' || literal.op === 'test' ? [] : literalVariables(literal);
}

function needsOf(literal: Literal, own: ReadonlySet<string>): string[] {
  // `each n in [n]` binds n and reads it too, so it needs another premise that binds n.
  const names =
    literal.op === 'let'
      ? variablesOf(literal.value)
      : literal.op === 'each'
        ? variablesOf(literal.in)
        : literalVariables(literal);
  return [...names].filter((name) => own.has(name));
}
