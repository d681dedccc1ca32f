/**
 * The HTTP surface over a runtime: one Fastify instance whose hooks decide in the order of the API's precedence
 * (access, route, method, capability, size, parse) and whose every failure leaves in the envelope.
 */

import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import fastifySwagger from '@fastify/swagger';
import fastify, { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { ApiError } from '../api/errors.js';
import { errorEnvelopeSchema } from '../api/schemas/schemas.js';
import { RequestCancelled } from '../base/ports.js';
import type { Runtime } from '../world/index.js';
import { createCursors } from '../world/state/cursor.js';
import { closePromptly } from './closing.js';
import { type Access, createAccess } from './http/access.js';
import { createAdmission } from './http/admission.js';
import { completeDocument } from './http/api-document.js';
import { checkDeclaredSize, discardBody, registerBodyParser } from './http/body.js';
import { badRequest, reportFailure } from './http/envelope.js';
import { answerClientError, refuseTunnels } from './http/malformed.js';
import type { RequestHead } from './http/request-head.js';
import { requestIdOf } from './http/request-id.js';
import { compileRequestSchema } from './http/request-schema.js';
import { addCommonHeaders, createResponses, JSON_TYPE } from './http/responses.js';
import { createRouteTable, type RouteTable } from './http/route-table.js';
import { processSlices } from './http/time-slices.js';
import { createTimedOutRequests, type TimedOutRequests } from './http/timed-out-requests.js';
import { allowOf, unrouted } from './http/unrouted.js';
import { noteResponse, type Recorder, skipRecording, startRecording } from './log/recording.js';
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

/** The server, ready to listen. It owns no runtime: whoever made that closes it. */
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
  const onEnd = ({ raw }: FastifyRequest): void => {
    closing.onEnd();
    admission.leave(raw);
  };
  const recorder: Recorder = { runtime, requests, log, onEnd };
  const once = createTimedOutRequests();
  const app = createApp(recorder, access, routes, settings);
  const closing = closePromptly(app);
  const sendingResult = createResponses(settings.limits.timeoutMs);
  app.addHook('onClose', async () => stopErasing());
  app.addHook('onRoute', (route) => {
    routes.add(route.url, route.method);
    route.handler = sendingResult(route.handler);
    // Every route fails in one shape, and says so.
    route.schema = {
      ...route.schema,
      response: { ...(route.schema?.response as object), default: errorEnvelopeSchema },
    };
  });
  // Each hook costs every request something, and one that returns a promise several times as much.
  app.decorateRequest('recording');
  app.decorateRequest('carried');
  app.addHook('onRequest', (request, reply, done) => {
    startRecording(request, reply, recorder);
    admit(request, access, routes, settings);
    refuseAgain(request, once);
    admission.enter(request.raw, () => discardBody(request, done));
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload === 'string') noteResponse(request, [payload]);
    addCommonHeaders(request, reply);
    if (closing.hasBegun) void reply.header('connection', 'close');
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
    ...{ runtime, loader, settings, requests },
    cursors: createCursors(randomBytes(32)),
    collections: createCollectionStore(loader.source?.folder),
    environments: createEnvironmentStore(loader.source?.folder),
    document: () => app.swagger() as ReturnType<ServerContext['document']>,
    startedAtMs: performance.now(),
  };
  registerOperations(app, context, bindings);
  await registerPage(app, settings.page);
  await app.ready();
  return app;
}

function createApp(recorder: Recorder, access: Access, routes: RouteTable, settings: ServerSettings): App {
  const { runtime } = recorder;
  const { arrivalMs = ARRIVAL_MS } = settings;
  const app = fastify({
    // With a logger of its own it would time each request and listen for its end, which our own recording does.
    logger: false,
    logController: new LogController({ disableRequestLogging: true }),
    // Whoever writes a line about a request names it; a logger of its own for each would be made for nothing most of the time.
    childLoggerFactory: () => settings.log,
    genReqId: requestIdOf,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 16_384 },
    bodyLimit: settings.limits.bodyBytes,
    requestTimeout: arrivalMs,
    http: {
      // Node applies neither where this one is the longer.
      headersTimeout: Math.min(60_000, arrivalMs),
      // Node would answer a request without Host itself, and without the envelope.
      requireHostHeader: false,
      connectionsCheckingInterval: Math.min(30_000, arrivalMs),
    },
    rewriteUrl: ({ url, headers }) => originForm(url ?? '/', headers),
    clientErrorHandler: (error, socket) =>
      answerClientError(error, socket, runtime.moduleHash, (head) => refuseMethod(head, access, routes)),
    frameworkErrors: (thrown, request, reply) => {
      startRecording(request, reply, recorder);
      void sendFailure(deniedOr(thrown, request, access), request, reply, runtime);
    },
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(compileRequestSchema);
  // Results are typed by their schemas. Validating each response would cost more than computing it.
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));
  registerBodyParser(app);
  app.server.on('connection', () => processSlices.noteConnection());
  refuseTunnels(app.server, () => runtime.moduleHash);
  // An expectation that we do not know may be ignored (RFC 9110, 10.1.1); Node would answer it without the envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return app;
}

/** A request that has not arrived whole by then never will; without a limit its connection would be held for good. */
const ARRIVAL_MS = 120_000;

/** Throws what the request is refused for before its body is looked at. */
function admit(request: FastifyRequest, access: Access, routes: RouteTable, settings: ServerSettings): void {
  checkHosts(request.raw);
  const { config, url: pattern = '' } = request.routeOptions;
  access.checkPlace(request.headers);
  // The route that was found decides, since one path can be spelt in many ways; where none was, the path itself.
  const isRouted = !request.is404 && isFilled(request.params as Readonly<Record<string, string>>);
  const path = isRouted ? pattern : pathOf(request.raw);
  if (isApiPath(path)) request.capabilities = access.checkToken(request.headers);
  if (!isRouted && !(settings.page !== undefined && isPageRequest(request, path)))
    throw unrouted(path, request.method, routes);
  if (config.capability !== undefined) access.checkCapability(config.capability, request.capabilities);
  checkDeclaredSize(request, settings.limits.bodyBytes);
}

/** What a browser has sent again by itself is answered as before, and is no request of anybody's. */
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

/** Node keeps the first of several; the lines as they came tell (names and values in turn). */
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

/** A target with scheme and host is what proxies are asked for; its host is the one that counts (RFC 9112, 3.2.2). */
function originForm(target: string, headers: IncomingHttpHeaders): string {
  if (target.startsWith('/')) return target;
  const [absolute, host] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
  if (absolute === undefined) return target;
  headers.host = host;
  const rest = target.slice(absolute.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** A method that Node does not know never comes by the router, nor by the hooks; what it is refused for is the same. */
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

/** A path that the router could not read never reached the hooks; access is still told first. */
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
  // The rest of an oversized body is read and dropped; closing under it would reset the connection before the answer is read.
  if (error.code === 'SVC_RUNTIME_REQUEST_TOO_LARGE') void reply.removeHeader('connection');
  const allow = allowOf(error);
  if (allow !== undefined) void reply.header('allow', allow);
  // A path that cannot be read never comes by the hooks.
  addCommonHeaders(request, reply);
  noteResponse(request, [text]);
  return reply.code(error.status).header('content-type', JSON_TYPE).send(text);
}

function isApiPath(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/');
}
