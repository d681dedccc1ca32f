/** Expressions that read no facts and are evaluated whole: refinements, constant defaults. */

import type { Expression, Type } from '../../artifact/types.js';
import { EvaluationFault } from '../errors.js';
import { requireForm } from '../program/forms.js';
import type { EngineProgram } from '../program/program.js';
import { isLong } from './functions.js';
import { cached, keyOfType } from './outer-variables.js';
import { compileLong, compilePure, type PureFunction } from './pure.js';
import { BLOCK_ROWS } from './unit.js';

/** One that is run whole: it cannot pause, so that what takes long is a fault. */
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
