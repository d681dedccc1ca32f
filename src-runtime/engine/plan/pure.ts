/** Expressions that read no facts (fn bodies, refinements, constant defaults) as functions of their variables. */

import type { Expression, Type } from '../../artifact/types.js';
import { invariant } from '../../base/invariant.js';
import { EvaluationFault } from '../errors.js';
import type { EngineProgram } from '../program/program.js';
import { noReads, readsOfExpression } from '../program/reads.js';
import { Interner } from '../values/codec.js';
import type { Value } from '../values/value.js';
import { ExpressionWriter, OUTSIDE, type Register } from './expressions.js';
import { type Access, declarations, emptyRuntime, Unit } from './unit.js';

type Variables = readonly { readonly name: string; readonly type: Type }[];

export type PureFunction = (variables: Readonly<Record<string, Value>>) => Value;

export type LongPureFunction = (variables: Readonly<Record<string, Value>>) => Generator<void, Value>;

/** Of an expression that does not aggregate. */
export function compilePure(program: EngineProgram, expression: Expression, variables: Variables): PureFunction {
  const { unit, source } = write(program, expression, variables, false);
  invariant(unit.functions.length === 0, 'an expression that aggregates may take long');
  const body = `'use strict'; return (outer) => { const X = { outer, context: {} }; ${declarations(unit.frame)} return ${source}; };`;
  return new Function('K', body)(unit.constants) as PureFunction;
}

/** Of one that may aggregate over ranges and lists. Yields between blocks of work. */
export function compileLong(program: EngineProgram, expression: Expression, variables: Variables): LongPureFunction {
  const { unit, source } = write(program, expression, variables, true);
  const factory = unit.finish(`return ${source};`);
  return (outer) => {
    const interner = new Interner(program);
    const codes = unit.codes.map(({ type, value }) => interner.encode(type, value));
    return factory(unit.constants, codes, [], { ...emptyRuntime(interner), outer });
  };
}

function write(program: EngineProgram, expression: Expression, variables: Variables, pauses: boolean) {
  if (readsOfExpression(program, expression, noReads()).relations.size > 0) {
    throw new EvaluationFault('undecodable', 'the body reads facts where it may not');
  }
  const access: Access = { roleOf: () => 'whole', isLayered: () => false, rowsOf: () => 0 };
  const unit = new Unit(program, access, { isFunctionBody: true, pauses });
  const scope = new Map<string, Register>(
    variables.map(({ name, type }) => [
      name,
      { js: `(X.outer[${JSON.stringify(name)}] ?? null)`, type, isCode: false },
    ]),
  );
  return { unit, source: new ExpressionWriter(unit, scope, OUTSIDE).value(expression) };
}
