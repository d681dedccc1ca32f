/** Calls from generated code: none in, none out, and a fault learns where it happened. */

import type { Span } from '../../base/span.js';
import { EvaluationFault } from '../errors.js';
import type { Value } from '../values/value.js';

/**
 * UTF-16 units that a text may have which a module makes. Those of a request are fewer; without an end a few doublings would take all
 * memory, and the time of all others, in one step that nothing interrupts.
 */
const TEXT_UNITS_MAX = 16_777_216;

/** A function of present values as one of values that may be absent. */
export function strictCall(apply: (...args: never[]) => Value, span: Span | null): (...args: Value[]) => Value {
  const call = apply as (...args: Value[]) => Value;
  return (...args) => {
    if (args.includes(null)) return null;
    try {
      const result = call(...args);
      if (typeof result === 'string' && result.length > TEXT_UNITS_MAX) throw tooLong();
      return result;
    } catch (error) {
      throw faultOf(error).at({ span });
    }
  };
}

/** Of a text that is longer than any can be the machine says so itself. */
function faultOf(error: unknown): EvaluationFault {
  if (error instanceof EvaluationFault) return error;
  if (error instanceof RangeError && error.message === 'Invalid string length') return tooLong();
  throw error;
}

function tooLong(): EvaluationFault {
  return new EvaluationFault('fault', `a text of more than ${TEXT_UNITS_MAX.toLocaleString('en')} characters`);
}
