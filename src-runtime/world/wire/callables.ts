/** Finds public callables by path, or says why they cannot be called. */

import { ApiError, type ErrorCode } from '../../api/errors.js';
import type { Capability } from '../../api/schemas/health-schemas.js';
import type {
  CheckDeclaration,
  FunctionDeclaration,
  MutationDeclaration,
  QueryDeclaration,
  Type,
} from '../../artifact/types.js';
import { didYouMean } from '../../base/nearest.js';
import type { Program } from '../../engine/index.js';
import { MAIN_FORK } from '../../storage/event-store.js';

/** Throws UNKNOWN_QUERY, UNSUPPORTED_QUERY_RESULT, UNSUPPORTED_QUERY_BODY. */
export function requireQuery(program: Program, path: string): QueryDeclaration {
  const query = requirePublic(program, 'Query', 'SVC_RUNTIME_UNKNOWN_QUERY', program.queries, path);
  requireSupportedQuery(program, query);
  return query;
}

/** Throws UNSUPPORTED_QUERY_RESULT, UNSUPPORTED_QUERY_BODY. */
export function requireSupportedQuery(program: Program, query: QueryDeclaration): void {
  if (holdsExtern(query.result)) throw unrenderable('SVC_RUNTIME_UNSUPPORTED_QUERY_RESULT', query.path);
  const extern = externOfQuery(program, query);
  if (extern === undefined) return;
  throw new ApiError(
    'SVC_RUNTIME_UNSUPPORTED_QUERY_BODY',
    `The query "${query.path}" calls the extern function "${extern}", which this runtime does not provide.`,
    { function: extern },
  );
}

/** Throws UNKNOWN_MUTATION, UNSUPPORTED_MUTATION_RESULT. */
export function requireMutation(program: Program, path: string): MutationDeclaration {
  const mutation = requirePublic(program, 'Mutation', 'SVC_RUNTIME_UNKNOWN_MUTATION', program.mutations, path);
  requireSupportedMutation(mutation);
  return mutation;
}

/** Throws UNSUPPORTED_MUTATION_RESULT. */
export function requireSupportedMutation({ path, result }: MutationDeclaration): void {
  if (result && holdsExtern(result)) throw unrenderable('SVC_RUNTIME_UNSUPPORTED_MUTATION_RESULT', path);
}

/**
 * For a mutation that forgets, directly or through others. Throws CAPABILITY_DENIED unless that is granted. Throws VALIDATION_FAILED on a
 * fork, because forgetting cannot be undone when the fork is aborted.
 */
export function requireForgettable(
  program: Program,
  mutation: MutationDeclaration,
  fork: string,
  granted: readonly Capability[],
): void {
  const isForgetting = FORGETTING.get(mutation) ?? forgets(program, mutation.body, new Set());
  FORGETTING.set(mutation, isForgetting);
  if (!isForgetting) return;
  if (granted.includes('forget')) {
    if (fork === MAIN_FORK) return;
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `"${mutation.path}" forgets, which is not possible on the fork "${fork}"; call it on "${MAIN_FORK}".`,
      { fork },
    );
  }
  throw new ApiError(
    'SVC_RUNTIME_CAPABILITY_DENIED',
    `"${mutation.path}" forgets, and the token of this request does not carry the capability "forget"; send one that does, or start the server with --grant ${[...granted, 'forget'].join(',')}.`,
    { reason: 'capability', capability: 'forget' },
  );
}

/** Whether a mutation forgets. Finding out visits its whole body. */
const FORGETTING = new WeakMap<MutationDeclaration, boolean>();

function forgets(program: Program, node: unknown, seen: Set<string>): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const { op, callable } = node as { readonly op?: unknown; readonly callable?: unknown };
  if (op === 'forget') return true;
  if (op === 'invoke' && typeof callable === 'string' && !seen.has(callable)) {
    seen.add(callable);
    if (forgets(program, program.mutations.get(callable)?.body, seen)) return true;
  }
  return Object.values(node).some((child) => forgets(program, child, seen));
}

/** For a capability that depends on the content of a request, not on its route. Throws CAPABILITY_DENIED. */
export function requireGranted(capability: Capability, granted: readonly Capability[]): void {
  if (granted.includes(capability)) return;
  throw new ApiError(
    'SVC_RUNTIME_CAPABILITY_DENIED',
    `Explaining the state after this operation needs the capability "${capability}", which the token lacks; send another token, or start the server with --grant ${[...granted, capability].join(',')}.`,
    { reason: 'capability', capability },
  );
}

/** Throws UNKNOWN_COMPUTE, also for a function that is extern or reaches one. */
export function requireCompute(program: Program, path: string): FunctionDeclaration {
  const fn = requirePublic(program, 'Function', 'SVC_RUNTIME_UNKNOWN_COMPUTE', program.functions, path);
  requireSupportedFunction(program, fn);
  return fn;
}

/** Throws UNKNOWN_COMPUTE. */
export function requireSupportedFunction(program: Program, { path, body }: FunctionDeclaration): void {
  const extern = body.op === 'extern' ? path : reachedExtern(program, body);
  if (extern === undefined) return;
  throw new ApiError(
    'SVC_RUNTIME_UNKNOWN_COMPUTE',
    `The function "${path}" cannot be computed here: "${extern}" is extern, and this runtime provides none.`,
    { path, function: extern },
  );
}

/** Throws UNKNOWN_CHECK. A check need not be public for filtering. */
export function requireCheck(program: Program, path: string): CheckDeclaration {
  const check = program.checks.get(path);
  if (check) return check;
  throw unknown('Check', 'SVC_RUNTIME_UNKNOWN_CHECK', path, program.checks.keys());
}

function requirePublic<T extends { readonly path: string; readonly public: boolean }>(
  program: Program,
  kind: string,
  code: ErrorCode,
  declared: ReadonlyMap<string, T>,
  path: string,
): T {
  const found = declared.get(path);
  if (found?.public) return found;
  const candidates = [...declared.values()].filter((item) => item.public).map((item) => item.path);
  const why = found ? 'is not public; declare it with "pub".' : callableOfAnotherKind(program, path);
  throw unknown(kind, code, path, candidates, why);
}

function callableOfAnotherKind({ queries, mutations, functions }: Program, path: string): string | undefined {
  if (queries.get(path)?.public) return 'is not declared, but is a query; call it as one.';
  if (mutations.get(path)?.public) return 'is not declared, but is a mutation; call it as one.';
  return functions.get(path)?.public ? 'is not declared, but is a function; compute it.' : undefined;
}

function unknown(kind: string, code: ErrorCode, path: string, candidates: Iterable<string>, why?: string): ApiError {
  const problem = why ?? `is not declared${didYouMean(path, candidates) || '; GET /v1/schema lists what is.'}`;
  return new ApiError(code, `${kind} "${path}" ${problem}`, { path });
}

function unrenderable(code: ErrorCode, path: string): ApiError {
  return new ApiError(code, `The result of "${path}" contains an extern type, which has no wire form.`, { path });
}

export function holdsExtern(type: Type): boolean {
  switch (type.kind) {
    case 'extern':
      return true;
    case 'optional':
    case 'list':
      return holdsExtern(type.of);
    case 'record':
      return type.fields.some((field) => holdsExtern(field.type));
    default:
      return false;
  }
}

/** Cached by declaration, which belongs to one program, or null if none exists. */
const externsOfQueries = new WeakMap<QueryDeclaration, string | null>();

function externOfQuery(program: Program, query: QueryDeclaration): string | undefined {
  let extern = externsOfQueries.get(query);
  if (extern === undefined) {
    extern = reachedExtern(program, query.body) ?? null;
    externsOfQueries.set(query, extern);
  }
  return extern ?? undefined;
}

/** The first extern function that a body calls, directly, through functions, or through callables. */
export function reachedExtern(program: Program, body: unknown, seen: Set<string> = new Set()): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const node = body as Readonly<Record<string, unknown>>;
  if (node['op'] === 'call' && typeof node['function'] === 'string' && !seen.has(node['function'])) {
    const path = node['function'];
    seen.add(path);
    const fn = program.functions.get(path);
    if (fn?.body.op === 'extern') return path;
    const inner = fn && reachedExtern(program, fn.body, seen);
    if (inner !== undefined) return inner;
  }
  if (node['op'] === 'invoke' && typeof node['callable'] === 'string' && !seen.has(node['callable'])) {
    const path = node['callable'];
    seen.add(path);
    const inner = reachedExtern(program, (program.mutations.get(path) ?? program.queries.get(path))?.body, seen);
    if (inner !== undefined) return inner;
  }
  for (const child of Object.values(node)) {
    const found = reachedExtern(program, child, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}
