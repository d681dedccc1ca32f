/**
 * The registry of runtime error codes: the single place that defines a code. A row has the status, the condition under which
 * a response has the code, and the remedy. `GET /v1/errors` serves it; docs/errors.md is generated from it.
 */

import type { ErrorCodeName } from '../base/error-codes.js';

export interface ErrorRow {
  readonly status: number;
  /** When the code occurs. */
  readonly condition: string;
  /** What a client does about it. */
  readonly remedy: string;
}

export const ERROR_REGISTRY = {
  SVC_RUNTIME_VALIDATION_FAILED: {
    status: 400,
    condition:
      'Argument coercion failed, entity-reference validation failed, or the request body is malformed or has the wrong content type.',
    remedy: 'Correct the value named by details.path or the message, and send the request again.',
  },
  SVC_RUNTIME_SIGNATURE_MISMATCH: {
    status: 400,
    condition: 'Descriptor arguments do not match the parameters of the declared public callable.',
    remedy: 'Send exactly the declared parameters; GET /v1/schema lists them.',
  },
  SVC_RUNTIME_MISSING_CONTEXT: {
    status: 400,
    condition: 'A required context field (e.g. `tenantId`) is absent from both headers and body.',
    remedy: 'Send the context field named in the message, as a header or in the body.',
  },
  SVC_RUNTIME_FORK_CONFLICT: {
    status: 400,
    condition: 'The `x-fork-id` header disagrees with the fork in the request or path.',
    remedy: 'Name the fork in one place, or the same fork in all of them.',
  },
  SVC_RUNTIME_INVALID_CURSOR: {
    status: 400,
    condition:
      'A pagination cursor was not issued by this server. Clients must pass `nextCursor` back verbatim or omit it.',
    remedy: 'Pass nextCursor back verbatim with the same request, or omit page to start again.',
  },
  SVC_RUNTIME_UNSUPPORTED_QUERY_BODY: {
    status: 400,
    condition: 'The declared query body uses a construct the served evaluator does not support.',
    remedy: 'Rewrite the query without the extern function, or run it where a host provides it.',
  },
  SVC_RUNTIME_UNSUPPORTED_QUERY_RESULT: {
    status: 400,
    condition: 'The query result shape cannot be rendered on the wire.',
    remedy: 'Declare a result type without extern types.',
  },
  SVC_RUNTIME_UNSUPPORTED_MUTATION_RESULT: {
    status: 400,
    condition: 'The mutation result shape cannot be rendered on the wire.',
    remedy: 'Declare a result type without extern types.',
  },
  SVC_RUNTIME_DERIVE_FAILED: {
    status: 400,
    condition: 'A derive or projection evaluation failed for the named rule.',
    remedy: 'Fix the rule in details.rule, or the facts in details.bindings.',
  },
  SVC_RUNTIME_EXPLAIN_FAILED: {
    status: 400,
    condition:
      'Reconstructing the per-fact proof tree failed for the named relation (e.g. the relation could not be resolved, or materialization erred).',
    remedy: 'Check the name of the relation or the fact id, or fix the rule in details.rule.',
  },
  SVC_RUNTIME_EXPLAIN_BAD_TUPLE: {
    status: 400,
    condition: "An element of the explain request's tuple is not a valid wire value.",
    remedy: 'Give one wire value of the endpoint’s type per endpoint; details.position counts from 0.',
  },
  SVC_RUNTIME_EXPLAIN_UNRESOLVED_INDIVIDUAL: {
    status: 400,
    condition:
      'An explain tuple element names an individual (by declared name or `@name`) at a concept-typed position, and it is not a declared individual in the loaded module. The error is returned instead of a false definite negative. An individual created by a mutation is referenced by its `#i<id>` form.',
    remedy: 'Use the name of a declared individual, or the #i<id> of one that a mutation created.',
  },
  SVC_RUNTIME_CHECK_VIOLATION: {
    status: 400,
    condition: 'The mutation would create a blocking check violation (delta-guard rejection).',
    remedy: 'Change the request or the facts that cause the violations in details.diagnostics.',
  },
  SVC_RUNTIME_ADHOC_TYPE_ERROR: {
    status: 400,
    condition: "An ad-hoc query/mutation body failed to type-check against the loaded module's schema.",
    remedy: 'Fix the errors in details.diagnostics.',
  },
  SVC_RUNTIME_ADHOC_PREPARATION_FAILED: {
    status: 400,
    condition:
      'An ad-hoc query/mutation source could not be parsed or lowered to an executable form: malformed source, no query/derive/mutate item, or a lowering refusal.',
    remedy: 'Send one query, derive or mutation that parses and reaches no extern.',
  },
  SVC_RUNTIME_FORK_NOT_DERIVED: {
    status: 400,
    condition: 'A fork operation needs a prior derive that has not run.',
    remedy: 'Derive the fork first: POST /v1/forks/{fork}/derive.',
  },
  SVC_RUNTIME_CAPABILITY_DENIED: {
    status: 403,
    condition: 'The request needs a runtime capability (e.g. fork, forget) that the caller or server does not grant.',
    remedy: 'Send the token of this server, from its origin, with the capability in details.capability.',
  },
  SVC_RUNTIME_ADHOC_DISABLED: {
    status: 403,
    condition:
      'The ad-hoc query/mutation surface is disabled on this deployment; only declared invocables are allowed.',
    remedy: 'Use a declared query or mutation, or start the server without --no-adhoc.',
  },
  SVC_RUNTIME_UNKNOWN_ROUTE: {
    status: 404,
    condition: 'No route matches the request path.',
    remedy: 'Check the path; GET /v1/openapi.json lists all routes.',
  },
  SVC_RUNTIME_UNKNOWN_QUERY: {
    status: 404,
    condition: "No declared public query matches the descriptor's qualified path.",
    remedy: 'Check the qualified path; GET /v1/schema lists the public queries.',
  },
  SVC_RUNTIME_UNKNOWN_MUTATION: {
    status: 404,
    condition: "No declared public mutation matches the descriptor's qualified path.",
    remedy: 'Check the qualified path; GET /v1/schema lists the public mutations.',
  },
  SVC_RUNTIME_UNKNOWN_COMPUTE: {
    status: 404,
    condition: "No supported pure public function matches the compute descriptor's qualified path.",
    remedy: 'Check the qualified path; GET /v1/schema lists the public functions.',
  },
  SVC_RUNTIME_UNKNOWN_CHECK: {
    status: 404,
    condition: 'The `/v1/checks` check filter names no check in the module.',
    remedy: 'Check the qualified path; GET /v1/schema lists the checks.',
  },
  SVC_RUNTIME_FORK_NOT_FOUND: {
    status: 404,
    condition: 'The named fork does not exist in this scope.',
    remedy: 'Check the fork id; GET /v1/forks lists the forks of the scope.',
  },
  SVC_RUNTIME_METHOD_NOT_ALLOWED: {
    status: 405,
    condition: 'The path exists but does not support the request method.',
    remedy: 'Use a method from the Allow header.',
  },
  SVC_RUNTIME_REQUEST_TIMEOUT: {
    status: 408,
    condition: 'The request, or the synchronous reasoner, exceeded its wall-clock budget.',
    remedy: 'Narrow the request, or raise the time limit of the server. Nothing was saved.',
  },
  SVC_RUNTIME_FORK_CLOSED: {
    status: 409,
    condition: 'The fork has been promoted or aborted and is no longer writable.',
    remedy: 'Write to an open fork. This one is read-only.',
  },
  SVC_RUNTIME_FORK_EXISTS: {
    status: 409,
    condition:
      "A fork with this id already exists. Creating it again is refused so an existing branch's state is never overwritten; the client aborts it first or picks a fresh name.",
    remedy: 'Use a new id, or discard the fork first if it is open. A promoted fork keeps its id.',
  },
  SVC_RUNTIME_SCOPE_ID_COLLISION: {
    status: 409,
    condition: 'Two distinct scopes hash to the same scope id (a configuration fault).',
    remedy: 'Use more scope id bits, or another tenant id.',
  },
  SVC_RUNTIME_SCHEMA_MISMATCH: {
    status: 409,
    condition:
      "An artifact's schema identity differs from the scope's recorded identity. The environment variable `SVC_ACCEPT_SCHEMA_CHANGE=1` overrides the refusal.",
    remedy:
      'Load the recorded schema, reload the module in a running server, or accept the change with SVC_ACCEPT_SCHEMA_CHANGE=1.',
  },
  SVC_RUNTIME_MODULE_INCOMPATIBLE: {
    status: 409,
    condition: 'A hot-reload candidate is incompatible with live stored state (removed or changed declarations).',
    remedy:
      'Keep the declarations in details.incompatibilities, or delete the facts that use them. For a renamed declaration, save with `renames`; details.renames has suggestions. The old module keeps serving.',
  },
  SVC_RUNTIME_ADHOC_MULTI_MODULE_UNSUPPORTED: {
    status: 409,
    condition:
      'An ad-hoc query/mutation was submitted against a composed artifact whose declarations span more than one module prefix, so a bare body predicate has no single prefix to qualify against.',
    remedy: 'Send the module of the body as `module`, serve a single module, or declare the query in a module.',
  },
  SVC_RUNTIME_RESULT_TOO_LARGE: {
    status: 413,
    condition:
      'An un-paged read exceeded the result-row cap. The client narrows the request or pages it (`page` / `?limit`).',
    remedy: 'Narrow the request, or page it with limit and page.',
  },
  SVC_RUNTIME_REQUEST_TOO_LARGE: {
    status: 413,
    condition: "The request body exceeded the server's body-size limit.",
    remedy: 'Send a smaller body, or raise the body limit of the server.',
  },
  SVC_RUNTIME_CHECK_EVAL_FAILED: {
    status: 500,
    condition: 'A check could not be evaluated.',
    remedy:
      'Fix the check or the facts in details.bindings, or rebuild the artifact. The server log has the cause under the request id.',
  },
  SVC_RUNTIME_QUERY_EVAL_FAILED: {
    status: 500,
    condition:
      'A query could not be evaluated against the artifact: a corrupt or version-skewed artifact (decode fault) or an unevaluable refinement predicate.',
    remedy: 'Fix the query, or rebuild the artifact. The server log has the cause under the request id.',
  },
  SVC_RUNTIME_COMPUTE_EVAL_FAILED: {
    status: 500,
    condition:
      'A compute function body could not be evaluated against the artifact: a corrupt or version-skewed artifact, or stored-value corruption.',
    remedy: 'Fix the function, call it with other values, or rebuild the artifact.',
  },
  SVC_RUNTIME_NAV_FIELD_RESOLVE_FAILED: {
    status: 500,
    condition:
      'A relation-backed navigation field could not be resolved during entity materialization, e.g. a functional `[0..1]` endpoint backed by conflicting tuples, or an unevaluable refinement on a derived classifier.',
    remedy: 'Delete the conflicting tuples, or fix the rules of the relation.',
  },
  SVC_RUNTIME_META_RESOLVE_FAILED: {
    status: 500,
    condition:
      'The `$meta` runtime-type discriminator could not be resolved during entity materialization, because a defined-concept predicate is unevaluable (a corrupt or version-skewed artifact). The error is raised instead of returning a silently narrowed `$meta`.',
    remedy: 'Fix the define that cannot be evaluated, or rebuild the artifact.',
  },
  SVC_RUNTIME_STORAGE_ERROR: {
    status: 500,
    condition: 'The storage backend returned an error during the operation.',
    remedy:
      'Free space, or repair the disk or the database, and send the request again. Nothing was saved, unless the message says that this is unknown.',
  },
  SVC_RUNTIME_INTERNAL_ERROR: {
    status: 500,
    condition: 'An unexpected internal error, such as a caught handler or middleware panic, rendered as the envelope.',
    remedy: 'Report it with the request id. The server log has the cause.',
  },
  SVC_RUNTIME_MODULE_NOT_LOADED: {
    status: 503,
    condition: 'No module is currently loaded (a failed load left the prior module active, or none is present).',
    remedy: 'Load a module: start the server with one, or PUT /v1/module.',
  },
  SVC_RUNTIME_STORAGE_UNREACHABLE: {
    status: 503,
    condition: 'Returned by `/readyz` and `/v1/health` when the storage backend is not reachable.',
    remedy: 'Bring the data directory or the database back, and make it writable.',
  },
} as const satisfies Record<ErrorCodeName, ErrorRow>;

export type ErrorCode = keyof typeof ERROR_REGISTRY;

/** All codes, in the order of the contract. */
export const ERROR_CODES = Object.keys(ERROR_REGISTRY) as readonly ErrorCode[];

/** Code-specific facts about a failure, as JSON. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** The expected failure of a request, which becomes an error envelope. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  /** `message` names the problem and the remedy. The client receives it verbatim. */
  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return ERROR_REGISTRY[this.code].status;
  }
}
