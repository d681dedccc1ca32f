/**
 * Which stored facts can make a fact true or end it by being inserted, and which by being deleted. The patterns follow
 * from its clauses and values alone, whatever is stored. No other single change can.
 */

import type { Condition, Expression } from '../../artifact/types.js';
import type { Inputs } from '../evaluate/inputs.js';
import { conditionOf, normalise } from '../plan/normalise.js';
import { isKept } from '../program/kept-values.js';
import { branchesOf, partsOf } from '../program/reads.js';
import { expressionOf } from './premises.js';
import { type CodeBindings, headBindings, tupleOf } from './search.js';
import type { Pattern } from './why-not.js';

/** By stored relation or field. */
type Patterns = ReadonlyMap<string, readonly Pattern[]>;

export interface Demanded {
  /** Facts that are wanted: those outside negation. */
  readonly wanted: Patterns;
  /** Facts that prevent it. */
  readonly unwanted: Patterns;
}

/** Patterns of one relation. Beyond that the whole relation counts. */
const PATTERNS_MAX = 24;

/** For a fact that is wanted, or one that should end. */
export function demandOf(inputs: Inputs, path: string, pattern: Pattern, side: Side = 'wanted'): Demanded {
  const demand = new Demand(inputs);
  demand.ask(side, path, pattern);
  const stored = (patterns: Patterns): Patterns =>
    new Map([...patterns].filter(([asked]) => !inputs.program.isRule(asked)));
  return { wanted: stored(demand.patterns.wanted), unwanted: stored(demand.patterns.unwanted) };
}

type Side = keyof Demanded;

const SIDES: readonly Side[] = ['wanted', 'unwanted'];

const OTHER: Readonly<Record<Side, Side>> = { wanted: 'unwanted', unwanted: 'wanted' };

class Demand {
  readonly patterns = { wanted: new Map<string, Pattern[]>(), unwanted: new Map<string, Pattern[]>() };
  private readonly inputs: Inputs;

  constructor(inputs: Inputs) {
    this.inputs = inputs;
  }

  ask(side: Side, path: string, pattern: Pattern): void {
    const patterns = this.patterns[side];
    const known = patterns.get(path) ?? [];
    if (known.some((each) => covers(each, pattern))) return;
    const asked = known.length < PATTERNS_MAX ? pattern : pattern.map(() => null);
    patterns.set(path, [...known.filter((each) => !covers(asked, each)), asked]);
    const { program } = this.inputs;
    if (!program.isRule(path)) return;
    this.derivations(side, path, asked);
    // A better value of the group ends the fact, so its derivations count for the other side.
    if (isKept(program, path)) this.derivations(OTHER[side], path, [...asked.slice(0, -1), null]);
  }

  private derivations(side: Side, path: string, pattern: Pattern): void {
    for (const clause of this.inputs.program.clausesOf(path)) {
      const head = headBindings(this.inputs, path, clause, pattern);
      if (head !== undefined) this.condition(side, clause.condition, head);
    }
  }

  private condition(side: Side, condition: Condition, bound: CodeBindings): void {
    for (const step of normalise(this.inputs.program, condition).steps) {
      if (step.kind === 'atom') this.ask(side, step.relation, tupleOf(this.inputs, step, bound));
      if (step.kind === 'absent') this.ask(OTHER[side], step.relation, tupleOf(this.inputs, step, bound));
      const expression = expressionOf(step);
      if (expression !== undefined) this.expression(expression, bound);
    }
  }

  /** The effect of a fact on an expression is unknown: it may be wanted or unwanted. */
  private expression(expression: Expression, bound: CodeBindings): void {
    if (expression.op === 'field' || expression.op === 'navigate') {
      const [path, own] = expression.op === 'field' ? [expression.field, 0] : [expression.relation, expression.own];
      const arity = this.inputs.program.relations.get(path)?.endpoints.length ?? 0;
      const args = Array.from({ length: arity }, (_, column) =>
        column === own && expression.of.op === 'variable' ? expression.of : null,
      );
      for (const side of SIDES) this.ask(side, path, tupleOf(this.inputs, { relation: path, args }, bound));
    }
    if (expression.op === 'aggregate') {
      const inner = conditionOf(expression);
      const own = new Set(inner.variables.map(({ name }) => name));
      const group = new Map([...bound].filter(([name]) => !own.has(name)));
      for (const branch of branchesOf(inner)) for (const side of SIDES) this.condition(side, branch, group);
    }
    for (const part of partsOf(expression)) this.expression(part, bound);
  }
}

function covers(wider: Pattern, narrower: Pattern): boolean {
  return wider.every((code, column) => code === null || code === narrower[column]);
}
