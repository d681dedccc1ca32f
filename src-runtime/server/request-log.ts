/**
 * The last requests that the server answered, in memory: so many of them, and so many bytes, whichever is reached first.
 * What a request was is noted as it ends; nothing here knows HTTP.
 */

import { randomUUID } from 'node:crypto';
import { isOwnReading, matchesRequest } from '../api/request-filter.js';
import type {
  RecordedBody,
  RequestDetail,
  RequestFilter,
  RequestLogState,
  RequestSummary,
} from '../api/request-log.js';

export const DEFAULT_LOG_REQUESTS = 500;

/** Of a body, what is kept. */
export const BODY_CHARACTERS_MAX = 65_536;

/** Of all that is kept: a log full of large bodies holds fewer requests. */
const LOG_BYTES_MAX = 16 * 1024 * 1024;

export interface RequestLogOptions {
  /** 0 keeps nothing. */
  readonly requestsMax: number;
  readonly bytesMax?: number;
  /** Texts that must not be kept, wherever they stand. */
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
  readonly code: string | undefined;
  readonly fork: string | undefined;
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

/** One request in the order of all: it can be taken out wherever it stands. */
interface Kept {
  readonly seq: number;
  readonly request: EndedRequest;
  /** Of the request, without secrets. */
  readonly path: string;
  body: KeptBody;
  answer: KeptBody;
  isErased: boolean;
  size: number;
  older: Kept | undefined;
  newer: Kept | undefined;
}

export function createRequestLog({ requestsMax, bytesMax = LOG_BYTES_MAX, secrets }: RequestLogOptions): RequestLog {
  const id = randomUUID();
  let newest: Kept | undefined;
  let oldest: Kept | undefined;
  let count = 0;
  let lastSeq = 0;
  let size = 0;
  let erasures = 0;
  const followers = new Set<() => void>();
  const clean = (text: string) =>
    secrets.reduce((rest, secret) => (rest.includes(secret) ? rest.replaceAll(secret, REMOVED) : rest), text);

  /** Of what the workbench reads over and over only the last is kept: it would push out what others asked. */
  const ownReadings = new Map<string, Kept>();

  function drop(kept: Kept): void {
    const { older, newer, request } = kept;
    // What was let go must not hold on to what is kept.
    kept.newer = undefined;
    if (older === undefined) oldest = newer;
    else older.newer = newer;
    if (newer === undefined) newest = older;
    else newer.older = older;
    count -= 1;
    size -= kept.size;
    if (ownReadings.get(request.path) === kept) ownReadings.delete(request.path);
  }

  function keep(kept: Kept): void {
    const { request } = kept;
    if (isOwnReading(request)) {
      const last = ownReadings.get(request.path);
      if (last !== undefined) drop(last);
      ownReadings.set(request.path, kept);
    }
    kept.older = newest;
    if (newest === undefined) oldest = kept;
    else newest.newer = kept;
    newest = kept;
    count += 1;
    size += kept.size;
    while (oldest !== undefined && (count > requestsMax || size > bytesMax)) drop(oldest);
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
      const isErased = request.erasures !== erasures;
      keep(keptRequest(lastSeq, request, isErased ? undefined : bodies, clean));
      for (const callback of followers) callback();
    },
    onNote(callback) {
      followers.add(callback);
      return () => followers.delete(callback);
    },
    *list(filter, { beforeSeq, afterSeq }) {
      for (let kept = newest; kept !== undefined && kept.seq > afterSeq; kept = kept.older) {
        if (kept.seq >= beforeSeq) continue;
        const summary = summaryOf(kept);
        if (matchesRequest(summary, filter)) yield summary;
      }
    },
    find(requestId) {
      let kept = newest;
      while (kept !== undefined && kept.request.requestId !== requestId) kept = kept.older;
      return kept && detailOf(kept);
    },
    eraseBodies() {
      erasures += 1;
      size = 0;
      for (let kept = newest; kept !== undefined; kept = kept.older) {
        kept.body = null;
        kept.answer = null;
        kept.isErased = true;
        kept.size = ENTRY_BYTES;
        size += ENTRY_BYTES;
      }
    },
  };
}

const REMOVED = '[removed]';

/** What a request takes beside its texts, roughly. */
const ENTRY_BYTES = 1_024;

/** Texts may hold letters that take two. */
const BYTES_PER_CHARACTER = 2;

type Clean = (text: string) => string;

function keptRequest(seq: number, request: EndedRequest, bodies: EndedBodies | undefined, clean: Clean): Kept {
  const path = clean(request.path);
  const [body, answer] = [keptBody(bodies?.body, clean), keptBody(bodies?.answer, clean, request.bytes)];
  const size = ENTRY_BYTES + BYTES_PER_CHARACTER * (path.length + charactersOf(body) + charactersOf(answer));
  return { seq, request, path, body, answer, isErased: bodies === undefined, size, older: undefined, newer: undefined };
}

/** A body as it is kept: whole, or the beginning of a long one. */
type KeptBody = string | { readonly beginning: string; readonly bytes: number } | null;

/** `bytes` where `body` may be the beginning only. */
function keptBody(body: string | Buffer | undefined, clean: Clean, bytes?: number): KeptBody {
  if (body === undefined || body.length === 0) return null;
  if (body.length <= BODY_CHARACTERS_MAX) return clean(body.toString());
  const end = CHARACTERS_READ_MAX;
  const beginning = clean(typeof body === 'string' ? body.slice(0, end) : body.toString('utf8', 0, end));
  return { beginning: flat(beginning), bytes: bytes ?? Buffer.byteLength(body) };
}

function charactersOf(kept: KeptBody): number {
  return kept === null ? 0 : typeof kept === 'string' ? kept.length : kept.beginning.length;
}

/** Longer than any token that a header can carry. */
const SECRET_MARGIN = 16_384;

/** Of a body. What is cut in two must not show half of a secret: a little more is read, cleaned, and cut then. */
export const CHARACTERS_READ_MAX = BODY_CHARACTERS_MAX + SECRET_MARGIN;

/** The beginning as a string of its own: a slice would keep the whole text in memory. */
function flat(text: string): string {
  return Buffer.from(text.slice(0, BODY_CHARACTERS_MAX)).toString();
}

function summaryOf({ seq, request, path }: Kept): RequestSummary {
  const { requestId, atMs, method, status, durationMs, code, fork, subject, client, unfinished } = request;
  return {
    requestId,
    at: new Date(atMs).toISOString(),
    method,
    path,
    status,
    ms: Math.round(durationMs * 100) / 100,
    ...(code !== undefined && { code }),
    ...(fork !== undefined && { fork }),
    ...(subject !== undefined && { subject }),
    ...(client !== undefined && { client }),
    bytes: request.bytes,
    ...(unfinished && { unfinished: true }),
    seq,
  };
}

function detailOf(kept: Kept): RequestDetail {
  const { request, body, answer, isErased } = kept;
  return {
    ...summaryOf(kept),
    moduleHash: request.moduleHash,
    headers: pairsOf(request.headers),
    answerHeaders: pairsOf(request.answerHeaders),
    body: recorded(body),
    answer: recorded(answer),
    ...(isErased && { erased: true }),
  };
}

function recorded(kept: KeptBody): RecordedBody | null {
  if (kept === null) return null;
  if (typeof kept === 'string') return { text: kept, bytes: Buffer.byteLength(kept), cut: false };
  return { text: kept.beginning, bytes: kept.bytes, cut: true };
}

function pairsOf(values: HeaderValues): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (let at = 0; at < values.length; at += 2) pairs[values[at] ?? ''] = values[at + 1] ?? '';
  return pairs;
}
