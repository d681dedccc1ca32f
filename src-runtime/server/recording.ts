/**
 * Notes every request of the API in the request log as its answer goes out, whoever made it and however it ended. Tokens
 * are not among the headers that are kept; neither is what the page itself consists of, nor who reads the log.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { headerText } from '../api/headers.js';
import type { Runtime } from '../world/runtime.js';
import type { EndedRequest, RequestLog } from './request-log.js';
import type { App } from './server-context.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent while the log is off. */
    recording?: Recording;
  }
}

/** What is learnt of a request on its way. */
interface Recording {
  readonly startedAtMs: number;
  readonly at: number;
  readonly erasures: number;
  body: Buffer | undefined;
  fork: string | undefined;
  answer: string | undefined;
}

/** Must be registered before whatever may refuse a request. */
export function registerRecording(app: App, runtime: Runtime, log: RequestLog): void {
  app.decorateRequest('recording');
  if (log.state.requestsMax === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    startRecording(request, reply, runtime, log);
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (typeof payload === 'string') noteAnswer(request, payload);
    done(null, payload);
  });
}

/** For requests that no hook sees, too. */
export function startRecording(request: FastifyRequest, reply: FastifyReply, runtime: Runtime, log: RequestLog): void {
  if (log.state.requestsMax === 0) return;
  const { erasures } = log;
  const recording: Recording = {
    startedAtMs: performance.now(),
    at: Date.now(),
    erasures,
    body: undefined,
    fork: undefined,
    answer: undefined,
  };
  request.recording = recording;
  // Comes after every answer, and also where the client is gone before it.
  reply.raw.once('close', () => {
    // Nobody is there any more to whom a fault here could be told; it must not end the server.
    try {
      if (!isListed(request, reply)) return;
      if (reply.statusCode < 300 && recording.answer?.includes(FORGETTING) === true) log.eraseBodies();
      log.note(endedRequest(request, reply, recording, runtime.moduleHash));
    } catch (error) {
      request.log.error({ err: error }, 'the request could not be logged');
    }
  });
}

export function noteAnswer({ recording }: FastifyRequest, text: string): void {
  if (recording !== undefined) recording.answer = text;
}

/** As it stands in the answer of whatever forgot an individual. */
const FORGETTING = '"kind":"forgetIndividual"';

/** Whatever fails, and of the rest the API but for this log. */
function isListed({ raw: { url = '' } }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  if (statusCode >= 400) return true;
  if (url.startsWith('/v1/')) return !/^\/v1\/requests([/?]|$)/.test(url);
  return url === '/healthz' || url === '/readyz';
}

function endedRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { startedAtMs, at, erasures, body, fork, answer }: Recording,
  moduleHash: string,
): EndedRequest {
  const { raw, statusCode } = reply;
  const code = statusCode < 400 ? undefined : /^\{"error":\{"code":"([A-Z_]+)"/.exec(answer ?? '')?.[1];
  const ranOn = fork ?? forkOfPath(request);
  const subject = subjectOf(request.body);
  const client = request.headers['x-entail-client'];
  return {
    requestId: request.id,
    at: new Date(at).toISOString(),
    method: request.method,
    path: (request.raw.url ?? '/').slice(0, PATH_CHARACTERS_MAX),
    status: statusCode,
    ms: Math.round((performance.now() - startedAtMs) * 100) / 100,
    ...(code !== undefined && { code }),
    ...(ranOn !== undefined && { fork: ranOn }),
    ...(subject !== undefined && { subject }),
    ...(typeof client === 'string' && { client: client.slice(0, NAME_CHARACTERS_MAX) }),
    bytes: answer === undefined ? 0 : Buffer.byteLength(answer),
    ...(!raw.writableFinished && { unfinished: true }),
    moduleHash,
    headers: requestHeaders(request),
    answerHeaders: answerHeaders(reply),
    body,
    answer,
    erasures,
  };
}

const PATH_CHARACTERS_MAX = 2_048;
const NAME_CHARACTERS_MAX = 64;

/** Where a request failed before it was asked where it runs. */
function forkOfPath({ params }: FastifyRequest): string | undefined {
  const { fork } = (params ?? {}) as { readonly fork?: string };
  return fork;
}

/** A dispatch names a callable, an explanation a relation, an ad-hoc text is one of its own. */
function subjectOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { path, relation } = body as { readonly path?: unknown; readonly relation?: unknown };
  const named = path ?? relation;
  return typeof named === 'string' ? named.slice(0, PATH_CHARACTERS_MAX) : undefined;
}

const REQUEST_HEADERS = new Set([
  'accept',
  'content-length',
  'content-type',
  'last-event-id',
  'user-agent',
  'x-entail-client',
  'x-fork-id',
  'x-principal-id',
  'x-tenant-id',
]);

function requestHeaders({ headers }: FastifyRequest): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value !== 'string') continue;
    if (REQUEST_HEADERS.has(name) || name.startsWith('x-context-'))
      kept[name] = textOf(value).slice(0, PATH_CHARACTERS_MAX);
  }
  return kept;
}

/** Most are plain, and reading bytes as UTF-8 is not for nothing. */
function textOf(header: string): string {
  return /^[ -~]*$/.test(header) ? header : headerText(header);
}

const ANSWER_HEADERS = ['allow', 'content-type'];

function answerHeaders(reply: FastifyReply): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of ANSWER_HEADERS) {
    const value = reply.getHeader(name);
    if (value !== undefined) kept[name] = String(value);
  }
  return kept;
}
