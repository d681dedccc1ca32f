/**
 * Records every request when it ends, however it ended: as a log line and in the request log. The request log keeps no tokens, and
 * leaves out the files of the page and the reading of the log itself.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { headerText } from '../../api/headers.js';
import type { PhaseListener } from '../../world/contract/requests.js';
import type { Runtime } from '../../world/index.js';
import type { Log } from '../options.js';
import { type PhaseMarks, phasesOf, WriteTimes } from './phases.js';
import type { HeaderValues, RequestLog } from './request-log.js';
import { pathOf } from './request-path.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined only before the first hook. */
    recording: Recording | undefined;
  }
}

/** What is recorded while a request runs. */
interface Recording extends PhaseMarks {
  readonly startedAtMs: number;
  /** When the handler started, when the result was complete, and when the response was serialized. */
  handledAtMs: number | undefined;
  encodingAtMs: number | undefined;
  answeredAtMs: number | undefined;
  write: WriteTimes | undefined;
  readonly atMs: number;
  readonly erasures: number;
  body: Buffer | string | undefined;
  fork: string | undefined;
  answer: string | undefined;
  /** Of a failure. */
  code: string | undefined;
  /** Of a response without a length. */
  streamedBytes: number;
  isListed: boolean;
}

export interface Recorder {
  readonly runtime: Runtime;
  readonly requests: RequestLog;
  readonly log: Log;
  /** Called when a request is over. */
  onEnd(request: FastifyRequest, status: number, code: string | undefined, durationMs: number): void;
}

/** Must run before anything that may refuse the request. */
export function startRecording(request: FastifyRequest, reply: FastifyReply, recorder: Recorder): void {
  const recording: Recording = {
    startedAtMs: performance.now(),
    handledAtMs: undefined,
    encodingAtMs: undefined,
    answeredAtMs: undefined,
    write: undefined,
    atMs: Date.now(),
    erasures: recorder.requests.erasures,
    body: undefined,
    fork: undefined,
    answer: undefined,
    code: undefined,
    streamedBytes: 0,
    isListed: true,
  };
  request.recording = recording;
  // Follows every response, and also a client that left before its response.
  reply.raw.on('close', () => {
    // The response is already sent, so a fault here can only be logged.
    try {
      endRecording(request, reply, recording, recorder);
    } catch (error) {
      recorder.log.error({ requestId: request.id, err: error }, 'the request could not be logged');
    }
  });
}

/** Keeps the request out of the request log. */
export function skipRecording({ recording }: FastifyRequest): void {
  if (recording !== undefined) recording.isListed = false;
}

/** Measures the phases of a write. A request that writes nothing never calls it, and has no times of a write. */
export function phaseListener({ recording }: FastifyRequest): PhaseListener | undefined {
  if (recording === undefined) return undefined;
  return (phase) => {
    recording.write ??= new WriteTimes();
    recording.write.enter(phase, performance.now());
  };
}

/** Called with the text of the response, or with its first part, when it is serialized. */
export function noteResponse({ recording }: FastifyRequest, text: string): void {
  if (recording === undefined) return;
  recording.answeredAtMs = performance.now();
  recording.answer = text;
}

export function noteFailureCode({ recording }: FastifyRequest, code: string): void {
  if (recording !== undefined) recording.code = code;
}

/** Called with each part of a streamed response: its text, if it is one, and its length. */
export function notePart({ recording }: FastifyRequest, text: string | undefined, bytes: number): void {
  if (recording === undefined) return;
  recording.answeredAtMs ??= performance.now();
  recording.answer ??= text;
  recording.streamedBytes += bytes;
}

/** Called if a streamed response breaks off. The client does not get this text. */
export function noteFailure({ recording }: FastifyRequest, text: string): void {
  if (recording !== undefined) recording.answer = text;
}

function endRecording(request: FastifyRequest, reply: FastifyReply, recording: Recording, recorder: Recorder): void {
  const { requests } = recorder;
  const { raw, statusCode: status } = reply;
  const { method, id: requestId } = request;
  const endedAtMs = performance.now();
  const durationMs = endedAtMs - recording.startedAtMs;
  recorder.onEnd(request, status, recording.code, durationMs);
  if (raw.writableFinished) {
    recorder.log.info({ requestId, method, path: pathOf(request.raw), status, ms: Math.round(durationMs) }, 'answered');
  }
  if (!requests.isOn || !recording.isListed || !isListed(request, status)) return;
  const { body, answer } = recording;
  const client = request.headers['x-entail-client'];
  requests.note(
    {
      requestId,
      atMs: recording.atMs,
      method,
      path: beginning(request.raw.url ?? '/', PATH_CHARACTERS_MAX),
      status,
      durationMs,
      phases: phasesOf(recording, endedAtMs),
      code: status < 400 ? undefined : /^\{"error":\{"code":"([A-Z_]+)"/.exec(answer ?? '')?.[1],
      fork: recording.fork ?? forkOfPath(request),
      tenant: tenantOf(request),
      subject: subjectOf(request.body),
      client: typeof client === 'string' ? beginning(client, NAME_CHARACTERS_MAX) : undefined,
      bytes: Number(reply.getHeader('content-length') ?? recording.streamedBytes),
      unfinished: !raw.writableFinished,
      moduleHash: recorder.runtime.moduleHash,
      headers: requestHeaders(request),
      answerHeaders: answerHeaders(reply, answer !== undefined),
      erasures: recording.erasures,
    },
    { body, answer },
  );
}

/** Failed requests, probes, and requests to the API other than reading the request log. */
function isListed({ raw: { url = '' } }: FastifyRequest, status: number): boolean {
  if (status >= 400) return true;
  if (url.startsWith('/v1/')) return !url.startsWith('/v1/requests') || !/^\/v1\/requests([/?]|$)/.test(url);
  return url === '/healthz' || url === '/readyz';
}

const PATH_CHARACTERS_MAX = 2_048;
const NAME_CHARACTERS_MAX = 64;

/** The fork in the path, for a request that failed before its fork was read. */
function forkOfPath({ params }: FastifyRequest): string | undefined {
  const { fork } = (params ?? {}) as { readonly fork?: string };
  return fork;
}

/** The tenant that the request names, whether or not the module declares one. */
function tenantOf({ headers, body }: FastifyRequest): string | undefined {
  const { context } = (body ?? {}) as { readonly context?: { readonly tenantId?: unknown } | null };
  const header = headers['x-tenant-id'];
  const named = typeof header === 'string' && header !== '' ? headerText(header) : context?.tenantId;
  return typeof named === 'string' && named !== '' ? beginning(named, PATH_CHARACTERS_MAX) : undefined;
}

/** The callable of a dispatch or import, or the relation of an explanation. */
function subjectOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { path, relation, mutation } = body as Readonly<Record<string, unknown>>;
  const named = path ?? relation ?? mutation;
  return typeof named === 'string' ? beginning(named, PATH_CHARACTERS_MAX) : undefined;
}

function beginning(text: string, charactersMax: number): string {
  return text.length > charactersMax ? text.slice(0, charactersMax) : text;
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

function requestHeaders({ headers }: FastifyRequest): HeaderValues {
  const kept: string[] = [];
  for (const name in headers) {
    if (!REQUEST_HEADERS.has(name) && !name.startsWith('x-context-')) continue;
    const value = headers[name];
    if (typeof value === 'string') kept.push(name, beginning(value, PATH_CHARACTERS_MAX));
  }
  return kept;
}

const ANSWER_HEADERS = ['allow', 'content-type'];

/** Most responses have only these, and share them. */
const JSON_HEADERS: HeaderValues = ['content-type', 'application/json; charset=utf-8'];

function answerHeaders(reply: FastifyReply, isText: boolean): HeaderValues {
  const type = reply.getHeader('content-type');
  if (isText && reply.statusCode < 300 && (type === undefined || type === JSON_HEADERS[1])) return JSON_HEADERS;
  const kept: string[] = [];
  for (const name of ANSWER_HEADERS) {
    const value = reply.getHeader(name);
    if (value !== undefined) kept.push(name, String(value));
  }
  return kept;
}
