/**
 * The request log: the last requests in memory, bounded in number and bytes. Requests are added when they end. Nothing here knows
 * HTTP.
 */

import { randomUUID } from 'node:crypto';
import { contextFieldOfHeader, headerText } from '../../api/headers.js';
import { hasWords, isOwnReading, matchesRequest, textsOf } from '../../api/request-filter.js';
import {
  PHASES,
  type RecordedBody,
  type RequestDetail,
  type RequestFilter,
  type RequestLogState,
  type RequestSummary,
} from '../../api/schemas/request-log.js';
import { bareRecord } from '../../base/bare-record.js';
import { briefArguments } from './brief-arguments.js';
import { phaseList } from './phases.js';
import { Linked, Recent } from './recent.js';
import { TextBuffer } from './text-buffer.js';
import { createCleaning } from './without-secrets.js';

/** A longer body is cut. */
export const BODY_CHARACTERS_MAX = 65_536;

/** A log full of large bodies holds fewer requests. */
const LOG_BYTES_MAX = 16 * 1024 * 1024;

export interface RequestLogOptions {
  /** 0 turns the log off. */
  readonly requestsMax: number;
  readonly bytesMax?: number;
  /** The tokens of the server, which are removed. */
  readonly secrets: readonly string[];
}

/** A request that has ended. It is formatted when the log is read. */
export interface EndedRequest {
  readonly requestId: string;
  /** Its arrival, in milliseconds since the epoch. */
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** In the order of `PHASES`; -1 for a phase that it did not have. */
  readonly phases: readonly number[];
  readonly code: string | undefined;
  readonly fork: string | undefined;
  readonly tenant: string | undefined;
  readonly subject: string | undefined;
  readonly client: string | undefined;
  readonly unfinished: boolean;
  readonly moduleHash: string;
  readonly headers: HeaderValues;
  readonly answerHeaders: HeaderValues;
  /** Length of the response. */
  readonly bytes: number;
  /** The value of `erasures` when the request arrived. */
  readonly erasures: number;
}

/** The bodies of request and response: whole, or a prefix longer than the log keeps. */
export interface EndedBodies {
  readonly body: string | Buffer | undefined;
  readonly answer: string | undefined;
}

/** Names in lower case and values in turn. */
export type HeaderValues = readonly string[];

export interface RequestLog {
  /** False if the log is turned off. */
  readonly isOn: boolean;
  readonly state: RequestLogState;
  /** How many times bodies were erased. */
  readonly erasures: number;
  note(request: EndedRequest, bodies: EndedBodies): void;
  /** Calls back after each request, until the returned function is called. */
  onNote(callback: () => void): () => void;
  /** Newest first; only those below `beforeSeq` and above `afterSeq`. */
  list(
    filter: RequestFilter,
    range: { readonly beforeSeq: number; readonly afterSeq: number },
  ): Iterable<RequestSummary>;
  /** The newest request with this id. */
  find(requestId: string): RequestDetail | undefined;
  /** Drops all bodies, also those of requests that are still running. */
  eraseBodies(): void;
}

/** A request in the log. Its memory is reused for another once it is dropped. */
class LogEntry extends Linked {
  seq = 0;
  atMs = 0;
  durationMs = 0;
  method = '';
  status = 0;
  bytes = 0;
  unfinished = false;
  isOwnReading = false;
  isErased = false;
  moduleHash = '';
  answerHeaders: HeaderValues = [];
  /** Length of a body that is kept in part; -1 if it is whole. */
  bodyBytes = -1;
  answerBytes = -1;
  readonly phases = new Float64Array(PHASES.length);
  /** In the order of `Words`. */
  readonly texts = new TextBuffer();
}

export function createRequestLog({ requestsMax, bytesMax = LOG_BYTES_MAX, secrets }: RequestLogOptions): RequestLog {
  const id = randomUUID();
  const recent = new Recent<LogEntry>();
  let lastSeq = 0;
  let erasures = 0;
  const followers = new Set<() => void>();
  const clean = createCleaning(secrets);

  /** The workbench’s own reads, by path. Only the last of each is kept, because they would push out other requests. */
  const ownReadings = new Map<string, LogEntry>();

  /** Removes a request, so that its memory can be reused. */
  function drop(entry: LogEntry): LogEntry {
    recent.remove(entry);
    if (entry.isOwnReading) ownReadings.delete(textsOfEntry(entry).path);
    return entry;
  }

  function vacant(request: EndedRequest): LogEntry {
    const last = isOwnReading(request) ? ownReadings.get(clean(request.path)) : undefined;
    if (last !== undefined) return drop(last);
    return recent.oldest === undefined || recent.count < requestsMax ? new LogEntry() : drop(recent.oldest);
  }

  return {
    isOn: requestsMax > 0,
    get state() {
      return { id, lastSeq, requestsMax };
    },
    get erasures() {
      return erasures;
    },
    note(request, bodies) {
      if (requestsMax === 0) return;
      lastSeq += 1;
      const entry = vacant(request);
      fillIn(entry, lastSeq, request, request.erasures === erasures ? bodies : undefined, clean);
      if (entry.isOwnReading) ownReadings.set(clean(request.path), entry);
      recent.add(entry);
      while (recent.oldest !== undefined && recent.size > bytesMax) drop(recent.oldest);
      for (const callback of followers) callback();
    },
    onNote(callback) {
      followers.add(callback);
      return () => followers.delete(callback);
    },
    *list(filter, { beforeSeq, afterSeq }) {
      for (const entry of recent.entries()) {
        if (entry.seq <= afterSeq) return;
        if (entry.seq >= beforeSeq) continue;
        const summary = summaryOf(entry);
        if (matchesRequest(summary, filter) && hasContent(entry, filter.content)) yield summary;
      }
    },
    find(requestId) {
      for (const entry of recent.entries()) if (textsOfEntry(entry).requestId === requestId) return detailOf(entry);
      return undefined;
    },
    eraseBodies() {
      erasures += 1;
      for (const entry of recent.entries()) {
        const { body, answer, ...rest } = textsOfEntry(entry);
        storeTexts(entry, { ...rest, body: undefined, answer: undefined });
        recent.resize(entry, sizeOf(entry));
        entry.isErased = true;
      }
    },
  };
}

function hasContent(entry: LogEntry, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  const { requestId, path, subject = '', client = '', body = '', answer = '', headers } = textsOfEntry(entry);
  return hasWords([...textsOf({ requestId, path, subject, client }), body, answer, ...contextOf(headers)], wanted);
}

/** Context fields in headers, which are searched like those in the body. */
function contextOf(headers: HeaderValues): string[] {
  const pairs = Object.entries(headersOf(headers));
  return pairs.flatMap(([name, value]) => (contextFieldOfHeader(name) === undefined ? [] : [value]));
}

/** Rough size of a request without its texts. */
const ENTRY_BYTES = 512;

type Clean = (text: string) => string;

function fillIn(
  entry: LogEntry,
  seq: number,
  request: EndedRequest,
  bodies: EndedBodies | undefined,
  clean: Clean,
): void {
  const { requestId, path, code, fork, tenant, subject, client, headers } = request;
  entry.seq = seq;
  entry.atMs = request.atMs;
  entry.durationMs = request.durationMs;
  entry.phases.set(request.phases);
  entry.method = request.method;
  entry.status = request.status;
  entry.bytes = request.bytes;
  entry.unfinished = request.unfinished;
  entry.isOwnReading = isOwnReading(request);
  entry.isErased = bodies === undefined;
  entry.moduleHash = request.moduleHash;
  entry.answerHeaders = request.answerHeaders;
  const { body, answer } = bodies ?? NO_BODIES;
  entry.bodyBytes = bytesOfLong(body);
  // The text may be a prefix, so its length is not that of the response.
  entry.answerBytes = bytesOfLong(answer) < 0 ? -1 : request.bytes;
  const sent = truncatedBody(body, clean);
  const answered = truncatedBody(answer, clean);
  const names = {
    requestId: clean(requestId),
    path: clean(path),
    code,
    fork: fork && clean(fork),
    tenant: tenant && clean(tenant),
    subject: subject && clean(subject),
    client: client && clean(client),
  };
  storeTexts(entry, { ...names, body: sent, answer: answered, headers: headers.map(clean) });
  entry.size = sizeOf(entry);
}

function sizeOf({ texts }: LogEntry): number {
  return ENTRY_BYTES + texts.size;
}

const NO_BODIES: EndedBodies = { body: undefined, answer: undefined };

/** Length of a body that is too long to be kept whole; -1 of a shorter one. */
function bytesOfLong(body: string | Buffer | undefined): number {
  return body === undefined || body.length <= BODY_CHARACTERS_MAX ? -1 : Buffer.byteLength(body);
}

/** The part of a body that is kept. */
function truncatedBody(body: string | Buffer | undefined, clean: Clean): string | undefined {
  if (body === undefined || body.length === 0) return undefined;
  if (body.length <= BODY_CHARACTERS_MAX) return clean(body.toString());
  const end = CHARACTERS_READ_MAX;
  const beginning = clean(typeof body === 'string' ? body.slice(0, end) : body.toString('utf8', 0, end));
  return beginning.slice(0, BODY_CHARACTERS_MAX);
}

/** Longer than any token in a header. */
const SECRET_MARGIN = 16_384;

/** Characters of a body that are read. A cut must not leave half of a secret, so a little more is cleaned before the cut. */
export const CHARACTERS_READ_MAX = BODY_CHARACTERS_MAX + SECRET_MARGIN;

interface EntryTexts {
  readonly requestId: string;
  /** Without secrets. */
  readonly path: string;
  readonly code: string | undefined;
  readonly fork: string | undefined;
  readonly tenant: string | undefined;
  readonly subject: string | undefined;
  readonly client: string | undefined;
  /** Bodies, or prefixes of them. */
  readonly body: string | undefined;
  readonly answer: string | undefined;
  readonly headers: HeaderValues;
}

function storeTexts({ texts }: LogEntry, words: EntryTexts): void {
  const { requestId, path, code, fork, tenant, subject, client, body, answer, headers } = words;
  texts.store([requestId, path, code, fork, tenant, subject, client, body, answer], headers);
}

function textsOfEntry({ texts }: LogEntry): EntryTexts {
  const [requestId = '', path = '', code, fork, tenant, subject, client, body, answer, ...headers] = texts.texts();
  return { requestId, path, code, fork, tenant, subject, client, body, answer, headers: headers as string[] };
}

function summaryOf(entry: LogEntry): RequestSummary {
  const { atMs, method, status, durationMs, bytes, unfinished, seq } = entry;
  const { requestId, path, code, fork, tenant, subject, client, body } = textsOfEntry(entry);
  const args = briefArguments(body);
  return {
    requestId,
    at: new Date(atMs).toISOString(),
    method,
    path,
    status,
    ms: Math.round(durationMs * 100) / 100,
    ...(code !== undefined && { code }),
    ...(fork !== undefined && { fork }),
    ...(tenant !== undefined && { tenant }),
    ...(subject !== undefined && { subject }),
    ...(args !== undefined && { args }),
    ...(client !== undefined && { client }),
    bytes,
    ...(unfinished && { unfinished: true }),
    seq,
  };
}

function detailOf(entry: LogEntry): RequestDetail {
  const { bodyBytes, answerBytes, isErased, moduleHash, answerHeaders } = entry;
  const { body, answer, headers } = textsOfEntry(entry);
  return {
    ...summaryOf(entry),
    phases: phaseList(entry.phases),
    moduleHash,
    headers: headersOf(headers),
    answerHeaders: pairsOf(answerHeaders),
    body: recorded(body, bodyBytes),
    answer: recorded(answer, answerBytes),
    ...(isErased && { erased: true }),
  };
}

/** `bytes` is the length of the whole body if the text is a prefix, otherwise -1. */
function recorded(text: string | undefined, bytes: number): RecordedBody | null {
  if (text === undefined) return null;
  return bytes < 0 ? { text, bytes: Buffer.byteLength(text), cut: false } : { text, bytes, cut: true };
}

/** Raw header values, decoded as text. */
function headersOf(values: HeaderValues): Record<string, string> {
  return pairsOf(values.map((value, at) => (at % 2 === 0 ? value : headerText(value))));
}

function pairsOf(values: HeaderValues): Record<string, string> {
  const pairs = bareRecord<string>();
  for (let at = 0; at < values.length; at += 2) pairs[values[at] ?? ''] = values[at + 1] ?? '';
  return pairs;
}
