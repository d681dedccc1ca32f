/**
 * What each error code means to somebody who did not write the contract: why it came, in one sentence, and what to do about it, in
 * another. The registry beside it has the condition and the remedy in the words of the protocol, for who writes a client.
 */

import type { ErrorCode } from './errors.js';

export interface ErrorWords {
  readonly cause: string;
  readonly advice: string;
}

export const ERROR_WORDS: Readonly<Record<ErrorCode, ErrorWords>> = {
  SVC_RUNTIME_VALIDATION_FAILED: {
    cause:
      'A value that was sent is missing, is of another type, breaks a rule for it, or names somebody who does not exist.',
    advice: 'Correct the value that the message names, and send it again.',
  },
  SVC_RUNTIME_SIGNATURE_MISMATCH: {
    cause: 'The arguments are not the ones that the callable takes: one is missing, or one too many was sent.',
    advice: 'Send the parameters that the module declares, each once and under its name.',
  },
  SVC_RUNTIME_MISSING_CONTEXT: {
    cause: 'The module asks who is calling, such as for which tenant, and the request did not say.',
    advice: 'Fill in the field of the context that the message names.',
  },
  SVC_RUNTIME_FORK_CONFLICT: {
    cause: 'The request names two different forks, one in its header and one in its address or body.',
    advice: 'Name one fork only, or the same one in both places.',
  },
  SVC_RUNTIME_INVALID_CURSOR: {
    cause:
      'The mark by which the next page is asked for is none that this server gave out, or belongs to another question.',
    advice: 'Begin again with the first page.',
  },
  SVC_RUNTIME_UNSUPPORTED_QUERY_BODY: {
    cause: 'The query needs a function that only a host program can provide, and this server is none.',
    advice: 'Write the query without that function, or ask it where the host provides it.',
  },
  SVC_RUNTIME_UNSUPPORTED_QUERY_RESULT: {
    cause: 'The query answers with values of a type that cannot be written as JSON.',
    advice: 'Declare another type for its result, without extern types.',
  },
  SVC_RUNTIME_UNSUPPORTED_MUTATION_RESULT: {
    cause: 'The mutation answers with values of a type that cannot be written as JSON.',
    advice: 'Declare another type for its result, without extern types.',
  },
  SVC_RUNTIME_DERIVE_FAILED: {
    cause: 'A rule could not be worked out for some facts, for example because it divides by zero.',
    advice: 'Mend the rule, or the facts that are shown with it.',
  },
  SVC_RUNTIME_EXPLAIN_FAILED: {
    cause: 'The fact could not be explained: there is no relation of that name, or a rule behind it fails.',
    advice: 'Check the name of the relation; where a rule is named, mend that first.',
  },
  SVC_RUNTIME_EXPLAIN_BAD_TUPLE: {
    cause: 'The fact to be explained has a value that does not fit its place, or too few or too many of them.',
    advice: 'Give one value for each place of the relation, of the type that it has there.',
  },
  SVC_RUNTIME_EXPLAIN_UNRESOLVED_INDIVIDUAL: {
    cause: 'The fact to be explained names somebody whom neither the module declares nor any call has made.',
    advice: 'Pick an individual that exists: by the name that the module declares, or by its id, such as #i7.',
  },
  SVC_RUNTIME_CHECK_VIOLATION: {
    cause: 'The change would break a blocking check of the module, so that none of it was kept.',
    advice: 'Look at what the check says and why, and change the call, or the facts that are in the way.',
  },
  SVC_RUNTIME_ADHOC_TYPE_ERROR: {
    cause: 'The text does not fit the module: it uses a name or a type that is not declared like that.',
    advice: 'Mend the findings that are listed with it.',
  },
  SVC_RUNTIME_ADHOC_PREPARATION_FAILED: {
    cause: 'The text could not be read, or is not one query, derive or mutation.',
    advice: 'Mend the findings, and write one query, derive or mutation.',
  },
  SVC_RUNTIME_FORK_NOT_DERIVED: {
    cause: 'What was asked needs the conclusions of the fork, and they have not been worked out yet.',
    advice: 'Derive the fork first.',
  },
  SVC_RUNTIME_CAPABILITY_DENIED: {
    cause: 'The server does not allow this, or does not know the caller: its token is missing or another one.',
    advice: 'Send the token of this server, or have the server started with the capability that is named.',
  },
  SVC_RUNTIME_ADHOC_DISABLED: {
    cause: 'This server was started so that it takes only calls which the module declares.',
    advice: 'Call what the module declares, or have the server started without --no-adhoc.',
  },
  SVC_RUNTIME_UNKNOWN_ROUTE: {
    cause: 'The server has nothing at this address.',
    advice: 'Check the address for a typing mistake.',
  },
  SVC_RUNTIME_UNKNOWN_QUERY: {
    cause: 'The module that is loaded has no public query of this name.',
    advice: 'Check its name, with the module before it; make it pub where it is there and private.',
  },
  SVC_RUNTIME_UNKNOWN_MUTATION: {
    cause: 'The module that is loaded has no public mutation of this name.',
    advice: 'Check its name, with the module before it; make it pub where it is there and private.',
  },
  SVC_RUNTIME_UNKNOWN_COMPUTE: {
    cause: 'The module that is loaded has no public function of this name that can be called from outside.',
    advice: 'Check its name, with the module before it; make it pub where it is there and private.',
  },
  SVC_RUNTIME_UNKNOWN_CHECK: {
    cause: 'The module that is loaded has no check of this name.',
    advice: 'Check its name, with the module before it.',
  },
  SVC_RUNTIME_FORK_NOT_FOUND: {
    cause: 'There is no fork of this name here; it may belong to another tenant.',
    advice: 'Pick one of the forks that Forks lists, or go back to main.',
  },
  SVC_RUNTIME_METHOD_NOT_ALLOWED: {
    cause: 'The address exists, and is not to be asked in this way, such as with GET where it takes POST.',
    advice: 'Use one of the methods that the answer names in its Allow header.',
  },
  SVC_RUNTIME_REQUEST_TIMEOUT: {
    cause: 'It took longer than the server allows for one request, and was stopped; nothing of it was kept.',
    advice: 'Ask for less, see with Profile what takes the time, or have the time limit of the server raised.',
  },
  SVC_RUNTIME_FORK_CLOSED: {
    cause: 'The fork was promoted or aborted, so that nothing more can be written to it.',
    advice: 'Switch to an open fork; what is in this one can still be read.',
  },
  SVC_RUNTIME_FORK_EXISTS: {
    cause: 'There is a fork of this name already, and it is not overwritten.',
    advice: 'Choose another name, or abort the fork that has it.',
  },
  SVC_RUNTIME_SCOPE_ID_COLLISION: {
    cause:
      'Two tenants would share one place for their facts, because the ids that the server makes for them are too short.',
    advice: 'Have the server started with longer scope ids, or give the tenant another id.',
  },
  SVC_RUNTIME_SCHEMA_MISMATCH: {
    cause: 'The facts on disk were written under another form of the module than the one that is loaded.',
    advice:
      'Save or reload the module to hold the facts to it, load the module that they were written under, or accept the change with SVC_ACCEPT_SCHEMA_CHANGE=1.',
  },
  SVC_RUNTIME_MODULE_INCOMPATIBLE: {
    cause:
      'Stored facts use something that the new text of the module no longer has, or has otherwise; the old module goes on serving.',
    advice: 'Keep what the facts use, bring them along under their new names, or remove them first.',
  },
  SVC_RUNTIME_ADHOC_MULTI_MODULE_UNSUPPORTED: {
    cause: 'Several modules are served together, and a bare name in the text could mean that of any of them.',
    advice:
      'Say as `module` which one the text is written in, serve one module alone, or declare the query in a module.',
  },
  SVC_RUNTIME_RESULT_TOO_LARGE: {
    cause: 'The answer has more rows than the server gives out at once.',
    advice: 'Ask for less, or read it page by page.',
  },
  SVC_RUNTIME_REQUEST_TOO_LARGE: {
    cause: 'More was sent than the server takes in one request.',
    advice: 'Send it in parts, or have the limit of the server raised.',
  },
  SVC_RUNTIME_CHECK_EVAL_FAILED: {
    cause: 'A check could not be worked out for some facts, for example because it divides by zero.',
    advice: 'Mend the check, or the facts that are shown with it.',
  },
  SVC_RUNTIME_QUERY_EVAL_FAILED: {
    cause:
      'A query could not be worked out: an expression in it fails for some facts, or the artifact that is served is damaged.',
    advice: 'Mend the query or the facts; where neither is at fault, build the artifact again.',
  },
  SVC_RUNTIME_COMPUTE_EVAL_FAILED: {
    cause:
      'A function or an expression fails for the values that it was given, for example because it divides by zero.',
    advice: 'Mend it, or call it with other values.',
  },
  SVC_RUNTIME_NAV_FIELD_RESOLVE_FAILED: {
    cause: 'A field that is read through a relation has more than one value where only one may be.',
    advice: 'Remove the fact that is too many, or mend the relation behind the field.',
  },
  SVC_RUNTIME_META_RESOLVE_FAILED: {
    cause: 'It could not be told which classes an individual belongs to, because a define fails for it.',
    advice: 'Mend that define, or build the artifact again.',
  },
  SVC_RUNTIME_STORAGE_ERROR: {
    cause:
      'The server could not write or read a file, for example because the disk is full or a file is missing; nothing of a change is kept unless the message says that this is unknown.',
    advice: 'Do what the message says, for example free some space or allow access to the file, and send it again.',
  },
  SVC_RUNTIME_INTERNAL_ERROR: {
    cause: 'Something went wrong in the server itself; the request is not at fault.',
    advice: 'Send it again; where it stays so, report it with the id of the request.',
  },
  SVC_RUNTIME_MODULE_NOT_LOADED: {
    cause: 'The server runs no module: none was given to it, or the one that was does not compile.',
    advice: 'Open or begin a module, or mend what the compiler found in the one that is there.',
  },
  SVC_RUNTIME_STORAGE_UNREACHABLE: {
    cause: 'The folder in which the facts are kept cannot be read or written.',
    advice: 'Bring the folder back and make it writable.',
  },
};
