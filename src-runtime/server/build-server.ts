/**
 * Builds the HTTP server of a runtime: one Fastify instance. Its hooks check a request in the order that the API fixes (access,
 * route, method, capability, size, parse), and every failure is sent in the error envelope.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import fastifySwagger from '@fastify/swagger';
import fastify, { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { ApiError } from '../api/errors.js';
import { OPERATIONS } from '../api/operations/index.js';
import { errorEnvelopeSchema } from '../api/schemas/schemas.js';
import { RequestCancelled } from '../base/ports.js';
import type { Runtime } from '../world/index.js';
import { createCursors } from '../world/state/cursor.js';
import { type Access, createAccess } from './http/access.js';
import { createAdmission } from './http/admission.js';
import { completeDocument } from './http/api-document.js';
import { type Arrivals, createArrivals } from './http/arrivals.js';
import { checkDeclaredSize, discardBody, isStream, registerBodyParser } from './http/body.js';
import { badRequest, reportFailure } from './http/envelope.js';
import { refuseTunnels, respondToClientError } from './http/malformed.js';
import type { RequestHead } from './http/request-head.js';
import { requestIdOf } from './http/request-id.js';
import { compileRequestSchema } from './http/request-schema.js';
import { addCommonHeaders, createResponses, JSON_TYPE } from './http/responses.js';
import { createRouteTable, type RouteTable } from './http/route-table.js';
import { processSlices } from './http/time-slices.js';
import { createTimedOutRequests, type TimedOutRequests } from './http/timed-out-requests.js';
import { allowOf, unrouted } from './http/unrouted.js';
import { createMetrics } from './log/metrics.js';
import { noteFailureCode, noteResponse, type Recorder, skipRecording, startRecording } from './log/recording.js';
import { createRequestLog } from './log/request-log.js';
import { pathOf } from './log/request-path.js';
import { createCollectionStore } from './modules/collections.js';
import { createEnvironmentStore } from './modules/environments.js';
import type { ModuleLoader } from './modules/loader.js';
import { BINDINGS } from './operations/bindings.js';
import type { App, ServerContext } from './operations/call.js';
import { registerOperations } from './operations/register-operations.js';
import type { ServerSettings } from './options.js';
import { isPageRequest, registerPage } from './page.js';

/** Builds a server that is ready to listen. The caller closes the runtime. */
export async function buildServer(
  runtime: Runtime,
  loader: ModuleLoader,
  settings: ServerSettings,
  bindings = BINDINGS,
): Promise<App> {
  const tokens = [settings, ...settings.furtherTokens] as const;
  const requests = createRequestLog({ requestsMax: settings.logRequests, secrets: tokens.map(({ token }) => token) });
  const stopErasing = runtime.onErasure(() => requests.eraseBodies());
  const access = createAccess(settings.host, tokens);
  const routes = createRouteTable();
  const { log } = settings;
  const admission = createAdmission();
  const metrics = createMetrics(runtime, settings.version);
  const onEnd: Recorder['onEnd'] = (request, status, code, durationMs) => {
    closing.onEnd();
    admission.leave(request.raw);
    const { operation } = request.routeOptions.config;
    metrics.noteRequest(operation ?? (request.is404 ? 'none' : 'page'), status, code, durationMs);
  };
  const recorder: Recorder = { runtime, requests, log, onEnd };
  const once = createTimedOutRequests();
  const arrivals = createArrivals(() => app.server, settings.arrivalMs ?? ARRIVAL_MS);
  const app = createApp(recorder, access, routes, settings, arrivals);
  const closing = closePromptly(app);
  const sendingResult = createResponses(settings.limits.timeoutMs);
  app.addHook('onClose', async () => {
    stopErasing();
    arrivals.stop();
  });
  app.addHook('onRoute', (route) => {
    routes.add(route.url, route.method);
    route.handler = sendingResult(route.handler);
    // All routes fail with the error envelope, and the OpenAPI document says so.
    route.schema = {
      ...route.schema,
      response: { ...(route.schema?.response as object), default: errorEnvelopeSchema },
    };
  });
  // Every hook costs each request time. One that returns a promise costs several times as much.
  app.decorateRequest('recording');
  app.decorateRequest('carried');
  app.decorateRequest('scope');
  app.addHook('onRequest', (request, reply, done) => {
    startRecording(request, reply, recorder);
    admit(request, access, routes, settings);
    refuseAgain(request, once);
    admission.enter(request.raw, () => {
      arrivals.begin(request.raw, isStream(request));
      discardBody(request, done);
    });
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload === 'string') noteResponse(request, payload);
    addCommonHeaders(request, reply);
    if (closing.hasBegun || settings.draining?.hasBegun === true) void reply.header('connection', 'close');
    done(null, payload);
  });
  app.setErrorHandler((thrown, request, reply) => sendFailure(thrown, request, reply, runtime, once));
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Entail runtime', version: settings.version },
    },
    transform: jsonSchemaTransform,
    transformObject: (document) => completeDocument(jsonSchemaTransformObject(document)),
  });
  const context: ServerContext = {
    ...{ runtime, loader, settings, requests, metrics },
    cursors: createCursors(randomBytes(32)),
    collections: createCollectionStore(loader.source?.folder),
    environments: createEnvironmentStore(loader.source?.folder),
    document: () => app.swagger() as ReturnType<ServerContext['document']>,
    startedAtMs: performance.now(),
    instance: randomUUID(),
  };
  registerOperations(app, context, bindings);
  await registerPage(app, settings.page, settings.projects?.id ?? '');
  await app.ready();
  return app;
}

function createApp(
  recorder: Recorder,
  access: Access,
  routes: RouteTable,
  settings: ServerSettings,
  arrivals: Arrivals,
): App {
  const { runtime } = recorder;
  const { arrivalMs = ARRIVAL_MS } = settings;
  const app = fastify({
    // Fastify's logger would time each request and listen for its end, which the request log does already.
    logger: false,
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines name their request, so a child logger for each request is not needed.
    childLoggerFactory: () => settings.log,
    genReqId: requestIdOf,
    return503OnClosing: false,
    // Otherwise Fastify loads Ajv and a serializer, which the compilers below replace.
    schemaController: { compilersFactory: { buildValidator: replaced, buildSerializer: replaced } },
    routerOptions: { maxParamLength: 16_384 },
    bodyLimit: settings.limits.bodyBytes,
    // Arrivals limit bodies.
    requestTimeout: 0,
    http: {
      headersTimeout: Math.min(60_000, arrivalMs),
      // Node would reject a request without Host itself, without the envelope.
      requireHostHeader: false,
      connectionsCheckingInterval: Math.min(30_000, arrivalMs),
    },
    rewriteUrl: ({ url, headers }) => originForm(url ?? '/', headers),
    clientErrorHandler: (error, socket) =>
      respondToClientError(error, socket, runtime.moduleHash, (head) => refuseMethod(head, access, routes)),
    frameworkErrors: (thrown, request, reply) => {
      startRecording(request, reply, recorder);
      void sendFailure(deniedOr(thrown, request, access), request, reply, runtime);
    },
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(compileRequestSchema);
  // The compiler checks results against their schemas. Validating each response would cost more than computing it.
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));
  registerBodyParser(app, arrivals);
  app.server.on('connection', () => processSlices.noteConnection());
  refuseTunnels(app.server, () => runtime.moduleHash);
  // Unknown expectations may be ignored (RFC 9110, 10.1.1). Node would reject them without the envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return app;
}

function replaced(): never {
  throw new Error('The server sets its own compilers.');
}

/** Time for a request to arrive. Without a limit, a stalled client would hold its connection forever. */
const ARRIVAL_MS = 120_000;

/** Throws if the request is refused for a reason that does not depend on its body. */
function admit(request: FastifyRequest, access: Access, routes: RouteTable, settings: ServerSettings): void {
  checkHosts(request.raw);
  const { config, url: pattern = '' } = request.routeOptions;
  access.checkPlace(request.headers);
  // One path can be spelt in many ways, so the matched route decides. Without a match, the path itself does.
  const isRouted = !request.is404 && isFilled(request.params as Readonly<Record<string, string>>);
  const path = isRouted ? pattern : pathOf(request.raw);
  if (isApiPath(path)) request.capabilities = access.checkToken(request.headers);
  if (!isRouted && !(settings.page !== undefined && isPageRequest(request, path)))
    throw unrouted(path, request.method, routes);
  if (config.capability !== undefined) access.checkCapability(config.capability, request.capabilities);
  checkDeclaredSize(request, settings.limits.bodyBytes);
}

/** Refuses a request that a browser repeats after a timeout, with the error of the first, and does not log it. */
function refuseAgain(request: FastifyRequest, once: TimedOutRequests): void {
  const error = once.errorOf(request);
  if (error === undefined) return;
  skipRecording(request);
  throw error;
}

function isFilled(params: Readonly<Record<string, string>>): boolean {
  for (const name in params) if (params[name] === '') return false;
  return true;
}

/** Reads the raw headers, names and values in turn, because Node keeps only the first Host. */
function checkHosts({ rawHeaders, httpVersion }: Pick<RequestHead, 'rawHeaders' | 'httpVersion'>): void {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (httpVersion === '0.9') throw badRequest('The request has no HTTP version; send it as HTTP/1.1.');
  if (hosts > 1) throw badRequest('The request has several Host headers; send one.');
  if (hosts === 0 && httpVersion === '1.1') {
    throw badRequest('The request has no Host header, which HTTP/1.1 requires.');
  }
}

/** Reduces an absolute target to its path. Its host replaces the Host header (RFC 9112, 3.2.2). */
function originForm(target: string, headers: IncomingHttpHeaders): string {
  if (target.startsWith('/')) return target;
  const [absolute, host] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
  if (absolute === undefined) return target;
  headers.host = host;
  const rest = target.slice(absolute.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The error for a method that Node does not know. Such a request reaches neither router nor hooks. */
function refuseMethod(head: RequestHead, access: Access, routes: RouteTable): ApiError {
  try {
    checkHosts(head);
    access.checkPlace(head.headers);
    const path = pathOf({ url: originForm(head.url, head.headers) });
    if (isApiPath(path)) access.checkToken(head.headers);
    return unrouted(path, head.method, routes);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** The error for a malformed path, which reaches no hooks. Access is checked first, as for other requests. */
function deniedOr(thrown: unknown, request: FastifyRequest, access: Access): unknown {
  try {
    access.checkPlace(request.headers);
    if (isApiPath(pathOf(request.raw))) access.checkToken(request.headers);
    return thrown;
  } catch (denied) {
    return denied;
  }
}

function sendFailure(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  runtime: Runtime,
  once?: TimedOutRequests,
): FastifyReply {
  const { error, text } = reportFailure(thrown, request, runtime);
  if (!(thrown instanceof RequestCancelled)) once?.note(request, error);
  // The rest of an oversized body is read and dropped. Closing now would reset the connection before the client reads the response.
  if (error.code === 'SVC_RUNTIME_REQUEST_TOO_LARGE') void reply.removeHeader('connection');
  const allow = allowOf(error);
  if (allow !== undefined) void reply.header('allow', allow);
  // A malformed path reaches no hooks.
  addCommonHeaders(request, reply);
  noteResponse(request, text);
  noteFailureCode(request, error.code);
  return reply.code(error.status).header('content-type', JSON_TYPE).send(text);
}

const METRICS_PATH = OPERATIONS.metrics.path;

function isApiPath(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/') || path === METRICS_PATH;
}

interface Closing {
  /** Responses then tell their clients to close the connection. */
  readonly hasBegun: boolean;
  /** Called when a request has ended. */
  onEnd(): void;
}

/** How long the first request of a new connection may be under way while the server closes. */
const FIRST_REQUEST_MS = 200;

/** Stops a server as soon as the running requests are answered. An idle keep-alive connection would delay it by a minute. */
function closePromptly(app: App): Closing {
  let hasBegun = false;
  /** Connections without a request so far, which clients open in advance. Node does not count them as idle. */
  const silent = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  app.server.on('request', ({ socket }) => silent.delete(socket));
  app.addHook('preClose', async () => {
    hasBegun = true;
    // Closing resets connections that are not accepted yet, and a balancer does not repeat their writes. Between two turns the server
    // accepts all that are waiting.
    await turn();
    await turn();
    setTimeout(() => {
      for (const socket of silent) socket.destroy();
    }, FIRST_REQUEST_MS).unref();
  });
  return {
    get hasBegun() {
      return hasBegun;
    },
    // A response that was sent before closing began did not close its connection, which is idle now.
    onEnd() {
      if (hasBegun) setImmediate(() => app.server.closeIdleConnections());
    },
  };
}
