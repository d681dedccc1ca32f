/** Calls from generated code: none in, none out, and a fault learns where it happened. */

import type { Span } from '../../base/span.js';
import { EvaluationFault } from '../errors.js';
import type { Value } from '../values/value.js';

/**
 * UTF-16 units that a text may have which a module makes. Those of a request are fewer; without an end a few doublings would take all
 * memory, and the time of all others, in one step that nothing interrupts.
 */
const TEXT_UNITS_MAX = 16_777_216;

/**
 * UTF-16 units of text that are read and made between two yields. One takes about a nanosecond, so that time slices end in time where
 * rows are few and texts are long.
 */
const PAUSE_UNITS = 262_144;

/** Shared by all plans: one that yields for what another one has read yields too early, which costs nothing. */
let units = 0;

/** Counts work that takes as long as so many units of text. */
export function countUnits(count: number): void {
  units += count;
}

/** True once for so much text; the caller then yields. */
export function isPauseDue(): boolean {
  if (units < PAUSE_UNITS) return false;
  units = 0;
  return true;
}

/** The same as `strictCall` for a function that reads or makes text. */
export function textCall(apply: (...args: never[]) => Value, span: Span | null): (...args: Value[]) => Value {
  const call = strictCall(apply, span);
  return (...args) => {
    for (const arg of args) if (typeof arg === 'string') units += arg.length;
    const result = call(...args);
    if (typeof result === 'string') units += result.length;
    return result;
  };
}

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
