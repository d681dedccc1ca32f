/** Registers the routes of every operation: its paths, its schemas, and a handler that calls its binding. */

import type { FastifyRequest, preValidationHookHandler, RouteHandlerMethod } from 'fastify';
import { z } from 'zod';
import { ARTIFACT, type OperationDefinition } from '../../api/operations/define-operation.js';
import { OPERATIONS, pathsOf } from '../../api/operations/index.js';
import { forkParams } from '../../api/operations/parameters.js';
import type { Capability } from '../../api/schemas/health-schemas.js';
import { successSchema } from '../../api/schemas/schemas.js';
import { ROW_TYPES } from '../../api/tables/row-form.js';
import { andThen } from '../../base/ports.js';
import { ARTIFACT_CONTENT_TYPE, type BodyKind } from '../http/body.js';
import { badRequest } from '../http/envelope.js';
import { METRICS_TYPE } from '../log/metrics.js';
import type { AnyBinding, Bindings } from './binding.js';
import { type App, RequestCall, type ServerContext } from './call.js';
import { createLiveStreams, type LiveStreams, lastEventId, wantsStream } from './live-streams.js';
import {
  acceptedRows,
  createTextStreams,
  individualsIn,
  rowBindingOf,
  rowParts,
  type TextStreams,
} from './row-streams.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    capability?: Capability;
    /** The name of its operation. */
    operation?: string;
    body?: BodyKind;
  }
}

const LINES_CONTENT_TYPE = 'application/x-ndjson';

export function registerOperations(app: App, context: ServerContext, bindings: Bindings): void {
  const streams = createLiveStreams(app, context.runtime);
  const texts = createTextStreams(app, context.runtime, context.settings.limits.timeoutMs);
  for (const [name, operation] of Object.entries<OperationDefinition>(OPERATIONS)) {
    const binding = bindings[name as keyof Bindings] as AnyBinding;
    const handler = withRows(
      handlerOf(operation, binding, context, { streams, texts }),
      name,
      operation,
      context,
      texts,
    );
    for (const url of pathsOf(operation)) {
      app.route({
        method: operation.method,
        url,
        config: {
          operation: name,
          ...(operation.capability !== null && { capability: operation.capability }),
          ...(operation.body === ARTIFACT && { body: ARTIFACT }),
          ...(operation.takesLines === true && { body: 'rows' }),
        },
        schema: schemaOf(operation, url),
        ...(operation.readsPast !== true && { preValidation: refuseAsOf }),
        handler,
      });
    }
  }
}

/** An operation without a query string would ignore it, and act on the present. */
const refuseAsOf: preValidationHookHandler = ({ query }, _reply, done) => {
  const message = '"asOf" reads the past, which cannot be changed; omit it to act on the present.';
  done('asOf' in (query as object) ? badRequest(message, { path: '$.asOf' }) : undefined);
};

function schemaOf(operation: OperationDefinition, url: string) {
  const { summary, description, query, body } = operation;
  const params = operation.params ?? (url.includes('/:fork/') ? forkParams : undefined);
  return {
    summary,
    ...(description !== undefined && { description }),
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body: body === ARTIFACT ? z.unknown() : body }),
    ...(body === ARTIFACT && { consumes: [ARTIFACT_CONTENT_TYPE] }),
    response: responsesOf(operation),
  };
}

function responsesOf({ response, query, streamsRows }: OperationDefinition): Record<number, unknown> {
  const { kind, result, beside } = response;
  if (kind === 'text') return { 200: { content: { 'text/plain': { schema: z.string() } } } };
  if (kind === 'lines') return { 200: { content: { [LINES_CONTENT_TYPE]: { schema: z.string() } } } };
  if (kind === 'document') return { 200: result };
  const body = beside === undefined ? successSchema(result) : successSchema(result, beside);
  if (kind === 'created') return query?.shape['dryRun'] === undefined ? { 201: body } : { 200: body, 201: body };
  const streamed = kind === 'pageOrStream' ? ['text/event-stream'] : streamsRows ? Object.values(ROW_TYPES) : [];
  if (streamed.length === 0) return { 200: body };
  const texts = streamed.map((type) => [type, { schema: z.string() }]);
  return { 200: { content: { 'application/json': { schema: body }, ...Object.fromEntries(texts) } } };
}

function handlerOf(
  operation: OperationDefinition,
  binding: AnyBinding,
  context: ServerContext,
  { streams, texts }: { readonly streams: LiveStreams; readonly texts: TextStreams },
): RouteHandlerMethod {
  const bodyOf = bodyMaker(operation, context);
  const { kind, stream } = operation.response;
  return (request, reply) => {
    if (kind === 'lines' && typeof binding === 'function') {
      const lines = binding(new RequestCall(context, operation, request)) as AsyncGenerator<string, void, undefined>;
      return texts.send(request, reply, LINES_CONTENT_TYPE, lines);
    }
    if (typeof binding !== 'function' && stream !== undefined && wantsStream(request, stream.pageOnly)) {
      const afterSeq = lastEventId(request, stream.row);
      const feed = binding.stream(new RequestCall(context, operation, request), afterSeq);
      return andThen(feed, (opened) => streams.send(request, reply, opened));
    }
    const answer = typeof binding === 'function' ? binding : binding.page;
    // Most results are synchronous. A promise would cost a good part of the request.
    return andThen(answer(new RequestCall(context, operation, request)), (value) => {
      if (kind === 'text') void reply.type(METRICS_TYPE);
      if (kind === 'created' && !isDryRun(request)) void reply.code(201);
      return bodyOf(value, request);
    });
  };
}

/** Streams rows if the request accepts them rather than JSON. */
function withRows(
  handler: RouteHandlerMethod,
  name: string,
  operation: OperationDefinition,
  context: ServerContext,
  texts: TextStreams,
): RouteHandlerMethod {
  const binding = rowBindingOf(name, operation);
  if (binding === undefined) return handler;
  return function (request, reply) {
    const form = acceptedRows(request);
    if (form === undefined) return handler.call(this, request, reply);
    const call = new RequestCall(context, operation, request);
    return andThen(binding(call, individualsIn(form)), (rows) =>
      texts.send(request, reply, ROW_TYPES[form], rowParts(rows, form, call)),
    );
  };
}

function isDryRun({ query }: FastifyRequest): boolean {
  return (query as { readonly dryRun?: boolean }).dryRun === true;
}

/** Adds the fields that every success body has beside its result. */
function bodyMaker({ response }: OperationDefinition, { runtime }: ServerContext) {
  const { kind, beside } = response;
  return (value: unknown, { id: requestId }: FastifyRequest): unknown => {
    if (kind === 'document' || kind === 'text') return value;
    const { moduleHash } = runtime;
    if (beside === undefined) return { result: value, requestId, moduleHash };
    return { ...(value as object), requestId, moduleHash };
  };
}
