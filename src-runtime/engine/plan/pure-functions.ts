/** Expressions that read no facts, such as refinements and constant defaults. */

import type { Expression, Type } from '../../artifact/types.js';
import { invariant } from '../../base/invariant.js';
import { EvaluationFault } from '../errors.js';
import { requireForm } from '../program/forms.js';
import type { EngineProgram } from '../program/program.js';
import { noReads, readsOfExpression } from '../program/reads.js';
import { Interner } from '../values/codec.js';
import type { Value } from '../values/value.js';
import { ExpressionWriter, OUTSIDE, type Register } from './expressions.js';
import { isLong } from './functions.js';
import { cached, keyOfType } from './outer-variables.js';
import { type Access, BLOCK_ROWS, declarations, emptyRuntime, Unit } from './unit.js';

/** A function that runs without pausing, so that running long is a fault. */
export function pureFunction(
  program: EngineProgram,
  expression: Expression,
  variables: readonly { readonly name: string; readonly type: Type }[],
): PureFunction {
  const key = variables.map(({ name, type }) => `${name}: ${keyOfType(type)}`).join();
  return cached(PURE, expression, key, () => {
    requireForm('expression', expression);
    if (!isLong(program, expression)) return compilePure(program, expression, variables);
    const run = compileLong(program, expression, variables);
    return (values) => {
      const work = run(values);
      for (let blocks = 0; blocks < PURE_BLOCKS_MAX; blocks++) {
        const step = work.next();
        if (step.done === true) return step.value;
      }
      throw new EvaluationFault('fault', `it counts through more than ${PURE_BLOCKS_MAX * BLOCK_ROWS} values`);
    };
  });
}

/** Some tens of milliseconds. */
const PURE_BLOCKS_MAX = 256;

const PURE = new WeakMap<object, Map<string, PureFunction>>();

type Variables = readonly { readonly name: string; readonly type: Type }[];

export type PureFunction = (variables: Readonly<Record<string, Value>>) => Value;

export type LongPureFunction = (variables: Readonly<Record<string, Value>>) => Generator<void, Value>;

/** For an expression without aggregates. */
export function compilePure(program: EngineProgram, expression: Expression, variables: Variables): PureFunction {
  const { unit, source } = write(program, expression, variables, false);
  invariant(unit.functions.length === 0, 'an expression that aggregates may take long');
  const body = `'use strict'; return (outer) => { const X = { outer, context: {} }; ${declarations(unit.frame)} return ${source}; };`;
  return new Function('K', body)(unit.constants) as PureFunction;
}

/** For an expression that may aggregate over ranges and lists. Yields between blocks of work. */
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
