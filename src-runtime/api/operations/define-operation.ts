/**
 * Defines operations of the `/v1` API. Routes, the methods a path allows, validation, the OpenAPI document and the types of the
 * client and of the server's handlers are derived from these definitions. The page takes only their types: it has no Zod.
 */

import { z } from 'zod';
import type { Capability } from '../schemas/health-schemas.js';
import { asOfShape } from './parameters.js';

export interface OperationDefinition {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` for each parameter. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly runsOn: RunsOn;
  /** The capability that the token must carry. */
  readonly capability: Capability | null;
  /** Waits for earlier writers. The request log shows how long. If a reload happens meanwhile, the operation runs again. */
  readonly writes: boolean;
  /** With an Idempotency-Key it runs once, so that clients may repeat it after a lost connection. */
  readonly takesKey?: true;
  /** Takes `asOf` in the query string. Every other operation refuses it. */
  readonly readsPast?: true;
  /** One schema for each parameter of the path. */
  readonly params?: z.ZodObject;
  /** Without a schema, the query string is ignored. */
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType | typeof ARTIFACT;
  /** The body may also be JSON lines: the first is the body without its `rows`, and each later one is a row. */
  readonly takesLines?: boolean;
  readonly response: Response;
  /** With `Accept: text/csv` and the like, streams the rows of the whole result instead of a page. */
  readonly streamsRows?: true;
}

/**
 * What the headers and the body of a request select.
 * - `server`: nothing; the operation is not about the facts of a scope.
 * - `scope`: the scope, by the context fields.
 * - `fork`: the scope and the fork, which the path, a header or the body names.
 * - `eachFork`: as `fork`; the path exists a second time under `/v1/forks/:fork`.
 */
export type RunsOn = 'server' | 'scope' | 'fork' | 'eachFork';

/** A body of bytes that no schema describes: an artifact. */
export const ARTIFACT = 'artifact';

/**
 * - `result`: the body is `{ result }` and the fields of `beside`, if any.
 * - `created`: the same with status 201, or 200 for a dry run.
 * - `pageOrStream`: a page, or with `Accept: text/event-stream` the rows as they arrive.
 * - `document`: the body is the result itself.
 * - `text`: the body is plain text.
 * - `lines`: the body is lines of JSON, sent as they are made. A body that breaks off has failed.
 */
export interface Response<R extends z.ZodType = z.ZodType, B = z.ZodRawShape | undefined> {
  readonly kind: 'result' | 'created' | 'pageOrStream' | 'document' | 'text' | 'lines';
  readonly result: R;
  readonly beside: B;
  /** The name of a row in the stream, and the parameters that only a page has. */
  readonly stream?: { readonly row: string; readonly pageOnly: readonly string[] };
}

export function defineOperation<const D extends OperationDefinition>(
  definition: D & DescribesPath<D['path']>,
): Defined<D>;
export function defineOperation(definition: OperationDefinition): OperationDefinition {
  const { readsPast, query = z.object({}) } = definition;
  return readsPast === true ? { ...definition, query: query.extend(asOfShape) } : definition;
}

type Defined<D extends OperationDefinition> = D extends { readonly readsPast: true }
  ? Omit<D, 'query'> & { readonly query: z.ZodObject<QueryShape<D> & typeof asOfShape> }
  : D;

type QueryShape<D> = D extends { readonly query: z.ZodObject<infer Shape> } ? Shape : Record<never, never>;

type DescribesPath<Path extends string> =
  PathParameters<Path> extends []
    ? { readonly params?: never }
    : { readonly params: z.ZodObject<{ [Name in PathParameters<Path>[number]]: z.ZodType }> };

/** `['fork', 'other']` for `/v1/forks/:fork/diff/:other`. */
export type PathParameters<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? [Name, ...PathParameters<`/${Rest}`>]
  : Path extends `${string}/:${infer Name}`
    ? [Name]
    : [];

export function result<R extends z.ZodType>(schema: R): ResultOf<'result', R>;
export function result<R extends z.ZodType, B extends z.ZodRawShape>(schema: R, beside: B): ResultOf<'result', R, B>;
export function result(schema: z.ZodType, beside?: z.ZodRawShape): Response {
  return { kind: 'result', result: schema, beside };
}

export function created<R extends z.ZodType>(schema: R): ResultOf<'created', R>;
export function created<R extends z.ZodType, B extends z.ZodRawShape>(schema: R, beside: B): ResultOf<'created', R, B>;
export function created(schema: z.ZodType, beside?: z.ZodRawShape): Response {
  return { kind: 'created', result: schema, beside };
}

const cursorShape = { nextCursor: z.string().optional() };

export function page<R extends z.ZodType>(schema: R): ResultOf<'result', R, typeof cursorShape>;
export function page<R extends z.ZodType, B extends z.ZodRawShape>(
  schema: R,
  beside: B,
): ResultOf<'result', R, B & typeof cursorShape>;
export function page(schema: z.ZodType, beside: z.ZodRawShape = {}): Response {
  return { kind: 'result', result: schema, beside: { ...beside, ...cursorShape } };
}

export function pageOrStream<R extends z.ZodType, B extends z.ZodRawShape>(
  schema: R,
  beside: B,
  stream: NonNullable<Response['stream']>,
): ResultOf<'pageOrStream', R, B & typeof cursorShape> {
  return { kind: 'pageOrStream', result: schema, beside: { ...beside, ...cursorShape }, stream };
}

export function document<R extends z.ZodType>(schema: R): ResultOf<'document', R> {
  return { kind: 'document', result: schema, beside: undefined };
}

export function text(): ResultOf<'text', z.ZodString> {
  return { kind: 'text', result: z.string(), beside: undefined };
}

/** `schema` is that of a line. */
export function lines<R extends z.ZodType>(schema: R): ResultOf<'lines', R> {
  return { kind: 'lines', result: schema, beside: undefined };
}

type ResultOf<Kind, R extends z.ZodType, B = undefined> = Response<R, B> & { readonly kind: Kind };
