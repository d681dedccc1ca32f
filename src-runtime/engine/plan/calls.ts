/** Calls from generated code: none in, none out, and a fault learns where it happened. */

import type { Span } from '../../base/span.js';
import { EvaluationFault } from '../errors.js';
import type { Value } from '../values/value.js';

/** A function of present values as one of values that may be absent. */
export function strictCall(apply: (...args: never[]) => Value, span: Span | null): (...args: Value[]) => Value {
  const call = apply as (...args: Value[]) => Value;
  return (...args) => {
    if (args.includes(null)) return null;
    try {
      return call(...args);
    } catch (error) {
      throw error instanceof EvaluationFault ? error.at({ span }) : error;
    }
  };
}
