/** Expressions that read no facts (fn bodies, refinements, constant defaults) as plain functions of their variables. */

import type { Expression, Type } from '../../artifact/types.js';
import { EvaluationFault } from '../errors.js';
import type { EngineProgram } from '../program.js';
import { noReads, readsOfExpression } from '../reads.js';
import { Interner } from '../values/codec.js';
import type { Value } from '../values/value.js';
import { ExpressionWriter, OUTSIDE, type Register } from './expressions.js';
import { type Access, declarations, emptyRuntime, Unit } from './unit.js';

export type PureFunction = (variables: Readonly<Record<string, Value>>) => Value;

export function compilePure(
  program: EngineProgram,
  expression: Expression,
  variables: readonly { readonly name: string; readonly type: Type }[],
): PureFunction {
  if (readsOfExpression(program, expression, noReads()).relations.size > 0) {
    throw new EvaluationFault('undecodable', 'the body reads facts where it may not');
  }
  const access: Access = { roleOf: () => 'whole', isLayered: () => false, rowsOf: () => 0 };
  const unit = new Unit(program, access, new Map(), true);
  const scope = new Map<string, Register>(
    variables.map(({ name, type }) => [
      name,
      { js: `(X.outer[${JSON.stringify(name)}] ?? null)`, type, isCode: false },
    ]),
  );
  const source = new ExpressionWriter(unit, scope, OUTSIDE).value(expression);
  if (unit.functions.length > 0) return runToEnd(program, unit, `return ${source};`);
  const body = `'use strict'; return (outer) => { const X = { outer, context: {} }; ${declarations(unit.frame)} return ${source}; };`;
  return new Function('K', body)(unit.constants) as PureFunction;
}

/** With aggregates over ranges and lists, whose generated code works on codes and may yield. */
function runToEnd(program: EngineProgram, unit: Unit, body: string): PureFunction {
  const factory = unit.finish(body);
  return (outer) => {
    const interner = new Interner(program);
    const codes = unit.codes.map(({ type, value }) => interner.encode(type, value));
    const run = factory(unit.constants, codes, [], { ...emptyRuntime(interner), outer });
    for (;;) {
      const step = run.next();
      if (step.done === true) return step.value;
    }
  };
}
