/** Calls from generated code. An absent argument gives an absent result, and a fault gets its place. */

import type { Span } from '../../base/span.js';
import { TEXT_TOO_LONG, TEXT_UNITS_MAX } from '../../base/text-functions.js';
import { EvaluationFault } from '../errors.js';
import type { Value } from '../values/value.js';

/**
 * UTF-16 units of text read and made between two yields. A unit takes about a nanosecond, so that time slices end in
 * time even with few rows and long texts.
 */
const PAUSE_UNITS = 262_144;

/** Shared by all plans. A plan that yields because of another one's texts yields too early, which costs nothing. */
let units = 0;

/** Adds work that takes as long as this many units of text. */
export function countUnits(count: number): void {
  units += count;
}

/** True once for each such amount of text; the caller then yields. */
export function isPauseDue(): boolean {
  if (units < PAUSE_UNITS) return false;
  units = 0;
  return true;
}

/** `strictCall` for a function that reads or makes texts or lists, and takes as long as `cost` units for each that it reads. */
export function textCall(apply: (...args: never[]) => Value, span: Span | null, cost = 1): (...args: Value[]) => Value {
  const call = strictCall(apply, span);
  return (...args) => {
    for (const arg of args) if (typeof arg === 'string' || Array.isArray(arg)) units += arg.length * cost;
    const result = call(...args);
    if (typeof result === 'string' || Array.isArray(result)) units += result.length;
    return result;
  };
}

/** Makes a function of present values accept absent ones. */
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

/** For a text longer than any can be, the engine of JavaScript throws itself. */
function faultOf(error: unknown): EvaluationFault {
  if (error instanceof EvaluationFault) return error;
  if (error instanceof RangeError && error.message === 'Invalid string length') return tooLong();
  throw error;
}

function tooLong(): EvaluationFault {
  return new EvaluationFault('fault', TEXT_TOO_LONG);
}
