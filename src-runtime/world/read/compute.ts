/** Runs pure functions on wire arguments, and returns a wire result. */

import type { JsonValue } from '../../api/schemas/schemas.js';
import type { Deadline } from '../../base/ports.js';
import { callFunction, type View } from '../../engine/index.js';
import { readArguments } from '../wire/arguments.js';
import { requireCompute } from '../wire/callables.js';
import { createRenderer } from '../wire/entities.js';
import { withFaults } from '../wire/faults.js';

/** Throws UNKNOWN_COMPUTE, SIGNATURE_MISMATCH, VALIDATION_FAILED, COMPUTE_EVAL_FAILED. */
export async function runCompute(
  view: View,
  path: string,
  args: Readonly<Record<string, JsonValue>>,
  deadline: Deadline,
): Promise<JsonValue> {
  const { program } = view;
  const fn = requireCompute(program, path);
  return withFaults(program, path, 'SVC_RUNTIME_COMPUTE_EVAL_FAILED', async () => {
    const bound = readArguments(view, path, fn.parameters, args);
    const values = fn.parameters.map(({ name }) => bound[name]?.value ?? null);
    // Functions take and return no concepts, so nothing is materialised.
    const renderer = await createRenderer(view, [], deadline);
    return renderer.render(fn.result, await callFunction(program, path, values, deadline));
  });
}
