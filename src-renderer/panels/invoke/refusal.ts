/** A call that was refused for one of its arguments: which input that is, so that the message stands beside it. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import type { ArgumentReading } from '../../model/calls/argument-draft.js';
import { asTyped } from '../../model/calls/calls.js';
import { isMadeName } from '../../model/calls/made-variables.js';
import { namesIn } from '../../model/calls/variables.js';
import { failureOf } from '../../model/facts/failure.js';
import type { CallOutcome } from '../../server-state/run-call.js';

export interface Refusal {
  readonly args: Readonly<Record<string, JsonValue>>;
  /** With the variables in them. */
  readonly typed: Readonly<Record<string, JsonValue>>;
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
  if (input === undefined) return undefined;
  const { args } = outcome.call.request;
  const { request } = asTyped(outcome.call);
  return { args, typed: 'args' in request ? request.args : args, errors: { [input]: failure.message } };
}

/** It holds until something else is typed, or a variable has another value: but not one that has another each time. */
export function stillRefused(
  refusal: Refusal | undefined,
  { typed, args }: Pick<ArgumentReading, 'typed' | 'args'>,
): Readonly<Record<string, string>> {
  if (refusal === undefined) return {};
  const text = JSON.stringify(typed);
  if (text !== JSON.stringify(refusal.typed)) return {};
  return namesIn(text).some(isMadeName) || JSON.stringify(args) === JSON.stringify(refusal.args) ? refusal.errors : {};
}

/** `$.args.lines[0].amount` → `lines.0.amount`. */
function inputOf(path: string): string | undefined {
  const prefix = '$.args.';
  if (!path.startsWith(prefix)) return undefined;
  return path.slice(prefix.length).replaceAll(/\[(\d+)\]/g, '.$1');
}
