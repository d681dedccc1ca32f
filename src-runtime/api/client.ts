/**
 * The typed client of the `/v1` API, for the workbench and the command line: a method for each operation that they use. It trusts the
 * server's responses, which the definitions of operations describe, and turns every failure into an ApiFailure or a ConnectionFailure.
 */

import type { z } from 'zod';
import { type FollowOptions, follow } from './follow.js';
import type { OperationDefinition, PathParameters, Response } from './operations/define-operation.js';
import type { Operations } from './operations/index.js';
import type { placeBody, SentAs } from './operations/parameters.js';
import type { RequestSummary } from './schemas/request-log.js';
import type { errorEnvelopeSchema, WireEvent } from './schemas/schemas.js';
import { type CallOptions, type ClientOptions, type Message, openStream, type Query, request } from './transport.js';

/**
 * Method, path and kind of body of each operation, and whether it gets `asOf`. The page cannot take them from the definitions, which
 * would load Zod; the compiler compares them.
 */
export const ADDRESSES = {
  health: 'GET /v1/health',
  requests: 'GET /v1/requests',
  request: 'GET /v1/requests/:requestId',
  module: 'GET /v1/module',
  artifact: 'GET /v1/module/artifact',
  schema: 'GET /v1/schema',
  putModule: 'PUT /v1/module artifact',
  reloadModule: 'POST /v1/module/reload',
  project: 'GET /v1/project',
  openProject: 'POST /v1/project/open json',
  createProject: 'POST /v1/project json',
  saveProjectAs: 'POST /v1/project/save-as json',
  closeProject: 'DELETE /v1/project',
  addProjectFile: 'POST /v1/project/files json',
  renameProjectFile: 'POST /v1/project/files/rename json',
  places: 'GET /v1/places',
  sources: 'GET /v1/module/sources',
  saveSources: 'PUT /v1/module/sources json',
  moduleChange: 'GET /v1/module/change',
  collections: 'GET /v1/module/collections',
  saveCollection: 'PUT /v1/module/collections/:name json',
  deleteCollection: 'DELETE /v1/module/collections/:name',
  environments: 'GET /v1/module/environments',
  saveEnvironment: 'PUT /v1/module/environments/:name json',
  deleteEnvironment: 'DELETE /v1/module/environments/:name',
  query: 'POST /v1/dispatch/query json asOf',
  mutation: 'POST /v1/dispatch/mutation json asOf',
  compute: 'POST /v1/dispatch/compute json asOf',
  queryAdhoc: 'POST /v1/query/adhoc json asOf',
  live: 'POST /v1/live json asOf',
  mutateAdhoc: 'POST /v1/mutation/adhoc json asOf',
  profile: 'POST /v1/dispatch/query/profile json asOf',
  profileAdhoc: 'POST /v1/query/adhoc/profile json asOf',
  batch: 'POST /v1/batch json asOf',
  import: 'POST /v1/import json asOf',
  explain: 'POST /v1/explain json asOf',
  explainRow: 'POST /v1/dispatch/query/explain json asOf',
  explainAdhoc: 'POST /v1/query/adhoc/explain json asOf',
  individuals: 'GET /v1/individuals asOf',
  individual: 'GET /v1/individuals/:id asOf',
  storedOf: 'GET /v1/stored/individuals/:id asOf',
  derivedOf: 'GET /v1/derived/individuals/:id asOf',
  relation: 'GET /v1/relations/:path asOf',
  counts: 'GET /v1/counts asOf',
  checks: 'GET /v1/checks asOf',
  checkStates: 'GET /v1/checks/states asOf',
  events: 'GET /v1/events asOf',
  transactions: 'GET /v1/transactions asOf',
  transaction: 'GET /v1/transactions/:txn asOf',
  transactionEffects: 'GET /v1/transactions/:txn/effects asOf',
  violationOrigins: 'GET /v1/checks/origins asOf',
  undoTransaction: 'POST /v1/transactions/:txn/undo asOf',
  forks: 'GET /v1/forks',
  createFork: 'POST /v1/forks json asOf',
  fork: 'GET /v1/forks/:fork',
  abortFork: 'DELETE /v1/forks/:fork asOf',
  labelFork: 'PATCH /v1/forks/:fork json asOf',
  updateFork: 'POST /v1/forks/:fork/update json asOf',
  promoteFork: 'POST /v1/forks/:fork/promote asOf',
  undoPromotion: 'POST /v1/forks/:fork/promote/undo asOf',
  pickTransaction: 'POST /v1/forks/:fork/pick json asOf',
  deriveFork: 'POST /v1/forks/:fork/derive',
  forkProjection: 'GET /v1/forks/:fork/derived',
  deriveTrace: 'GET /v1/forks/:fork/derive/trace',
  diffForks: 'GET /v1/forks/:fork/diff/:other asOf',
  diffCounts: 'GET /v1/forks/:fork/diff/:other/counts asOf',
  previewPromotion: 'GET /v1/forks/:fork/promotion asOf',
  countPromotion: 'GET /v1/forks/:fork/promotion/counts asOf',
  previewUpdate: 'GET /v1/forks/:fork/update asOf',
  countUpdate: 'GET /v1/forks/:fork/update/counts asOf',
  tests: 'GET /v1/tests',
  runTests: 'POST /v1/tests/run json',
  tryTests: 'POST /v1/tests/try json',
  testCoverage: 'GET /v1/tests/coverage',
} as const satisfies { readonly [Name in keyof Operations]?: Address<Operations[Name]> };

type Address<O extends OperationDefinition> = `${O['method']} ${O['path']}${BodySuffix<O>}${MomentSuffix<O>}`;

/** A write gets it too, because the server then refuses it. */
type MomentSuffix<O> = O extends { readonly readsPast: true } | { readonly writes: true } ? ' asOf' : '';

type BodySuffix<O> = O extends { readonly body: infer Body }
  ? Body extends string
    ? ` ${Body}`
    : IsPlaceBody<Body> extends true
      ? ''
      : ' json'
  : '';

/** True for a body that only says where the operation runs, which the client sends in headers. */
type IsPlaceBody<Body> = [Body, typeof placeBody] extends [typeof placeBody, Body] ? true : false;

export type Client = { readonly [Name in keyof typeof ADDRESSES]: Method<Operations[Name]> } & {
  /** Events as they arrive, until the signal or a `break` ends the iteration. */
  follow(call?: CallOptions & FollowOptions): AsyncGenerator<WireEvent, void, undefined>;
  /** Requests of the log as they end, until the signal or a `break` ends the iteration. */
  followRequests(call?: CallOptions & FollowOptions): AsyncGenerator<RequestSummary, void, undefined>;
};

export function createClient(options: ClientOptions): Client {
  const methods = Object.entries(ADDRESSES).map(([name, address]) => [name, methodAt(options, address, request)]);
  const streamOf = (path: string, call: CallOptions) => (lastEventId: string | undefined) =>
    openStream(options, path, { ...call, lastEventId, accept: 'text/event-stream' });
  return {
    ...(Object.fromEntries(methods) as Omit<Client, 'follow' | 'followRequests'>),
    follow: (call = {}) => follow(streamOf('/v1/events', call), call),
    followRequests: (call = {}) => follow(streamOf('/v1/requests', call), call),
  };
}

/** The parameters of the path in order, then the body if any, then the query string and where the call runs. */
export type Method<O extends OperationDefinition> = (
  ...given: [...PathArguments<O, PathParameters<O['path']>>, ...BodyArgument<O>, ...OptionsArgument<O>]
) => Promise<SuccessOf<O>>;

type PathArguments<O, Names extends readonly string[]> = {
  [At in keyof Names]: O extends { readonly params: z.ZodObject<infer Shape> }
    ? z.output<Shape[Names[At] & keyof Shape]>
    : never;
};

type BodyArgument<O> = O extends { readonly body: infer Body }
  ? IsPlaceBody<Body> extends true
    ? []
    : Body extends z.ZodType
      ? [body: NonNullable<z.input<Body>>]
      : [artifact: string]
  : [];

type OptionsArgument<O> =
  Record<never, never> extends OptionsOf<O> ? [options?: OptionsOf<O>] : [options: OptionsOf<O>];

export type OptionsOf<O> = CallOptions & QueryOf<O> & PresentOption<O>;

/** Undefined lets a write act on the present while the client reads the past. The server refuses a moment. */
type PresentOption<O> = O extends { readonly readsPast: true }
  ? unknown
  : { readonly asOf?: number | string | undefined };

/** The server's types of values. A parameter with a default is optional. A parameter that runs the call elsewhere comes first under its name. */
type QueryOf<O> = O extends { readonly query: z.ZodObject<infer Shape> }
  ? Optional<{ readonly [Key in Exclude<keyof Shape, keyof CallOptions>]: SentValue<Shape[Key]> }>
  : unknown;

type SentValue<Schema> =
  Schema extends z.ZodOptional<infer Inner>
    ? SentValue<Inner> | undefined
    : Schema extends z.ZodString & SentAs<infer Value>
      ? unknown extends Value
        ? string
        : Value
      : Schema extends z.ZodType
        ? z.output<Schema> | (undefined extends z.input<Schema> ? undefined : never)
        : never;

type Optional<Shape> = { readonly [Key in keyof Shape as undefined extends Shape[Key] ? never : Key]: Shape[Key] } & {
  readonly [Key in keyof Shape as undefined extends Shape[Key] ? Key : never]?: Shape[Key];
};

/** Fields of every success body apart from `result`. */
type Frame = Omit<z.infer<typeof errorEnvelopeSchema>, 'error'>;
export type Success<T> = { result: T } & Frame;
export type PageOf<T> = Success<T> & { nextCursor?: string | undefined };

export type SuccessOf<O extends OperationDefinition> =
  O['response'] extends Response<infer Result, infer Beside>
    ? Success<z.output<Result>> & (Beside extends z.ZodRawShape ? z.output<z.ZodObject<Beside>> : unknown)
    : never;

export type MutationSuccess = SuccessOf<Operations['mutation']>;
export type ImportSuccess = SuccessOf<Operations['import']>;
export type PromoteSuccess = SuccessOf<Operations['promoteFork']>;
export type UndoSuccess = SuccessOf<Operations['undoPromotion']>;
export type PickSuccess = SuccessOf<Operations['pickTransaction']>;
export type DiffOptions = Omit<OptionsOf<Operations['diffForks']>, 'derived'>;

/** Sends the message of a call, and reads the response. */
export type Send = (options: ClientOptions, path: string, message: Message) => Promise<unknown>;

export function methodAt(options: ClientOptions, address: string, send: Send) {
  const [method, path = '', ...marks] = address.split(' ');
  const takesMoment = marks.includes('asOf');
  const bodyKind = marks.find((mark) => mark !== 'asOf');
  const parameters = path.match(/:\w+/g) ?? [];
  return (...given: unknown[]) => {
    const values = given.splice(0, parameters.length);
    const body = bodyKind === undefined ? undefined : given.shift();
    const [{ context, fork, signal, ...named } = {}] = given as [(CallOptions & Record<string, unknown>)?];
    const query = takesMoment ? { asOf: options.asOf?.(), ...named } : named;
    const message: Message = {
      method: method as NonNullable<Message['method']>,
      query: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, queryValue(value)])),
      ...(bodyKind === 'json' && { body }),
      ...(bodyKind === 'artifact' && { raw: { contentType: ARTIFACT_CONTENT_TYPE, content: String(body) } }),
      ...(context !== undefined && { context }),
      ...(fork !== undefined && { fork }),
      ...(signal !== undefined && { signal }),
    };
    return send(
      options,
      path.replace(/:\w+/g, () => encodeURIComponent(String(values.shift()))),
      message,
    );
  };
}

const ARTIFACT_CONTENT_TYPE = 'application/vnd.entail.artifact+json';

/** Names are joined by commas, other lists are JSON, and an empty list is left out. */
function queryValue(value: unknown): Query[string] {
  if (!Array.isArray(value)) return value as Query[string];
  if (value.length === 0) return undefined;
  return value.every((each) => typeof each === 'string') ? value.join(',') : JSON.stringify(value);
}
