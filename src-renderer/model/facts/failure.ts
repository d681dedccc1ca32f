/** The error envelope of a failed request, in the forms that the page shows. */

import { ERROR_REGISTRY, type ErrorRow } from '../../../src-runtime/api/errors.js';
import { ApiFailure, ConnectionFailure } from '../../../src-runtime/api/failures.js';
import { contextFieldOfHeader } from '../../../src-runtime/api/headers.js';
import type { Explanation } from '../../../src-runtime/api/schemas/explanation-schemas.js';
import type { FactInTheWay } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { Firing, JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import type { Diagnostic } from '../../../src-runtime/base/diagnostic.js';
import type { Span } from '../../../src-runtime/base/span.js';

export { ApiFailure, ConnectionFailure } from '../../../src-runtime/api/failures.js';

/** Undefined if the server is newer than the page and the code is unknown. */
export function statusOfCode(code: string): number | undefined {
  return (ERROR_REGISTRY as Readonly<Record<string, ErrorRow>>)[code]?.status;
}

/**
 * Whether only the failure of a query is shown. While the server is unreachable, earlier data and typed text stay visible; the
 * status bar shows the problem.
 */
export function isLost({ data, error }: { readonly data: unknown; readonly error: unknown }): boolean {
  return error !== null && !(data !== undefined && error instanceof ConnectionFailure);
}

export function failureOf(error: unknown): ApiFailure | undefined {
  return error instanceof ApiFailure ? error : undefined;
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiFailure && error.code === code;
}

/** A request for one individual failed because its id does not exist, or no longer does. */
export function isNotFound(error: unknown): boolean {
  return hasCode(error, 'SVC_RUNTIME_VALIDATION_FAILED');
}

/** Facts were not requested because a required context field is not set. */
export class ContextNotGiven extends Error {
  override readonly name = 'ContextNotGiven';
  readonly field: string;

  constructor(field: string) {
    super(`The context has no ${field}.`);
    this.field = field;
  }
}

/** A context field that must be set or changed. */
export interface WantedContext {
  readonly field: string;
  /** Why its value is invalid; absent if it has none. */
  readonly refusal?: string;
}

/** Undefined for a failure with another cause. */
export function wantedContext(error: unknown): WantedContext | undefined {
  if (error instanceof ContextNotGiven) return { field: error.field };
  const failure = failureOf(error);
  const { field, path } = failure?.details ?? {};
  if (hasCode(error, 'SVC_RUNTIME_MISSING_CONTEXT')) return typeof field === 'string' ? { field } : undefined;
  if (!hasCode(error, 'SVC_RUNTIME_VALIDATION_FAILED') || typeof path !== 'string') return undefined;
  const refused = contextFieldOfHeader(path) ?? /^\$\.context\.(\w+)$/.exec(path)?.[1];
  return refused === undefined ? undefined : { field: refused, refusal: failure?.message ?? '' };
}

/** Not requested because no module is loaded, according to an earlier response. */
export class NoModule extends Error {
  override readonly name = 'NoModule';
}

export function isNoModule(error: unknown): boolean {
  return error instanceof NoModule || hasCode(error, 'SVC_RUNTIME_MODULE_NOT_LOADED');
}

/** The violations in `details.diagnostics` of a check violation. */
export function violationsOf(failure: ApiFailure): readonly Firing[] {
  return listOf(failure.details['diagnostics']).filter(
    (entry): entry is Firing => isObject(entry) && typeof entry['check'] === 'string',
  );
}

/** The condition of the `require` that refused the call; undefined if a check did. */
export function requirementOf({ details }: ApiFailure): string | undefined {
  const { requirement } = details;
  return typeof requirement === 'string' ? requirement : undefined;
}

/**
 * In `details.names`: labels by id of the individuals that a rejected request would have created. Their ids may be reused later.
 */
export function namesOf(details: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const { names } = details;
  return new Map(isObject(names) ? Object.entries(names).map(([id, name]) => [id, String(name)]) : []);
}

/** In `details.conflicts` of a promotion, or its revert, that a check rejects. */
export function conflictsOf<Conflict>(error: unknown): readonly Conflict[] {
  return listOf(failureOf(error)?.details['conflicts']) as readonly Conflict[];
}

/** The compiler diagnostics in `details.diagnostics` of a build failure. */
export function diagnosticsOf(failure: ApiFailure): readonly Diagnostic[] {
  return listOf(failure.details['diagnostics']).filter(
    (entry): entry is Diagnostic => isObject(entry) && typeof entry['code'] === 'string' && isObject(entry['span']),
  );
}

/** What prevents a candidate module from being loaded. */
export interface Incompatibility {
  /** Path of the declaration that stored facts use. */
  readonly declaration: string;
  /** What changed, and how many facts use it; continues the path. */
  readonly words: string;
  readonly facts: number;
  /** The first of them, if they belong to the current scope. */
  readonly examples: readonly FactInTheWay[];
}

export function incompatibilitiesOf(details: Readonly<Record<string, unknown>>): readonly Incompatibility[] {
  return listOf(details['incompatibilities'])
    .filter(isObject)
    .map(({ declaration, reason, facts, examples }) => ({
      declaration: String(declaration),
      facts: Number(facts),
      examples: listOf(examples) as readonly FactInTheWay[],
      words: `${String(reason)}; ${facts === 1 ? '1 stored fact uses it' : `${String(facts)} stored facts use it`}`,
    }));
}

/** The proofs of the violations of a rejected write, by check and tuple as JSON. Some are missing if they took too long. */
export function explanationsOf({ details }: ApiFailure): ReadonlyMap<string, Explanation> {
  const found = listOf(details['explanations']) as readonly Explanation[];
  return new Map(
    found.flatMap((each) => {
      if (!each.holds) return [];
      const { relation, tuple } = each.proof;
      return [[JSON.stringify([relation, tuple]), each] as const];
    }),
  );
}

/** A declaration that the candidate no longer has, with suggested new names. */
export interface OfferedRename {
  readonly from: string;
  /** Most likely first. */
  readonly to: readonly string[];
}

export function offeredRenamesOf(details: Readonly<Record<string, unknown>>): readonly OfferedRename[] {
  return listOf(details['renames'])
    .filter(isObject)
    .map(({ from, to }) => ({ from: String(from), to: listOf(to).map(String) }));
}

/** The source location of the failure. */
export function spanOf(failure: ApiFailure): Span | undefined {
  const span = failure.details['span'];
  return isObject(span) && typeof span['file'] === 'string' && isObject(span['start'])
    ? (span as unknown as Span)
    : undefined;
}

/** In `details.bindings`: the variable values for which a rule or check could not be evaluated. */
export function bindingsOf(failure: ApiFailure): readonly (readonly [string, JsonValue])[] {
  const bindings = failure.details['bindings'];
  return isObject(bindings) ? (Object.entries(bindings) as [string, JsonValue][]) : [];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
