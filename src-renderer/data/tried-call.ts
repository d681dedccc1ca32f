/** A call that was tried, as the address of an explanation has it: what it would lead to is explained by trying it again. */

import type { ExplainRequest } from '../../src-runtime/api/explain-request.js';
import { isWrite, type SentCall, textOf } from './calls.js';

interface TriedCall {
  readonly call: NonNullable<ExplainRequest['after']>;
  readonly context: Record<string, string>;
}

/** An address that a server still takes has no room for more. */
const LETTERS_MAX = 4_000;

/** Of a batch up to a step, which is the state that the step has led to. Undefined for what was kept, only read, or is too long. */
export function triedText({ request, context, dryRun }: SentCall, step?: number): string | undefined {
  if (!dryRun || !isWrite(request)) return undefined;
  const call =
    request.kind === 'adhoc'
      ? { ...textOf(request), args: request.args }
      : {
          steps:
            request.kind === 'batch'
              ? request.steps.slice(0, step === undefined ? undefined : step + 1)
              : [{ mutation: request.path, args: request.args }],
        };
  const text = JSON.stringify({ call, context });
  return encodeURIComponent(text).length > LETTERS_MAX ? undefined : text;
}

/** Undefined for a text that is none; what it says the server reads. */
export function readTried(text: string): TriedCall | undefined {
  try {
    const { call, context = {} } = JSON.parse(text) as Partial<TriedCall>;
    return call === undefined ? undefined : { call, context };
  } catch {
    return undefined;
  }
}

/** What it is called in lists: the callables of its steps, or the text. */
export function triedPaths({ call }: TriedCall): readonly string[] {
  return 'steps' in call ? call.steps.map(({ mutation, query, compute }) => mutation ?? query ?? compute ?? '') : [];
}
