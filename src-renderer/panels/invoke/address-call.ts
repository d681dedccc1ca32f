/** Opens the call or batch in the address, in a tab where no draft is lost, and removes it from the address. */

import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { duplicateKey, parseWithAllDigits } from '../../../src-runtime/base/exact-json.js';
import { readBatchBody, STEPS_PARAMETER } from '../../model/calls/batch-body.js';
import type { Args, CallRequest } from '../../model/calls/calls.js';
import { currentFork } from '../../model/calls/place.js';
import { escapedValue } from '../../model/calls/variables.js';
import { ARGUMENTS_PARAMETER, batchLocation, invokeLocation } from '../../model/facts/locations.js';
import { type Callable, requestTo } from './callables.js';
import type { useRestore } from './use-restore.js';

/** `restore` is undefined until the callables are known. */
export function useAddressCall(
  callables: readonly Callable[],
  restore: ReturnType<typeof useRestore> | undefined,
): void {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const text = search.toString();
  useEffect(() => {
    const brought = restore && callIn(new URLSearchParams(text), callables);
    if (restore === undefined || brought === undefined) return;
    if (typeof brought === 'string') void navigate(brought, { replace: true });
    else restore({ request: brought, context: {}, fork: currentFork.get(), dryRun: false }, undefined, true);
  }, [text, callables, restore, navigate]);
}

/** The location to go to if the address cannot be read. Undefined without a call in the address. */
function callIn(search: URLSearchParams, callables: readonly Callable[]): CallRequest | string | undefined {
  const steps = search.get(STEPS_PARAMETER);
  if (steps !== null) {
    const read = readBatchBody({ steps: jsonIn(steps) });
    if ('problem' in read) return batchLocation();
    return { kind: 'batch', steps: read.steps.map((step) => ({ ...step, args: asSent(step.args ?? {}) })) };
  }
  const [path, text] = [search.get('call'), search.get(ARGUMENTS_PARAMETER)];
  if (path === null || text === null) return undefined;
  const callable = callables.find((each) => each.path === path);
  const args = jsonIn(text);
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args);
  return callable === undefined || !isObject ? invokeLocation(path) : requestTo(callable, asSent(args as Args));
}

/** Escapes braces, because the arguments were sent literally. */
function asSent(args: Args): Record<string, JsonValue> {
  return escapedValue(args) as Record<string, JsonValue>;
}

function jsonIn(text: string): unknown {
  try {
    const value = parseWithAllDigits(text);
    // The server refuses a context field that is given twice.
    return duplicateKey(text) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}
