/** Converts evaluation faults to the errors of the API. */

import { ApiError, type ErrorCode } from '../../api/errors.js';
import { didYouMean } from '../../base/nearest.js';
import type { DeadlineExceeded, MaybePromise } from '../../base/ports.js';
import type { RelationInfo, View } from '../../engine/index.js';
import { EvaluationFault, type Program } from '../../engine/index.js';
import type { StorageError } from '../../storage/event-store.js';

/**
 * Runs `work`. A fault in a rule becomes `ofRule` (DERIVE_FAILED by default), any other fault `ofBody`, the code of the requested item. The
 * body of a check counts as the check.
 */
export function withFaults<T>(
  program: Program,
  what: string,
  ofBody: ErrorCode,
  work: () => MaybePromise<T>,
  ofRule: ErrorCode = 'SVC_RUNTIME_DERIVE_FAILED',
): MaybePromise<T> {
  const rethrow = (error: unknown): never => {
    if (error instanceof EvaluationFault) throw faultError(program, what, error, ofBody, ofRule);
    throw error;
  };
  try {
    const value = work();
    return value instanceof Promise ? value.catch(rethrow) : value;
  } catch (error) {
    return rethrow(error);
  }
}

/** The error of a request that ran out of time. */
export function timedOut(error: DeadlineExceeded): ApiError {
  const { budgetMs, rule, mayBeEndless } = error;
  const endless = mayBeEndless ? ` If the values of "${rule}" get better without end, correct the rule.` : '';
  return new ApiError(
    'SVC_RUNTIME_REQUEST_TIMEOUT',
    `The request took longer than ${budgetMs} ms and was abandoned; nothing was kept. Narrow it, or raise the time limit of the server.${endless}`,
    { budgetMs, ...(rule !== undefined && { rule }) },
    { cause: error },
  );
}

function faultError(
  program: Program,
  what: string,
  fault: EvaluationFault,
  ofBody: ErrorCode,
  ofRule: ErrorCode,
): ApiError {
  const position = fault.span ? ` (${fault.span.file}:${fault.span.start.line})` : '';
  const rule = [fault.path ?? what, what].find((path) => program.rules.has(path));
  if (rule !== undefined && program.checks.has(rule) && ofRule !== 'SVC_RUNTIME_EXPLAIN_FAILED') {
    return new ApiError(
      'SVC_RUNTIME_CHECK_EVAL_FAILED',
      `The check "${rule}"${position} could not be evaluated: ${fault.message}`,
      details(fault, { check: rule, rule }),
      { cause: fault },
    );
  }
  if (rule !== undefined) {
    const asked = ofRule === 'SVC_RUNTIME_EXPLAIN_FAILED' ? { relation: what } : {};
    return new ApiError(
      ofRule,
      `The rule "${rule}"${position} could not be evaluated: ${fault.message}`,
      details(fault, { ...asked, rule }),
      { cause: fault },
    );
  }
  const inner = fault.path !== null && fault.path !== what ? ` in "${fault.path}"` : '';
  const asked = ofBody === 'SVC_RUNTIME_EXPLAIN_FAILED' ? { relation: what } : {};
  return new ApiError(
    ofBody,
    `${what} could not be evaluated${inner}${position}: ${fault.message}`,
    details(fault, asked),
    { cause: fault },
  );
}

function details(fault: EvaluationFault, more: Readonly<Record<string, unknown>>) {
  return {
    ...more,
    ...(fault.clause !== null && { clause: fault.clause }),
    ...(fault.span && { span: fault.span }),
    ...(fault.bindings && { bindings: fault.bindings }),
  };
}

/** The error of a write that the disk refused: the reason if known, the consequence, and what to do. */
export function refusedByDisk(
  error: StorageError,
  what = 'The disk refused the write',
  consequence = 'Nothing was kept',
): ApiError {
  const { why, isUnknown } = error;
  const sentence = `${what}${why === undefined ? '' : `: ${why}`}.`;
  const outcome = isUnknown
    ? 'It may have been kept. When the storage is back, look for it before you send it again, unless it has an Idempotency-Key.'
    : `${consequence}.${why === undefined ? ' Repair the disk or the database, then send the request again.' : ''}`;
  return new ApiError('SVC_RUNTIME_STORAGE_ERROR', `${sentence} ${outcome}`, {}, { cause: error });
}

/** The relation with this path. Otherwise throws `code`. */
export function requireRelation(view: View, path: string, code: ErrorCode): RelationInfo {
  const info = view.program.relations.get(path);
  if (info) return info;
  throw new ApiError(
    code,
    `The module has no relation "${path}"${didYouMean(path, view.program.relations.keys()) || '; GET /v1/schema lists the relations.'}`,
    { relation: path },
  );
}
