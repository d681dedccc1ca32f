/**
 * The last requests that the server answered, in memory: so many of them, and so many bytes, whichever is reached first.
 * What a request was is noted as it ends; nothing here knows HTTP.
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
import { KeptTexts } from './kept-texts.js';
import { toldPhases } from './phases.js';
import { Linked, Recent } from './recent.js';
import { createCleaning } from './without-secrets.js';

export const DEFAULT_LOG_REQUESTS = 500;

/** Of a body, what is kept. */
export const BODY_CHARACTERS_MAX = 65_536;

/** Of all that is kept: a log full of large bodies holds fewer requests. */
const LOG_BYTES_MAX = 16 * 1024 * 1024;

export interface RequestLogOptions {
  /** 0 keeps nothing. */
  readonly requestsMax: number;
  readonly bytesMax?: number;
  /** The tokens of the server, which must not be kept. */
  readonly secrets: readonly string[];
}

/** A request as it ended: what is at hand then, to be put into words when somebody reads the log. */
export interface EndedRequest {
  readonly requestId: string;
  /** When it came, in milliseconds since the epoch. */
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** Of it, in the order of `PHASES`; -1 where there is none. */
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
  /** Of the answer. */
  readonly bytes: number;
  /** As `erasures` was when the request came. */
  readonly erasures: number;
}

/** What was sent and answered: whole, or more of the beginning than is kept. The log cuts it. */
export interface EndedBodies {
  readonly body: string | Buffer | undefined;
  readonly answer: string | undefined;
}

/** Names in lower case, each with its value behind it. */
export type HeaderValues = readonly string[];

export interface RequestLog {
  /** False where it keeps nothing. */
  readonly isOn: boolean;
  readonly state: RequestLogState;
  /** How often bodies were erased. */
  readonly erasures: number;
  note(request: EndedRequest, bodies: EndedBodies): void;
  /** Calls back after each that is noted, until the returned function is called. */
  onNote(callback: () => void): () => void;
  /** Newest first; only those below `beforeSeq` and above `afterSeq`. */
  list(
    filter: RequestFilter,
    range: { readonly beforeSeq: number; readonly afterSeq: number },
  ): Iterable<RequestSummary>;
  /** The newest of this id. */
  find(requestId: string): RequestDetail | undefined;
  /** Drops all bodies, also those of requests that are still on their way. */
  eraseBodies(): void;
}

/** One request, whose place is used again for another once it is let go. */
class Kept extends Linked {
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
  /** Bytes of a body that is kept in part; -1 where it is whole. */
  bodyBytes = -1;
  answerBytes = -1;
  readonly phases = new Float64Array(PHASES.length);
  /** As `Words` has them, in that order. */
  readonly texts = new KeptTexts();
}

export function createRequestLog({ requestsMax, bytesMax = LOG_BYTES_MAX, secrets }: RequestLogOptions): RequestLog {
  const id = randomUUID();
  const recent = new Recent<Kept>();
  let lastSeq = 0;
  let erasures = 0;
  const followers = new Set<() => void>();
  const clean = createCleaning(secrets);

  /** Of what the workbench reads over and over only the last is kept: it would push out what others asked. */
  const ownReadings = new Map<string, Kept>();

  /** Its memory is another one's then. */
  function drop(kept: Kept): Kept {
    recent.remove(kept);
    if (kept.isOwnReading) ownReadings.delete(wordsOf(kept).path);
    return kept;
  }

  function vacant(request: EndedRequest): Kept {
    const last = isOwnReading(request) ? ownReadings.get(clean(request.path)) : undefined;
    if (last !== undefined) return drop(last);
    return recent.oldest === undefined || recent.count < requestsMax ? new Kept() : drop(recent.oldest);
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
      const kept = vacant(request);
      fillIn(kept, lastSeq, request, request.erasures === erasures ? bodies : undefined, clean);
      if (kept.isOwnReading) ownReadings.set(clean(request.path), kept);
      recent.add(kept);
      while (recent.oldest !== undefined && recent.size > bytesMax) drop(recent.oldest);
      for (const callback of followers) callback();
    },
    onNote(callback) {
      followers.add(callback);
      return () => followers.delete(callback);
    },
    *list(filter, { beforeSeq, afterSeq }) {
      for (const kept of recent.entries()) {
        if (kept.seq <= afterSeq) return;
        if (kept.seq >= beforeSeq) continue;
        const summary = summaryOf(kept);
        if (matchesRequest(summary, filter) && hasContent(kept, filter.content)) yield summary;
      }
    },
    find(requestId) {
      for (const kept of recent.entries()) if (wordsOf(kept).requestId === requestId) return detailOf(kept);
      return undefined;
    },
    eraseBodies() {
      erasures += 1;
      for (const kept of recent.entries()) {
        const { body, answer, ...rest } = wordsOf(kept);
        keepWords(kept, { ...rest, body: undefined, answer: undefined });
        recent.resize(kept, sizeOf(kept));
        kept.isErased = true;
      }
    },
  };
}

function hasContent(kept: Kept, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  const { requestId, path, subject = '', client = '', body = '', answer = '', headers } = wordsOf(kept);
  return hasWords([...textsOf({ requestId, path, subject, client }), body, answer, ...contextOf(headers)], wanted);
}

/** Whose request it was is sent in a header as often as in the body. */
function contextOf(headers: HeaderValues): string[] {
  const pairs = Object.entries(headersOf(headers));
  return pairs.flatMap(([name, value]) => (contextFieldOfHeader(name) === undefined ? [] : [value]));
}

/** What a request takes beside its texts, roughly. */
const ENTRY_BYTES = 512;

type Clean = (text: string) => string;

function fillIn(kept: Kept, seq: number, request: EndedRequest, bodies: EndedBodies | undefined, clean: Clean): void {
  const { requestId, path, code, fork, tenant, subject, client, headers } = request;
  kept.seq = seq;
  kept.atMs = request.atMs;
  kept.durationMs = request.durationMs;
  kept.phases.set(request.phases);
  kept.method = request.method;
  kept.status = request.status;
  kept.bytes = request.bytes;
  kept.unfinished = request.unfinished;
  kept.isOwnReading = isOwnReading(request);
  kept.isErased = bodies === undefined;
  kept.moduleHash = request.moduleHash;
  kept.answerHeaders = request.answerHeaders;
  const { body, answer } = bodies ?? NO_BODIES;
  kept.bodyBytes = bytesOfLong(body);
  // The answer may be the beginning only.
  kept.answerBytes = bytesOfLong(answer) < 0 ? -1 : request.bytes;
  const sent = keptBody(body, clean);
  const answered = keptBody(answer, clean);
  const names = {
    requestId: clean(requestId),
    path: clean(path),
    code,
    fork: fork && clean(fork),
    tenant: tenant && clean(tenant),
    subject: subject && clean(subject),
    client: client && clean(client),
  };
  keepWords(kept, { ...names, body: sent, answer: answered, headers: headers.map(clean) });
  kept.size = sizeOf(kept);
}

function sizeOf({ texts }: Kept): number {
  return ENTRY_BYTES + texts.size;
}

const NO_BODIES: EndedBodies = { body: undefined, answer: undefined };

/** Of a body that is too long to be kept whole; -1 of another. */
function bytesOfLong(body: string | Buffer | undefined): number {
  return body === undefined || body.length <= BODY_CHARACTERS_MAX ? -1 : Buffer.byteLength(body);
}

/** A body as it is kept: whole, or the beginning of a long one. */
function keptBody(body: string | Buffer | undefined, clean: Clean): string | undefined {
  if (body === undefined || body.length === 0) return undefined;
  if (body.length <= BODY_CHARACTERS_MAX) return clean(body.toString());
  const end = CHARACTERS_READ_MAX;
  const beginning = clean(typeof body === 'string' ? body.slice(0, end) : body.toString('utf8', 0, end));
  return beginning.slice(0, BODY_CHARACTERS_MAX);
}

/** Longer than any token that a header can carry. */
const SECRET_MARGIN = 16_384;

/** Of a body. What is cut in two must not show half of a secret: a little more is read, cleaned, and cut then. */
export const CHARACTERS_READ_MAX = BODY_CHARACTERS_MAX + SECRET_MARGIN;

interface Words {
  readonly requestId: string;
  /** Without secrets. */
  readonly path: string;
  readonly code: string | undefined;
  readonly fork: string | undefined;
  readonly tenant: string | undefined;
  readonly subject: string | undefined;
  readonly client: string | undefined;
  /** What was sent and what was answered, or the beginnings of it. */
  readonly body: string | undefined;
  readonly answer: string | undefined;
  readonly headers: HeaderValues;
}

function keepWords({ texts }: Kept, words: Words): void {
  const { requestId, path, code, fork, tenant, subject, client, body, answer, headers } = words;
  texts.keep([requestId, path, code, fork, tenant, subject, client, body, answer], headers);
}

function wordsOf({ texts }: Kept): Words {
  const [requestId = '', path = '', code, fork, tenant, subject, client, body, answer, ...headers] = texts.texts();
  return { requestId, path, code, fork, tenant, subject, client, body, answer, headers: headers as string[] };
}

function summaryOf(kept: Kept): RequestSummary {
  const { atMs, method, status, durationMs, bytes, unfinished, seq } = kept;
  const { requestId, path, code, fork, tenant, subject, client } = wordsOf(kept);
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
    ...(client !== undefined && { client }),
    bytes,
    ...(unfinished && { unfinished: true }),
    seq,
  };
}

function detailOf(kept: Kept): RequestDetail {
  const { bodyBytes, answerBytes, isErased, moduleHash, answerHeaders } = kept;
  const { body, answer, headers } = wordsOf(kept);
  return {
    ...summaryOf(kept),
    phases: toldPhases(kept.phases),
    moduleHash,
    headers: headersOf(headers),
    answerHeaders: pairsOf(answerHeaders),
    body: recorded(body, bodyBytes),
    answer: recorded(answer, answerBytes),
    ...(isErased && { erased: true }),
  };
}

/** `bytes` of the whole, where the text is but the beginning. */
function recorded(text: string | undefined, bytes: number): RecordedBody | null {
  if (text === undefined) return null;
  return bytes < 0 ? { text, bytes: Buffer.byteLength(text), cut: false } : { text, bytes, cut: true };
}

/** As they came, which is read as text only now. */
function headersOf(values: HeaderValues): Record<string, string> {
  return pairsOf(values.map((value, at) => (at % 2 === 0 ? value : headerText(value))));
}

function pairsOf(values: HeaderValues): Record<string, string> {
  const pairs = bareRecord<string>();
  for (let at = 0; at < values.length; at += 2) pairs[values[at] ?? ''] = values[at + 1] ?? '';
  return pairs;
}
