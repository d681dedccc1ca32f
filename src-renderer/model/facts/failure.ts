/** What the envelope of a failed request says, in the forms that the page shows. */

import { ERROR_REGISTRY, type ErrorRow } from '../../../src-runtime/api/errors.js';
import { ApiFailure, ConnectionFailure } from '../../../src-runtime/api/failures.js';
import { contextFieldOfHeader } from '../../../src-runtime/api/headers.js';
import type { Explanation } from '../../../src-runtime/api/schemas/explanation-schemas.js';
import type { FactInTheWay } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { Firing, JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import type { Diagnostic } from '../../../src-runtime/base/diagnostic.js';
import type { Span } from '../../../src-runtime/base/span.js';

export { ApiFailure, ConnectionFailure } from '../../../src-runtime/api/failures.js';

/** Undefined where this page is older than the server and does not know the code. */
export function statusOfCode(code: string): number | undefined {
  return (ERROR_REGISTRY as Readonly<Record<string, ErrorRow>>)[code]?.status;
}

/**
 * Whether the failure of a query is all that there is to show. While the server is silent, what it answered before stays in
 * sight, and in the editor what was typed: the status line tells that nobody answers.
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

/** Of a request for one individual: there is none of that id, or none any more. */
export function isGone(error: unknown): boolean {
  return hasCode(error, 'SVC_RUNTIME_VALIDATION_FAILED');
}

/** Facts were not asked for, since every request about them has to say a field of the context that nobody has said yet. */
export class ContextNotGiven extends Error {
  override readonly name = 'ContextNotGiven';
  readonly field: string;

  constructor(field: string) {
    super(`The context has no ${field}.`);
    this.field = field;
  }
}

/** A field of the context that has to be said, or said otherwise. */
export interface WantedContext {
  readonly field: string;
  /** Why the value that it has is not taken; absent where it has none. */
  readonly refusal?: string;
}

/** Undefined of a failure that has another cause. */
export function wantedContext(error: unknown): WantedContext | undefined {
  if (error instanceof ContextNotGiven) return { field: error.field };
  const failure = failureOf(error);
  const { field, path } = failure?.details ?? {};
  if (hasCode(error, 'SVC_RUNTIME_MISSING_CONTEXT')) return typeof field === 'string' ? { field } : undefined;
  if (!hasCode(error, 'SVC_RUNTIME_VALIDATION_FAILED') || typeof path !== 'string') return undefined;
  const refused = contextFieldOfHeader(path) ?? /^\$\.context\.(\w+)$/.exec(path)?.[1];
  return refused === undefined ? undefined : { field: refused, refusal: failure?.message ?? '' };
}

/** What only a loaded module has was not asked for, since an earlier answer said that none is loaded. */
export class NoModule extends Error {
  override readonly name = 'NoModule';
}

export function isNoModule(error: unknown): boolean {
  return error instanceof NoModule || hasCode(error, 'SVC_RUNTIME_MODULE_NOT_LOADED');
}

/** The firings in `details.diagnostics` of a check violation. */
export function violationsOf(failure: ApiFailure): readonly Firing[] {
  return listOf(failure.details['diagnostics']).filter(
    (entry): entry is Firing => isObject(entry) && typeof entry['check'] === 'string',
  );
}

/** In `details.names`: what the individuals are called, by id, that a refused request would have made. Another one may have the id later. */
export function namesOf(details: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const { names } = details;
  return new Map(isObject(names) ? Object.entries(names).map(([id, name]) => [id, String(name)]) : []);
}

/** In `details.conflicts` of a promotion, or of undoing one, that a check forbids. */
export function conflictsOf<Conflict>(error: unknown): readonly Conflict[] {
  return listOf(failureOf(error)?.details['conflicts']) as readonly Conflict[];
}

/** The compile findings in `details.diagnostics` of a failure to build. */
export function diagnosticsOf(failure: ApiFailure): readonly Diagnostic[] {
  return listOf(failure.details['diagnostics']).filter(
    (entry): entry is Diagnostic => isObject(entry) && typeof entry['code'] === 'string' && isObject(entry['span']),
  );
}

/** What keeps a candidate module from being loaded. */
export interface Incompatibility {
  /** Path of the declaration that stored facts use. */
  readonly declaration: string;
  /** What became of it, and how many facts use it: goes on from the path. */
  readonly words: string;
  readonly facts: number;
  /** The first of them, where they are those of the scope. */
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

/** The proofs of the firings of a refused write, by check and tuple as JSON; where they took long some are missing. */
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

/** What a candidate has no more, and what it may call it now. */
export interface OfferedRename {
  readonly from: string;
  /** The likeliest first. */
  readonly to: readonly string[];
}

export function offeredRenamesOf(details: Readonly<Record<string, unknown>>): readonly OfferedRename[] {
  return listOf(details['renames'])
    .filter(isObject)
    .map(({ from, to }) => ({ from: String(from), to: listOf(to).map(String) }));
}

/** The place in the source that the failure is about. */
export function spanOf(failure: ApiFailure): Span | undefined {
  const span = failure.details['span'];
  return isObject(span) && typeof span['file'] === 'string' && isObject(span['start'])
    ? (span as unknown as Span)
    : undefined;
}

/** In `details.bindings`: what the variables of a rule or check were that could not be evaluated. */
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
