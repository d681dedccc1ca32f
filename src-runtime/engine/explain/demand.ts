/**
 * Which stored facts a fact can depend on: patterns that follow from its clauses and its own values alone, whatever is
 * stored. A change of anything else cannot make the fact true.
 */

import type { Condition, Expression } from '../../artifact/types.js';
import type { Inputs } from '../inputs.js';
import { conditionOf, normalise } from '../plan/normalise.js';
import { partsOf } from '../reads.js';
import { expressionOf } from './premises.js';
import { type CodeBindings, headBindings, tupleOf } from './search.js';
import type { Pattern } from './why-not.js';

/** Patterns of one relation that are told apart; beyond that the whole relation counts. */
const PATTERNS_MAX = 24;

/** By stored relation or field. */
export function demandOf(inputs: Inputs, path: string, pattern: Pattern): ReadonlyMap<string, readonly Pattern[]> {
  const demand = new Demand(inputs);
  demand.ask(path, pattern);
  return new Map([...demand.patterns].filter(([asked]) => !inputs.program.isRule(asked)));
}

class Demand {
  readonly patterns = new Map<string, Pattern[]>();
  private readonly inputs: Inputs;

  constructor(inputs: Inputs) {
    this.inputs = inputs;
  }

  ask(path: string, pattern: Pattern): void {
    const known = this.patterns.get(path) ?? [];
    if (known.some((each) => covers(each, pattern))) return;
    const asked = known.length < PATTERNS_MAX ? pattern : pattern.map(() => null);
    this.patterns.set(path, [...known.filter((each) => !covers(asked, each)), asked]);
    const { program } = this.inputs;
    if (!program.isRule(path)) return;
    for (const clause of program.clausesOf(path)) {
      const head = headBindings(this.inputs, path, clause, asked);
      if (head !== undefined) this.condition(clause.condition, head);
    }
  }

  private condition(condition: Condition, bound: CodeBindings): void {
    for (const step of normalise(this.inputs.program, condition).steps) {
      if (step.kind === 'atom' || step.kind === 'absent') this.ask(step.relation, tupleOf(this.inputs, step, bound));
      const expression = expressionOf(step);
      if (expression !== undefined) this.expression(expression, bound);
    }
  }

  private expression(expression: Expression, bound: CodeBindings): void {
    if (expression.op === 'field' || expression.op === 'navigate') {
      const [path, own] = expression.op === 'field' ? [expression.field, 0] : [expression.relation, expression.own];
      const arity = this.inputs.program.relations.get(path)?.endpoints.length ?? 0;
      const args = Array.from({ length: arity }, (_, column) =>
        column === own && expression.of.op === 'variable' ? expression.of : null,
      );
      this.ask(path, tupleOf(this.inputs, { relation: path, args }, bound));
    }
    if (expression.op === 'aggregate') {
      const inner = conditionOf(expression);
      const own = new Set(inner.variables.map(({ name }) => name));
      this.condition(inner, new Map([...bound].filter(([name]) => !own.has(name))));
    }
    for (const part of partsOf(expression)) this.expression(part, bound);
  }
}

function covers(wider: Pattern, narrower: Pattern): boolean {
  return wider.every((code, column) => code === null || code === narrower[column]);
}
