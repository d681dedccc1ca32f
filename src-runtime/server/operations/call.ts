/** One request of an operation: its validated parts, the scope that it runs in, and its deadline. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { KEY_HEADER } from '../../api/headers.js';
import type { OperationDefinition } from '../../api/operations/define-operation.js';
import type { Capability } from '../../api/schemas/health-schemas.js';
import { momentIn } from '../../api/schemas/moment.js';
import { canonicalHash } from '../../base/canonical.js';
import type { Deadline, MaybePromise } from '../../base/ports.js';
import { MAIN_FORK } from '../../storage/event-store.js';
import type { ImportRows, Paging, RequestFrame, RequestKey } from '../../world/contract/requests.js';
import { type Runtime, runRead, runWrite, type Session } from '../../world/index.js';
import type { Cursors } from '../../world/state/cursor.js';
import {
  cancellationOf,
  createDeadline,
  createTimeBudget,
  type RequestDeadline,
  type TimeBudget,
} from '../http/deadline.js';
import { badRequest } from '../http/envelope.js';
import { type FrameBody, requestFrame } from '../http/request-frame.js';
import type { Metrics } from '../log/metrics.js';
import type { RequestLog } from '../log/request-log.js';
import type { CollectionStore } from '../modules/collections.js';
import type { EnvironmentStore } from '../modules/environments.js';
import type { ModuleLoader } from '../modules/loader.js';
import type { ServerSettings } from '../options.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The capabilities of its token. Not set outside the API, which needs no token. */
    capabilities: readonly Capability[];
  }
}

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export interface ServerContext {
  readonly runtime: Runtime;
  readonly loader: ModuleLoader;
  readonly settings: ServerSettings;
  readonly requests: RequestLog;
  readonly metrics: Metrics;
  /** Authenticates the cursors of lists that the server itself keeps. */
  readonly cursors: Cursors;
  readonly collections: CollectionStore;
  readonly environments: EnvironmentStore;
  /** The OpenAPI document. */
  readonly document: () => { readonly openapi: '3.1.0' };
  readonly startedAtMs: number;
  /** Identifies this start of the server. */
  readonly instance: string;
}

/** The argument of an operation's handler. */
export type Call<O extends OperationDefinition> = CallParts<O> & (O['runsOn'] extends 'server' ? unknown : ScopedCall);

interface CallParts<O extends OperationDefinition> {
  readonly context: ServerContext;
  readonly params: Parsed<O, 'params'>;
  readonly query: Parsed<O, 'query'>;
  readonly body: Parsed<O, 'body'>;
  /** Empty unless the query string takes `limit` and `page`. */
  readonly paging: Paging;
  /** The capabilities of the token. */
  readonly capabilities: readonly Capability[];
  /** The deadline of the request, counted from the first call of this. Ends early if the client disconnects. */
  deadline(): Deadline;
  /** The time of the request, counted from now and shared out among pieces of its work. */
  timeBudget(): TimeBudget;
}

interface ScopedCall {
  /** The context and fork that the request names. */
  readonly frame: RequestFrame;
  /** Its Idempotency-Key, if it has one and the operation takes one. Throws VALIDATION_FAILED for a malformed key. */
  readonly requestKey: RequestKey | undefined;
  /** The rows of a body of JSON lines. Reading a block of them gives the request its whole time again. */
  readonly lines: ImportRows | undefined;
  /** Enters the scope and the fork of the request, and works there. */
  run<T>(work: (session: Session) => MaybePromise<T>): MaybePromise<T>;
}

type Parsed<O, Part extends string> = O extends { readonly [Key in Part]: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : unknown;

/** One class for all operations: a request makes one object and no closures. */
export class RequestCall {
  readonly context: ServerContext;
  readonly paging: Paging;
  private readonly operation: OperationDefinition;
  private readonly request: FastifyRequest;
  private started: RequestDeadline | undefined;

  /** Throws VALIDATION_FAILED for a page size out of range. */
  constructor(context: ServerContext, operation: OperationDefinition, request: FastifyRequest) {
    this.context = context;
    this.operation = operation;
    this.request = request;
    this.paging = pagingOf(context, request.query as Partial<Paging>);
  }

  get params(): unknown {
    return this.request.params;
  }

  get query(): unknown {
    return this.request.query;
  }

  get body(): unknown {
    return this.request.body;
  }

  get lines(): ImportRows | undefined {
    const { lines } = this.request;
    if (lines !== undefined) lines.onBlock = () => this.started?.renew();
    return lines;
  }

  get capabilities(): readonly Capability[] {
    return this.request.capabilities;
  }

  get frame(): RequestFrame {
    const frame = requestFrame(this.request, (this.body ?? {}) as FrameBody);
    if (this.operation.runsOn === 'scope') return { ...frame, forks: [] };
    const { asOf } = this.request.query as { readonly asOf?: string };
    return this.operation.readsPast !== true || asOf === undefined ? frame : { ...frame, asOf: momentIn(asOf) };
  }

  get requestKey(): RequestKey | undefined {
    const key = this.request.headers[KEY_HEADER];
    if (key === undefined || this.operation.takesKey !== true) return undefined;
    if (typeof key !== 'string' || !/^[!-~]{1,255}$/.test(key)) {
      throw badRequest('The Idempotency-Key must have 1 to 255 characters from "!" to "~".', { header: KEY_HEADER });
    }
    const { headerContext, bodyContext, forks } = this.frame;
    const place = { headerContext, bodyContext, fork: forks[0]?.fork ?? MAIN_FORK };
    return { key, request: canonicalHash([this.operation.path, place, this.query, this.body]) };
  }

  run<T>(work: (session: Session) => MaybePromise<T>): MaybePromise<T> {
    const { runtime } = this.context;
    let runs = 0;
    const inScope = (session: Session): MaybePromise<T> => {
      this.request.scope = session.scope;
      if (runs++ > 0) this.context.metrics.noteRerun();
      return work(session);
    };
    return (this.operation.writes ? runWrite : runRead)(runtime, this.frame, inScope);
  }

  deadline(): Deadline {
    // A write that runs again under a new module has no more time than before.
    this.started ??= createDeadline(this.context.settings.limits.timeoutMs, {
      isCancelled: cancellationOf(this.request),
    });
    return this.started;
  }

  /** Gives the next part of a stream the whole time of a request. */
  renewDeadline(): void {
    this.started?.renew();
  }

  timeBudget(): TimeBudget {
    return createTimeBudget(this.context.settings.limits.timeoutMs, cancellationOf(this.request));
  }
}

function pagingOf({ settings }: ServerContext, { limit, page }: Partial<Paging>): Paging {
  const { rows } = settings.limits;
  if (limit !== undefined && (limit < 1 || limit > rows)) {
    throw badRequest(`Expected a number from 1 to ${rows}, got ${limit} ($.limit).`, { path: '$.limit' });
  }
  return { limit, page };
}
