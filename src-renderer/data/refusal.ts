/** A call that was refused for one of its arguments: which input that is, so that the message stands beside it. */

import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { failureOf } from './failure.js';
import type { CallOutcome } from './run-call.js';

export interface Refusal {
  readonly args: Readonly<Record<string, JsonValue>>;
  /** By the path of the input, such as `lines.0.amount`. */
  readonly errors: Readonly<Record<string, string>>;
}

/** Undefined where the call did not fail, or for another reason. */
export function refusalOf(outcome: CallOutcome | undefined): Refusal | undefined {
  if (outcome?.state !== 'failed' || !('args' in outcome.call.request)) return undefined;
  const failure = failureOf(outcome.error);
  const path = failure?.details['path'];
  if (failure === undefined || typeof path !== 'string') return undefined;
  const input = inputOf(path);
  return input === undefined ? undefined : { args: outcome.call.request.args, errors: { [input]: failure.message } };
}

/** It holds until something else is typed. */
export function stillRefused(
  refusal: Refusal | undefined,
  typed: () => Readonly<Record<string, JsonValue>>,
): Readonly<Record<string, string>> {
  return refusal !== undefined && JSON.stringify(typed()) === JSON.stringify(refusal.args) ? refusal.errors : {};
}

/** `$.args.lines[0].amount` → `lines.0.amount`. */
function inputOf(path: string): string | undefined {
  const prefix = '$.args.';
  if (!path.startsWith(prefix)) return undefined;
  return path.slice(prefix.length).replaceAll(/\[(\d+)\]/g, '.$1');
}
