/**
 * Explains each error code to users of the workbench: its cause, and what to do. The registry in `errors.ts` explains it to authors of
 * clients.
 */

import type { ErrorCode } from './errors.js';

export interface ErrorWords {
  readonly cause: string;
  readonly advice: string;
}

export const ERROR_WORDS: Readonly<Record<ErrorCode, ErrorWords>> = {
  SVC_RUNTIME_VALIDATION_FAILED: {
    cause: 'A value is missing, has the wrong type, breaks a rule, or names something that does not exist.',
    advice: 'Correct the value named in the message and send the request again.',
  },
  SVC_RUNTIME_SIGNATURE_MISMATCH: {
    cause: 'The arguments do not match the parameters: one is missing or unknown.',
    advice: 'Send each declared parameter once, under its name.',
  },
  SVC_RUNTIME_MISSING_CONTEXT: {
    cause: 'The module requires a context field, such as the tenant, that the request does not have.',
    advice: 'Fill in the context field named in the message.',
  },
  SVC_RUNTIME_FORK_CONFLICT: {
    cause: 'The header, the address and the body of the request name different forks.',
    advice: 'Name one fork, or the same fork everywhere.',
  },
  SVC_RUNTIME_INVALID_CURSOR: {
    cause: 'The cursor is not from this server, or belongs to another request.',
    advice: 'Start again with the first page.',
  },
  SVC_RUNTIME_UNSUPPORTED_QUERY_BODY: {
    cause: 'The query calls an extern function, which this server does not provide.',
    advice: 'Write the query without the extern function, or run it in its host program.',
  },
  SVC_RUNTIME_UNSUPPORTED_QUERY_RESULT: {
    cause: 'The query returns an extern type, which has no JSON form.',
    advice: 'Declare a result type without extern types.',
  },
  SVC_RUNTIME_UNSUPPORTED_MUTATION_RESULT: {
    cause: 'The mutation returns an extern type, which has no JSON form.',
    advice: 'Declare a result type without extern types.',
  },
  SVC_RUNTIME_DERIVE_FAILED: {
    cause: 'A rule could not be evaluated for some facts, for example because of a division by zero.',
    advice: 'Fix the rule or the facts shown below.',
  },
  SVC_RUNTIME_EXPLAIN_FAILED: {
    cause: 'The relation or fact is unknown, or one of its rules could not be evaluated.',
    advice: 'Check the name of the relation, or fix the rule named in the message.',
  },
  SVC_RUNTIME_EXPLAIN_BAD_TUPLE: {
    cause: 'The fact has too few or too many values, or a value of the wrong type.',
    advice: 'Give one value of the right type for each endpoint.',
  },
  SVC_RUNTIME_EXPLAIN_UNRESOLVED_INDIVIDUAL: {
    cause: 'The fact names an individual that does not exist.',
    advice: 'Use a name that the module declares, or an id such as #i7.',
  },
  SVC_RUNTIME_CHECK_VIOLATION: {
    cause: 'A blocking check failed, so nothing was saved.',
    advice: 'Fix the call or the conflicting facts.',
  },
  SVC_RUNTIME_ADHOC_TYPE_ERROR: {
    cause: 'The text has type errors or uses unknown names.',
    advice: 'Fix the errors listed below.',
  },
  SVC_RUNTIME_ADHOC_PREPARATION_FAILED: {
    cause: 'The text has syntax errors, or is not exactly one query, derive or mutation.',
    advice: 'Fix the errors, and write one query, derive or mutation.',
  },
  SVC_RUNTIME_FORK_NOT_DERIVED: {
    cause: 'The fork has not been evaluated since its last write.',
    advice: 'Choose Evaluate in Forks, Performance.',
  },
  SVC_RUNTIME_CAPABILITY_DENIED: {
    cause: 'The token is missing or wrong, or does not have the required capability.',
    advice: 'Send the token of this server, or start the server with the capability named in the message.',
  },
  SVC_RUNTIME_ADHOC_DISABLED: {
    cause: 'The server was started without ad-hoc queries and mutations.',
    advice: 'Call a declared query or mutation, or start the server without --no-adhoc.',
  },
  SVC_RUNTIME_UNKNOWN_ROUTE: {
    cause: 'The address does not exist on this server.',
    advice: 'Check the address for typos.',
  },
  SVC_RUNTIME_UNKNOWN_QUERY: {
    cause: 'The loaded module has no public query of this name.',
    advice: 'Check the qualified name, and mark the query as pub.',
  },
  SVC_RUNTIME_UNKNOWN_MUTATION: {
    cause: 'The loaded module has no public mutation of this name.',
    advice: 'Check the qualified name, and mark the mutation as pub.',
  },
  SVC_RUNTIME_UNKNOWN_COMPUTE: {
    cause: 'The loaded module has no public function of this name without extern calls.',
    advice: 'Check the qualified name, and mark the function as pub.',
  },
  SVC_RUNTIME_UNKNOWN_CHECK: {
    cause: 'The loaded module has no check of this name.',
    advice: 'Check the qualified name.',
  },
  SVC_RUNTIME_FORK_NOT_FOUND: {
    cause: 'The fork does not exist for this tenant.',
    advice: 'Select a fork in Forks, or switch to main.',
  },
  SVC_RUNTIME_METHOD_NOT_ALLOWED: {
    cause: 'The address does not accept this HTTP method.',
    advice: 'Use a method from the Allow header of the response.',
  },
  SVC_RUNTIME_REQUEST_TIMEOUT: {
    cause: 'The request exceeded the time limit of the server, so nothing was saved.',
    advice: 'Narrow the request, look for slow rules in Profile, or raise the time limit.',
  },
  SVC_RUNTIME_FORK_CLOSED: {
    cause: 'The fork was promoted or discarded, so it is read-only.',
    advice: 'Switch to an open fork.',
  },
  SVC_RUNTIME_FORK_EXISTS: {
    cause: 'A fork with this name already exists.',
    advice: 'Choose another name, or discard that fork.',
  },
  SVC_RUNTIME_SCOPE_ID_COLLISION: {
    cause: 'Two tenants have the same scope id, because scope ids are too short.',
    advice: 'Start the server with longer scope ids, or rename the tenant.',
  },
  SVC_RUNTIME_SCHEMA_MISMATCH: {
    cause: 'The stored facts were written under another version of the schema.',
    advice: 'Reload the module in a running server, load the earlier module, or set SVC_ACCEPT_SCHEMA_CHANGE=1.',
  },
  SVC_RUNTIME_MODULE_INCOMPATIBLE: {
    cause: 'Stored facts use declarations that the new module removes or changes, so the old module stays loaded.',
    advice: 'Keep those declarations, move the facts to their new names, or delete the facts.',
  },
  SVC_RUNTIME_ADHOC_MULTI_MODULE_UNSUPPORTED: {
    cause: 'The server runs several modules, so unqualified names in the text are ambiguous.',
    advice: 'Send the name of the module as `module`, or declare the query in a module.',
  },
  SVC_RUNTIME_RESULT_TOO_LARGE: {
    cause: 'The result has more rows than the server returns at once.',
    advice: 'Narrow the request, or read the result page by page.',
  },
  SVC_RUNTIME_REQUEST_TOO_LARGE: {
    cause: 'The request body is larger than the server accepts.',
    advice: 'Send smaller requests, or raise the body limit of the server.',
  },
  SVC_RUNTIME_CHECK_EVAL_FAILED: {
    cause: 'A check could not be evaluated for some facts, for example because of a division by zero.',
    advice: 'Fix the check or the facts shown below.',
  },
  SVC_RUNTIME_QUERY_EVAL_FAILED: {
    cause: 'An expression of the query could not be evaluated, or the artifact is damaged.',
    advice: 'Fix the query or the facts, or build the artifact again.',
  },
  SVC_RUNTIME_COMPUTE_EVAL_FAILED: {
    cause: 'A function or expression could not be evaluated, for example because of a division by zero.',
    advice: 'Fix it, or call it with other values.',
  },
  SVC_RUNTIME_NAV_FIELD_RESOLVE_FAILED: {
    cause: 'A field allows one value, but its relation has several.',
    advice: 'Delete the extra facts, or fix the rules of the relation.',
  },
  SVC_RUNTIME_META_RESOLVE_FAILED: {
    cause: 'A define could not be evaluated, so the classes of an individual are unknown.',
    advice: 'Fix the define, or build the artifact again.',
  },
  SVC_RUNTIME_STORAGE_ERROR: {
    cause:
      'A file or the database could not be read or written, so nothing was saved unless the message says otherwise.',
    advice: 'Fix the cause in the message, for example a full disk, and send the request again.',
  },
  SVC_RUNTIME_INTERNAL_ERROR: {
    cause: 'The request triggered a bug in the server.',
    advice: 'Send the request again, and report the request id if it still fails.',
  },
  SVC_RUNTIME_MODULE_NOT_LOADED: {
    cause: 'No module is loaded, or the module does not compile.',
    advice: 'Open or create a module, or fix its errors.',
  },
  SVC_RUNTIME_STORAGE_UNREACHABLE: {
    cause: 'The data directory or the database cannot be read or written.',
    advice: 'Bring it back, and make it writable.',
  },
};
