/**
 * Abduction: searches backward from a fact for changes of stored facts that may make it true or end it. Results are
 * guesses, because each premise is fixed separately; the caller has to try them.
 */

import type { Clause, Condition, Expression, Type } from '../../artifact/types.js';
import { EvaluationFault } from '../errors.js';
import type { Inputs } from '../evaluate/inputs.js';
import { conditionOf, normalise, type Step } from '../plan/normalise.js';
import { groupOf, stepVariables, variablesOf } from '../plan/variables.js';
import { branchesOf, partsOf } from '../program/reads.js';
import { codeOrder } from '../values/kept-order.js';
import type { Change, ComparedValues, StoredChanges } from './changes.js';
import { expressionOf } from './premises.js';
import { type CodeBindings, factsLike, headBindings, NotAsked, tupleOf } from './search.js';
import { isReady, readsFacts, solveStep } from './steps.js';
import { codeOf, typeOf } from './value-of.js';
import type { Pattern } from './why-not.js';

type Changes = readonly Change[];

type AtomStep = Step & { kind: 'atom' };

/** A way to satisfy a condition: the changes, and the bindings under which it should hold afterwards. */
interface Way {
  readonly changes: Changes;
  readonly bindings: CodeBindings;
}

interface CreatedChanges {
  readonly changes: Changes;
  readonly codes: readonly number[];
}

/** One condition under search. */
interface Frame {
  readonly types: ReturnType<typeof normalise>['types'];
  readonly most: number;
  readonly found: Way[];
}

/** The state of a search. */
interface Place extends Way {
  readonly rest: readonly Step[];
  /** Facts to be made true. Their open variables wait for other premises to bind them. */
  readonly assumed: readonly AtomStep[];
}

/** Depth of nested questions. */
const DEPTH_MAX = 6;

/** Ways for each question. */
const WAYS_MAX = 64;

/** Facts tried for each premise. */
const ROWS_MAX = 64;

/** Facts that must go together before a premise holds, and derivations of one fact. */
const BROKEN_MAX = 8;

/** Steps of one search. */
const WORK_MAX = 6000;
const WORK_BLOCK = 32;

export class Abducer {
  private readonly inputs: Inputs;
  private readonly stored: StoredChanges;
  private readonly above = new Set<string>();
  private workLeft = 0;

  constructor(inputs: Inputs, stored: StoredChanges) {
    this.inputs = inputs;
    this.stored = stored;
  }

  /** Sets of at most this many changes, each set once. */
  *guesses(path: string, pattern: Pattern, most: number): Generator<void, Changes[]> {
    this.workLeft = WORK_MAX;
    const made = yield* this.make(path, pattern, most);
    return made.map(({ changes }) => changes);
  }

  /** Changes after which a fact may no longer hold. */
  endings(path: string, codes: readonly number[], most: number): Generator<void, Changes[]> {
    this.workLeft = WORK_MAX;
    return this.unmake(path, codes, most);
  }

  private *make(
    path: string,
    pattern: Pattern,
    most: number,
    asked?: ComparedValues,
  ): Generator<void, CreatedChanges[]> {
    if (most < 1) return [];
    if (!this.inputs.program.isRule(path)) {
      const inserts = yield* this.stored.inserts(path, pattern, asked);
      return inserts.map((change) => ({ changes: [change], codes: change.codes }));
    }
    const key = `+${path} ${pattern.join()}`;
    if (this.above.has(key) || this.above.size >= DEPTH_MAX) return [];
    this.above.add(key);
    const found: CreatedChanges[] = [];
    for (const clause of this.inputs.program.clausesOf(path)) {
      for (const { changes, bindings } of yield* this.ways(path, clause, pattern, most)) {
        const codes = clause.head.map((head, column) =>
          head.op === 'variable' ? bindings.get(head.name) : (pattern[column] ?? undefined),
        );
        if (changes.length > 0 && codes.every((code) => code !== undefined)) found.push({ changes, codes });
      }
    }
    this.above.delete(key);
    return found.sort((left, right) => left.changes.length - right.changes.length).slice(0, WAYS_MAX);
  }

  /** If the relation keeps the best value of each group: ways to derive a better one, which ends the fact. */
  private *makeBetter(path: string, codes: readonly number[], most: number): Generator<void, Changes[]> {
    const { program, interner } = this.inputs;
    const endpoint = program.relations.get(path)?.endpoints.at(-1);
    if (endpoint?.keeps === undefined) return [];
    const keptIn = (tuple: readonly number[]): number => tuple.at(-1) ?? 0;
    const made = yield* this.make(path, [...codes.slice(0, -1), null], most);
    return made
      .filter((each) => codeOrder(program, endpoint)(interner, keptIn(each.codes), keptIn(codes)))
      .map(({ changes }) => changes);
  }

  private *ways(path: string, clause: Clause, tuple: Pattern, most: number): Generator<void, Way[]> {
    const head = headBindings(this.inputs, path, clause, tuple);
    return head === undefined ? [] : yield* this.satisfy(clause.condition, head, most);
  }

  /** Without changes: the bindings under which the condition holds now. */
  private *satisfy(condition: Condition, bindings: CodeBindings, most: number): Generator<void, Way[]> {
    const ways: Way[] = [];
    for (const branch of branchesOf(condition)) {
      const { steps, types } = normalise(this.inputs.program, branch);
      const frame: Frame = { types, most, found: [] };
      const rest = steps.filter(({ kind }) => kind !== 'single');
      yield* this.visit(frame, { rest, assumed: [], bindings, changes: [] });
      ways.push(...frame.found);
    }
    return ways;
  }

  private *visit(frame: Frame, place: Place): Generator<void> {
    this.workLeft -= 1;
    if (this.workLeft <= 0 || frame.found.length >= WAYS_MAX) return;
    if (this.workLeft % WORK_BLOCK === 0) yield;
    const { rest, assumed, bindings, changes } = place;
    if (changes.length + assumed.length > frame.most) return;
    const filter = rest.find((step) => step.kind !== 'atom' && isReady(step, bindings, frame.types));
    const [atom] = rest
      .filter((step) => step.kind === 'atom')
      .sort((left, right) => openOf(left, bindings) - openOf(right, bindings));
    const [first] = assumed.toSorted((left, right) => openOf(left, bindings) - openOf(right, bindings));
    if (filter !== undefined) yield* this.filter(frame, without(place, filter), filter);
    else if (atom !== undefined) yield* this.atom(frame, without(place, atom), atom);
    else if (first !== undefined) yield* this.resolve(frame, place, first);
    else if (rest.length === 0) frame.found.push({ changes, bindings });
  }

  /** An existing fact, or one to be made true. */
  private *atom(frame: Frame, place: Place, atom: AtomStep): Generator<void> {
    const pattern = tupleOf(this.inputs, atom, place.bindings);
    const facts = (yield* this.facts(atom.relation, pattern, ROWS_MAX)) ?? [];
    let isGiven = false;
    for (const codes of facts) {
      const bindings = extended(atom.args, codes, place.bindings);
      if (bindings === undefined) continue;
      isGiven ||= bindings.size === place.bindings.size;
      yield* this.visit(frame, { ...place, bindings });
      if (isGiven) return;
    }
    const isConcept = this.inputs.program.relations.get(atom.relation)?.kind === 'concept';
    if (!isConcept) yield* this.visit(frame, { ...place, assumed: [...place.assumed, atom] });
  }

  private *resolve(frame: Frame, place: Place, atom: AtomStep): Generator<void> {
    const assumed = place.assumed.filter((each) => each !== atom);
    const most = frame.most - place.changes.length - assumed.length;
    const asked = yield* this.askedOf(frame, place, atom);
    for (const made of yield* this.make(atom.relation, tupleOf(this.inputs, atom, place.bindings), most, asked)) {
      const bindings = extended(atom.args, made.codes, place.bindings);
      const changes = this.stored.merged(place.changes, made.changes, frame.most);
      if (bindings === undefined || changes === undefined) continue;
      yield* this.visit(frame, { ...place, assumed, bindings, changes });
    }
  }

  /** What later premises compare its open variables with, as far as it is known. */
  private *askedOf({ types }: Frame, { rest, bindings }: Place, { args }: AtomStep): Generator<void, ComparedValues> {
    const asked = new Map<number, number[]>();
    for (const step of rest) {
      if (step.kind !== 'test') continue;
      for (const { left, right } of comparisonsIn(step.condition)) {
        for (const [side, other] of [[left, right] as const, [right, left] as const]) {
          if (side.op !== 'variable' || bindings.has(side.name)) continue;
          const column = args.findIndex((arg) => arg?.op === 'variable' && arg.name === side.name);
          const type = types.get(side.name);
          const code = column < 0 || type === undefined ? undefined : yield* this.comesTo(other, type, bindings, types);
          if (code !== undefined) asked.set(column, [...(asked.get(column) ?? []), code]);
        }
      }
    }
    return asked;
  }

  /** Undefined if unknown, or not a value. */
  private *comesTo(
    side: Expression,
    type: Type,
    bindings: CodeBindings,
    types: ReadonlyMap<string, Type>,
  ): Generator<void, number | undefined> {
    const isOpen = [...variablesOf(side)].some((name) => types.has(name) && !bindings.has(name));
    if (isOpen || side.op === 'none') return undefined;
    return (yield* codeOf({ inputs: this.inputs, bindings, types }, side, type)) ?? undefined;
  }

  private *filter(frame: Frame, place: Place, step: Step): Generator<void> {
    const { bindings } = place;
    const most = frame.most - place.changes.length - place.assumed.length;
    if (step.kind === 'absent') {
      const facts = yield* this.facts(step.relation, tupleOf(this.inputs, step, bindings), BROKEN_MAX + 1);
      if (facts !== undefined) yield* this.goOn(frame, place, yield* this.unmakeAll(step.relation, facts, most));
      return;
    }
    const solutions = yield* solveStep(this.inputs, step, bindings, frame.types, ROWS_MAX);
    for (const each of solutions) yield* this.visit(frame, { ...place, bindings: each });
    const expression = expressionOf(step);
    if (most < 1 || expression === undefined || !readsFacts(expression)) return;
    const { binds } = stepVariables(step);
    const isOpen = [...binds].some((name) => !bindings.has(name));
    if (solutions.length > 0 && !isOpen) return;
    // After a change the value of the expression is unknown, so no premise that reads it is tried.
    const rest = isOpen ? place.rest.filter((each) => !readsAny(each, binds)) : place.rest;
    const asked = step.kind === 'let' ? bindings.get(step.variable) : undefined;
    yield* this.goOn(frame, { ...place, rest }, yield* this.disturb(expression, bindings, most, asked));
  }

  private *goOn(frame: Frame, place: Place, ways: readonly Changes[]): Generator<void> {
    for (const way of ways) {
      const changes = this.stored.merged(place.changes, way, frame.most);
      if (changes !== undefined) yield* this.visit(frame, { ...place, changes });
    }
  }

  /** Ways after which none of the facts holds. */
  private *unmakeAll(path: string, facts: readonly (readonly number[])[], most: number): Generator<void, Changes[]> {
    if (facts.length > BROKEN_MAX) return [];
    let ways: Changes[] = [[]];
    for (const codes of facts) ways = this.product(ways, yield* this.unmake(path, codes, most), most);
    return ways;
  }

  private *unmake(path: string, codes: readonly number[], most: number): Generator<void, Changes[]> {
    if (most < 1) return [];
    if (!this.inputs.program.isRule(path)) return (yield* this.stored.removals(path, codes)).map((change) => [change]);
    const key = `-${path} ${codes.join()}`;
    // A derivation from the fact itself falls with the others.
    if (this.above.has(key)) return [[]];
    if (this.above.size >= DEPTH_MAX) return [];
    this.above.add(key);
    const broken = yield* this.breakAll(path, codes, most);
    const better = yield* this.makeBetter(path, codes, most);
    this.above.delete(key);
    return [...broken, ...better];
  }

  /** Every derivation of the fact has to be broken. */
  private *breakAll(path: string, codes: readonly number[], most: number): Generator<void, Changes[]> {
    let ways: Changes[] = [[]];
    for (const clause of this.inputs.program.clausesOf(path)) {
      const derivations = yield* this.ways(path, clause, codes, 0);
      if (derivations.length > BROKEN_MAX) return [];
      for (const { bindings } of derivations) {
        ways = this.product(ways, yield* this.breakOne(clause.condition, bindings, most), most);
      }
    }
    return ways;
  }

  private *breakOne(condition: Condition, bindings: CodeBindings, most: number): Generator<void, Changes[]> {
    const found: Changes[] = [];
    for (const step of normalise(this.inputs.program, condition).steps) {
      if (step.kind === 'single') continue;
      const expression = expressionOf(step);
      if (expression !== undefined) found.push(...(yield* this.disturb(expression, bindings, most)));
      if (step.kind !== 'atom' && step.kind !== 'absent') continue;
      const pattern = tupleOf(this.inputs, step, bindings);
      if (step.kind === 'absent') {
        found.push(...(yield* this.make(step.relation, pattern, most)).map(({ changes }) => changes));
      } else {
        const facts = yield* this.facts(step.relation, pattern, BROKEN_MAX + 1);
        if (facts !== undefined) found.push(...(yield* this.unmakeAll(step.relation, facts, most)));
      }
    }
    return found.slice(0, WAYS_MAX);
  }

  /** Changes of what an expression reads. `asked` is the value that it should have, if known. */
  private *disturb(
    expression: Expression,
    bindings: CodeBindings,
    most: number,
    asked?: number,
  ): Generator<void, Changes[]> {
    const found: Changes[] = [];
    if (expression.op === 'aggregate') found.push(...(yield* this.disturbAggregate(expression, bindings, most)));
    if (isRead(expression)) found.push(...(yield* this.disturbRead(expression, bindings, most, asked)));
    if (expression.op === 'compare') {
      const { left, right } = expression;
      for (const [side, other] of [[left, right] as const, [right, left] as const]) {
        const type = isRead(side) ? typeOf(this.inputs, side, new Map()) : undefined;
        const value = type && (yield* this.comesTo(other, type, bindings, new Map()));
        found.push(...(yield* this.disturb(side, bindings, most, value)));
      }
    } else for (const part of partsOf(expression)) found.push(...(yield* this.disturb(part, bindings, most)));
    return found.slice(0, WAYS_MAX);
  }

  private *disturbRead(
    read: Read,
    bindings: CodeBindings,
    most: number,
    asked: number | undefined,
  ): Generator<void, Changes[]> {
    const { inputs } = this;
    const [path, own] = read.op === 'field' ? [read.field, 0] : [read.relation, read.own];
    const endpoints = inputs.program.relations.get(path)?.endpoints ?? [];
    const type = endpoints[own]?.type;
    const code = type && (yield* codeOf({ inputs, bindings, types: new Map() }, read.of, type));
    if (typeof code !== 'number') return [];
    const pattern = endpoints.map((_, column) => (column === own ? code : null));
    const isCompared = asked !== undefined && !this.inputs.program.isRule(path);
    const values: ComparedValues = new Map(
      isCompared ? endpoints.flatMap((_, at) => (at === own ? [] : [[at, [asked]]])) : [],
    );
    const made = yield* this.make(path, pattern, most, values);
    const facts = (yield* this.facts(path, pattern, BROKEN_MAX + 1)) ?? [];
    const unmade = facts.length === 0 ? [] : yield* this.unmakeAll(path, facts, most);
    return [...made.map(({ changes }) => changes), ...unmade];
  }

  /** More or fewer facts to aggregate, repeated if one change is not enough. */
  private *disturbAggregate(
    aggregate: Expression & { op: 'aggregate' },
    bindings: CodeBindings,
    most: number,
  ): Generator<void, Changes[]> {
    const condition = conditionOf(aggregate);
    const names = groupOf(aggregate);
    const group = new Map([...bindings].filter(([name]) => names.has(name)));
    const more = (yield* this.satisfy(condition, group, most)).flatMap(({ changes }) =>
      changes.length > 0 ? [changes] : [],
    );
    const less: Changes[] = [];
    for (const branch of branchesOf(condition)) {
      for (const way of yield* this.satisfy(branch, group, 0)) {
        less.push(...(yield* this.breakOne(branch, way.bindings, most)));
        if (less.length >= WAYS_MAX) break;
      }
    }
    const repeated = [more, less].flatMap((ways) => {
      const few = ways.slice(0, BROKEN_MAX);
      const twice = most > 1 ? this.product(few, few, most) : [];
      return most > 2 ? [...twice, ...this.product(twice, few, most)] : twice;
    });
    return [...more, ...less, ...repeated];
  }

  /** Undefined if only a whole rule could tell. */
  private *facts(path: string, pattern: Pattern, most: number): Generator<void, number[][] | undefined> {
    try {
      return yield* factsLike(this.inputs, path, pattern, most);
    } catch (error) {
      // A guess whose facts fault fails when it is tried.
      if (error instanceof NotAsked || error instanceof EvaluationFault) return undefined;
      throw error;
    }
  }

  /** The Cartesian product, small sets first. */
  private product(left: readonly Changes[], right: readonly Changes[], most: number): Changes[] {
    const all = left.flatMap((one) =>
      right.flatMap((other) => {
        const both = this.stored.merged(one, other, most);
        return both === undefined ? [] : [both];
      }),
    );
    return all.sort((one, other) => one.length - other.length).slice(0, WAYS_MAX);
  }
}

/** Nested ones included. */
function comparisonsIn(expression: Expression): (Expression & { op: 'compare' })[] {
  if (expression.op === 'compare') return [expression];
  return partsOf(expression).flatMap(comparisonsIn);
}

type Read = Expression & { op: 'field' | 'navigate' };

function isRead(expression: Expression): expression is Read {
  return expression.op === 'field' || expression.op === 'navigate';
}

function without(place: Place, step: Step): Place {
  return { ...place, rest: place.rest.filter((each) => each !== step) };
}

function openOf({ args }: AtomStep, bindings: CodeBindings): number {
  return args.filter((arg) => arg?.op === 'variable' && !bindings.has(arg.name)).length;
}

function readsAny(step: Step, names: ReadonlySet<string>): boolean {
  const { needs } = stepVariables(step);
  return [...needs].some((name) => names.has(name));
}

function extended(args: AtomStep['args'], codes: readonly number[], bindings: CodeBindings): CodeBindings | undefined {
  const known = new Map(bindings);
  for (const [column, arg] of args.entries()) {
    const code = codes[column];
    if (arg?.op !== 'variable' || code === undefined) continue;
    if ((known.get(arg.name) ?? code) !== code) return undefined;
    known.set(arg.name, code);
  }
  return known;
}
