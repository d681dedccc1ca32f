/** Every check of the module and how often it fires now; one that cannot be evaluated says why, beside the others. */

import { ApiError } from '../../api/errors.js';
import type { CheckState } from '../../api/schemas/schemas.js';
import type { CheckDeclaration } from '../../artifact/types.js';
import { DeadlineExceeded, type Pacer } from '../../base/ports.js';
import type { View } from '../../engine/index.js';
import type { Page } from '../contract/requests.js';
import type { PageRequest } from '../state/cursor.js';
import { withFaults } from '../wire/faults.js';
import { enforceRowCap } from '../wire/pages.js';

/** By path. `createPacer` makes the budget of one check, so that one that never ends leaves time for the others. */
export async function listCheckStates(
  view: View,
  request: PageRequest,
  createPacer: () => Pacer,
): Promise<Page<CheckState[]>> {
  const { paging, cursors, rowsMax } = request;
  const checks = [...view.program.checks.values()].toSorted((left, right) => (left.path < right.path ? -1 : 1));
  enforceRowCap(checks.length, request);
  const after = paging.page === undefined ? undefined : String(cursors.read(request.request, paging.page));
  const start = after === undefined ? 0 : checks.filter(({ path }) => path <= after).length;
  const end = start + (paging.limit ?? (after === undefined ? checks.length : rowsMax));
  const result: CheckState[] = [];
  for (const check of checks.slice(start, end)) result.push(await stateOf(view, check, createPacer()));
  const last = result.at(-1);
  if (end >= checks.length || last === undefined) return { result };
  return { result, nextCursor: cursors.issue(request.request, last.check) };
}

async function stateOf(view: View, check: CheckDeclaration, pacer: Pacer): Promise<CheckState> {
  const { program } = view;
  const { path, severity } = check;
  const failed = 'SVC_RUNTIME_CHECK_EVAL_FAILED';
  const materialise = () => view.materialise(program.relationOfCheck(path), pacer);
  try {
    const { size } = await withFaults(program, path, failed, materialise, failed);
    return { check: path, severity, firings: size };
  } catch (error) {
    const { code, message, details } = asFailure(error, path);
    return { check: path, severity, firings: null, failure: { code, message, details: { ...details } } };
  }
}

function asFailure(error: unknown, check: string): ApiError {
  if (error instanceof ApiError) return error;
  if (!(error instanceof DeadlineExceeded)) throw error;
  return new ApiError(
    'SVC_RUNTIME_REQUEST_TIMEOUT',
    `The check "${check}" was given up: ${error.message}. Make it read less, or raise the time limit of the server.`,
    { check, budgetMs: error.budgetMs, ...(error.rule !== undefined && { rule: error.rule }) },
    { cause: error },
  );
}
