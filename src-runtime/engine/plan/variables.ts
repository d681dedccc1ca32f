/** The variables that expressions, literals and steps read, need and bind. */

import type { Expression, Literal } from '../../artifact/types.js';
import { partsOf } from '../program/reads.js';
import type { Step } from './normalise.js';

/** The free variables of an expression, without those that an aggregate binds. */
export function variablesOf(expression: Expression, into: Set<string> = new Set()): Set<string> {
  if (expression.op === 'variable') into.add(expression.name);
  if (expression.op === 'aggregate') {
    for (const name of groupOf(expression)) into.add(name);
    return into;
  }
  for (const part of partsOf(expression)) variablesOf(part, into);
  return into;
}

/** The free variables of an aggregate. */
export function groupOf(aggregate: Expression & { op: 'aggregate' }): Set<string> {
  const used = new Set<string>();
  for (const literal of aggregate.condition.literals) for (const name of literalVariables(literal)) used.add(name);
  if (aggregate.value !== null) variablesOf(aggregate.value, used);
  for (const variable of aggregate.condition.variables) used.delete(variable.name);
  return used;
}

export function literalVariables(literal: Literal): Set<string> {
  const names = new Set<string>();
  switch (literal.op) {
    case 'atom':
    case 'absent':
      for (const arg of literal.args) if (arg?.op === 'variable') names.add(arg.name);
      return names;
    case 'let':
      return variablesOf(literal.value, names).add(literal.variable);
    case 'each':
      return variablesOf(literal.in, names).add(literal.variable);
    case 'test':
      return variablesOf(literal.condition, names);
    case 'either':
      for (const { variables, literals } of literal.branches) {
        const own = new Set(variables.map(({ name }) => name));
        for (const each of literals) for (const name of literalVariables(each)) if (!own.has(name)) names.add(name);
      }
      return names;
  }
}

/** The variables that a step needs before it can run, and those that it can bind. */
export function stepVariables(step: Step): { readonly needs: Set<string>; readonly binds: Set<string> } {
  const needs = new Set<string>();
  const binds = new Set<string>();
  switch (step.kind) {
    case 'atom':
    case 'absent':
      for (const arg of step.args) if (arg?.op === 'variable') (step.kind === 'atom' ? binds : needs).add(arg.name);
      break;
    case 'let':
      variablesOf(step.value, needs);
      binds.add(step.variable);
      break;
    case 'each':
      variablesOf(step.in, needs);
      binds.add(step.variable);
      break;
    case 'test':
      variablesOf(step.condition, needs);
      break;
    case 'single':
      needs.add(step.value);
      if (step.of.op === 'variable') needs.add(step.of.name);
      break;
  }
  return { needs, binds };
}
