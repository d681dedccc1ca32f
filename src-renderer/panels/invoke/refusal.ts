/** Finds the input whose argument the server refused, so that the message is shown there. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import type { ArgumentReading } from '../../model/calls/argument-draft.js';
import { asTyped } from '../../model/calls/calls.js';
import { isGeneratedName } from '../../model/calls/generated-variables.js';
import { namesIn } from '../../model/calls/variables.js';
import { failureOf } from '../../model/facts/failure.js';
import type { CallOutcome } from '../../server-state/run-call.js';

export interface Refusal {
  readonly args: Readonly<Record<string, JsonValue>>;
  /** The arguments as typed, with variables. */
  readonly typed: Readonly<Record<string, JsonValue>>;
  /** Keyed by the path of the input, such as `lines.0.amount`. */
  readonly errors: Readonly<Record<string, string>>;
}

/** Undefined unless the server refused an argument. */
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

/**
 * The error stays until the text or a variable in it changes. Generated variables, which always change, do not count.
 */
export function stillRefused(
  refusal: Refusal | undefined,
  { typed, args }: Pick<ArgumentReading, 'typed' | 'args'>,
): Readonly<Record<string, string>> {
  if (refusal === undefined) return {};
  const text = JSON.stringify(typed);
  if (text !== JSON.stringify(refusal.typed)) return {};
  return namesIn(text).some(isGeneratedName) || JSON.stringify(args) === JSON.stringify(refusal.args)
    ? refusal.errors
    : {};
}

/** `$.args.lines[0].amount` → `lines.0.amount`. */
function inputOf(path: string): string | undefined {
  const prefix = '$.args.';
  if (!path.startsWith(prefix)) return undefined;
  return path.slice(prefix.length).replaceAll(/\[(\d+)\]/g, '.$1');
}
