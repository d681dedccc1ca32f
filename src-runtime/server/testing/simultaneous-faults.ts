/** The faults that a request can have, in the API's order of precedence. */

import type { ErrorCode } from '../../api/errors.js';
import type { Capability } from '../../api/schemas/health-schemas.js';
import { type Attempt, BODY_BYTES, COLLIDING, MISFIT, type RequestKind } from './faulty-requests.js';

export interface Kind extends RequestKind {
  /** In order. */
  readonly faults: readonly FaultName[];
  /** The outcome without faults; success by default. */
  readonly ending?: ErrorCode;
}

export interface Fault {
  readonly code: ErrorCode;
  /** Distinguishes faults with the same code. */
  readonly message?: RegExp;
  /** Two faults that change the same part of a request exclude each other. */
  readonly takes?: 'tenant' | 'fork' | 'subject' | 'source' | 'page';
  apply(attempt: Attempt): void;
}

export type FaultName = keyof typeof FAULTS;

/** In order of precedence. */
export const FAULTS = {
  access: {
    code: 'SVC_RUNTIME_CAPABILITY_DENIED',
    message: /token/,
    apply: ({ headers }) => {
      headers['authorization'] = 'Bearer of-another-server';
    },
  },
  route: {
    code: 'SVC_RUNTIME_UNKNOWN_ROUTE',
    apply: (attempt) => {
      attempt.suffix = '/nowhere/at/all';
    },
  },
  method: {
    code: 'SVC_RUNTIME_METHOD_NOT_ALLOWED',
    apply: (attempt) => {
      attempt.method = 'OPTIONS';
    },
  },
  capabilityFork: without('fork'),
  capabilityReload: without('reload'),
  size: {
    code: 'SVC_RUNTIME_REQUEST_TOO_LARGE',
    apply: ({ text }) => text.push((json) => json.padEnd(BODY_BYTES + 1)),
  },
  contentType: {
    code: 'SVC_RUNTIME_VALIDATION_FAILED',
    message: /content-type/,
    apply: ({ headers }) => {
      headers['content-type'] = 'text/plain';
    },
  },
  parse: {
    code: 'SVC_RUNTIME_VALIDATION_FAILED',
    message: /JSON/,
    apply: ({ text }) => text.unshift((json) => json.replace('{', '')),
  },
  limit: {
    code: 'SVC_RUNTIME_VALIDATION_FAILED',
    message: /\(\$\.limit\)/,
    apply: ({ query }) => {
      query['limit'] = '0';
    },
  },
  queryString: {
    code: 'SVC_RUNTIME_VALIDATION_FAILED',
    message: /query string/,
    apply: ({ query }) => {
      query['surplus'] = '1';
    },
  },
  module: {
    code: 'SVC_RUNTIME_MODULE_NOT_LOADED',
    apply: ({ server }) => {
      server.module = false;
    },
  },
  adhocDisabled: {
    code: 'SVC_RUNTIME_ADHOC_DISABLED',
    apply: ({ server }) => {
      server.adhoc = false;
    },
  },
  adhocSyntax: {
    code: 'SVC_RUNTIME_ADHOC_PREPARATION_FAILED',
    takes: 'source',
    apply: ({ subject }) => {
      subject.source = 'mutation (';
    },
  },
  adhocTypes: {
    code: 'SVC_RUNTIME_ADHOC_TYPE_ERROR',
    takes: 'source',
    apply: ({ subject }) => {
      subject.source = subject.source?.replace('Person', 'Persona') ?? '';
    },
  },
  context: {
    code: 'SVC_RUNTIME_MISSING_CONTEXT',
    takes: 'tenant',
    apply: ({ headers }) => {
      delete headers['x-tenant-id'];
    },
  },
  contextValue: {
    code: 'SVC_RUNTIME_VALIDATION_FAILED',
    message: /x-context-level/,
    apply: ({ headers }) => {
      headers['x-context-level'] = 'high';
    },
  },
  collision: {
    code: 'SVC_RUNTIME_SCOPE_ID_COLLISION',
    takes: 'tenant',
    apply: ({ headers }) => {
      headers['x-tenant-id'] = String(COLLIDING);
    },
  },
  schema: {
    code: 'SVC_RUNTIME_SCHEMA_MISMATCH',
    apply: ({ server }) => {
      server.recorded = 'changed';
    },
  },
  forkConflict: {
    code: 'SVC_RUNTIME_FORK_CONFLICT',
    apply: (attempt) => {
      attempt.headers['x-fork-id'] = 'open';
      if (attempt.forkIn === 'body') attempt.fork ??= 'main';
    },
  },
  forkAbsent: { code: 'SVC_RUNTIME_FORK_NOT_FOUND', message: /ghost/, takes: 'fork', apply: onFork('ghost') },
  parentAbsent: {
    code: 'SVC_RUNTIME_FORK_NOT_FOUND',
    message: /ghost/,
    takes: 'subject',
    apply: ({ subject }) => {
      subject.from = 'ghost';
    },
  },
  otherAbsent: {
    code: 'SVC_RUNTIME_FORK_NOT_FOUND',
    message: /phantom/,
    apply: ({ subject }) => {
      subject.other = 'phantom';
    },
  },
  forkClosed: { code: 'SVC_RUNTIME_FORK_CLOSED', takes: 'fork', apply: onFork('closed') },
  parentClosed: {
    code: 'SVC_RUNTIME_FORK_CLOSED',
    takes: 'subject',
    apply: ({ subject }) => {
      subject.from = 'closed';
    },
  },
  forkExists: {
    code: 'SVC_RUNTIME_FORK_EXISTS',
    apply: ({ subject }) => {
      subject.id = 'open';
    },
  },
  query: { code: 'SVC_RUNTIME_UNKNOWN_QUERY', takes: 'subject', apply: trait('Nowhere') },
  mutation: { code: 'SVC_RUNTIME_UNKNOWN_MUTATION', takes: 'subject', apply: trait('Nowhere') },
  compute: { code: 'SVC_RUNTIME_UNKNOWN_COMPUTE', takes: 'subject', apply: trait('Nowhere') },
  computeExtern: {
    code: 'SVC_RUNTIME_UNKNOWN_COMPUTE',
    message: /extern/,
    takes: 'subject',
    apply: trait('Extern'),
  },
  check: { code: 'SVC_RUNTIME_UNKNOWN_CHECK', takes: 'subject', apply: trait('Nowhere') },
  relation: {
    code: 'SVC_RUNTIME_VALIDATION_FAILED',
    message: /no relation/,
    takes: 'subject',
    apply: trait('Nowhere'),
  },
  classPath: {
    code: 'SVC_RUNTIME_VALIDATION_FAILED',
    message: /PersonNowhere/,
    takes: 'subject',
    apply: trait('Nowhere'),
  },
  explained: { code: 'SVC_RUNTIME_EXPLAIN_FAILED', message: /no relation/, takes: 'subject', apply: trait('Nowhere') },
  queryResult: { code: 'SVC_RUNTIME_UNSUPPORTED_QUERY_RESULT', apply: trait('Opaque') },
  mutationResult: { code: 'SVC_RUNTIME_UNSUPPORTED_MUTATION_RESULT', apply: trait('Opaque') },
  queryBody: { code: 'SVC_RUNTIME_UNSUPPORTED_QUERY_BODY', apply: trait('Extern') },
  forget: {
    code: 'SVC_RUNTIME_CAPABILITY_DENIED',
    message: /"forget"/,
    apply: (attempt) => {
      trait('Forget')(attempt);
      const { source } = attempt.subject;
      if (source !== undefined) attempt.subject.source = source.replace('set p.name = "Ada"', 'forget p');
    },
  },
  signature: {
    code: 'SVC_RUNTIME_SIGNATURE_MISMATCH',
    apply: ({ subject }) => {
      subject.args = { ...subject.args, surplus: 1 };
    },
  },
  values: {
    code: 'SVC_RUNTIME_VALIDATION_FAILED',
    message: /\(\$\.args\.p\)/,
    apply: ({ subject }) => {
      subject.args = { ...subject.args, p: '' };
    },
  },
  individual: {
    code: 'SVC_RUNTIME_VALIDATION_FAILED',
    message: /#i99/,
    takes: 'subject',
    apply: ({ subject }) => {
      subject.id = '#i99';
    },
  },
  fact: {
    code: 'SVC_RUNTIME_EXPLAIN_FAILED',
    message: /No fact has the id/,
    takes: 'subject',
    apply: ({ subject }) => {
      subject.id = 'none';
    },
  },
  tuple: {
    code: 'SVC_RUNTIME_EXPLAIN_BAD_TUPLE',
    apply: ({ subject }) => {
      subject.tuple = [...(subject.tuple ?? []), 1];
    },
  },
  column: {
    code: 'SVC_RUNTIME_VALIDATION_FAILED',
    message: /column/,
    apply: ({ query }) => {
      query['sort'] = 'nowhere';
    },
  },
  cursor: {
    code: 'SVC_RUNTIME_INVALID_CURSOR',
    apply: ({ query }) => {
      query['page'] = 'of-another-server';
    },
  },
  artifact: {
    code: 'SVC_RUNTIME_VALIDATION_FAILED',
    message: /artifact cannot be loaded/,
    takes: 'subject',
    apply: ({ subject }) => {
      subject.artifact = new TextEncoder().encode('{}');
    },
  },
  incompatible: {
    code: 'SVC_RUNTIME_MODULE_INCOMPATIBLE',
    takes: 'subject',
    apply: ({ subject }) => {
      subject.artifact = MISFIT;
    },
  },
  queryFails: { code: 'SVC_RUNTIME_QUERY_EVAL_FAILED', apply: dividingByZero },
  computeFails: { code: 'SVC_RUNTIME_COMPUTE_EVAL_FAILED', apply: dividingByZero },
  checkFails: { code: 'SVC_RUNTIME_CHECK_EVAL_FAILED', apply: trait('Fails') },
  ruleFails: { code: 'SVC_RUNTIME_DERIVE_FAILED', apply: trait('Fails') },
  explanationFails: { code: 'SVC_RUNTIME_EXPLAIN_FAILED', message: /division by zero/, apply: trait('Fails') },
  metaFails: {
    code: 'SVC_RUNTIME_META_RESOLVE_FAILED',
    takes: 'subject',
    apply: ({ subject }) => {
      subject.path = 'lease::Odd';
      subject.id = '@odd';
    },
  },
} satisfies Record<string, Fault>;

/** A callable or relation with this trait added. */
function trait(name: string): (attempt: Attempt) => void {
  return ({ subject }) => {
    if (subject.path !== undefined) subject.path += name;
  };
}

function without(capability: Capability): Fault {
  return {
    code: 'SVC_RUNTIME_CAPABILITY_DENIED',
    message: new RegExp(`"${capability}"`),
    apply: ({ server }) => {
      server.grant = server.grant.filter((each) => each !== capability);
    },
  };
}

function onFork(fork: string): (attempt: Attempt) => void {
  return (attempt) => {
    attempt.fork = fork;
  };
}

function dividingByZero({ subject }: Attempt): void {
  subject.args = { ...subject.args, by: 0 };
}
