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

/** A request as it ended. Bodies are whole; the log cuts them. */
export interface EndedRequest extends Omit<RequestDetail, 'seq' | 'body' | 'answer' | 'erased'> {
  readonly body: Buffer | undefined;
  readonly answer: string | undefined;
  /** As `erasures` was when the request came. */
  readonly erasures: number;
}

export interface RequestLog {
  readonly state: RequestLogState;
  /** How often bodies were erased. */
  readonly erasures: number;
  note(request: EndedRequest): void;
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

interface Kept {
  readonly summary: RequestSummary;
  readonly rest: Omit<RequestDetail, keyof RequestSummary>;
  readonly size: number;
}

export function createRequestLog({ requestsMax, bytesMax = LOG_BYTES_MAX, secrets }: RequestLogOptions): RequestLog {
  const id = randomUUID();
  /** By seq, oldest first. */
  const kept = new Map<number, Kept>();
  let lastSeq = 0;
  let size = 0;
  let erasures = 0;
  const clean = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text);

  /** Of what the workbench reads over and over only the last is kept: it would push out what others asked. */
  const ownReadings = new Map<string, number>();

  function drop(request: Kept | undefined): void {
    if (request === undefined) return;
    const { seq, path } = request.summary;
    kept.delete(seq);
    size -= request.size;
    if (ownReadings.get(path) === seq) ownReadings.delete(path);
  }

  function keep(request: Kept): void {
    const { summary } = request;
    if (isOwnReading(summary)) {
      drop(kept.get(ownReadings.get(summary.path) ?? 0));
      ownReadings.set(summary.path, summary.seq);
    }
    kept.set(summary.seq, request);
    size += request.size;
    for (const oldest of kept.values()) {
      if (kept.size <= requestsMax && size <= bytesMax) break;
      drop(oldest);
    }
  }

  return {
    get state() {
      return { id, lastSeq, requestsMax };
    },
    get erasures() {
      return erasures;
    },
    note({ body, answer, moduleHash, headers, answerHeaders, erasures: atStart, ...summary }) {
      if (requestsMax === 0) return;
      lastSeq += 1;
      const bodies =
        atStart === erasures
          ? { body: keptBytes(body, clean), answer: keptText(answer, summary.bytes, clean) }
          : { body: null, answer: null, erased: true };
      const characters = (bodies.body?.text.length ?? 0) + (bodies.answer?.text.length ?? 0) + summary.path.length;
      keep({
        summary: { ...summary, seq: lastSeq, path: clean(summary.path) },
        rest: { moduleHash, headers, answerHeaders, ...bodies },
        size: ENTRY_BYTES + BYTES_PER_CHARACTER * characters,
      });
    },
    *list(filter, { beforeSeq, afterSeq }) {
      if (afterSeq >= lastSeq) return;
      for (const { summary } of [...kept.values()].reverse()) {
        if (summary.seq <= afterSeq) return;
        if (summary.seq < beforeSeq && matchesRequest(summary, filter)) yield summary;
      }
    },
    find(requestId) {
      let found: Kept | undefined;
      for (const request of kept.values()) if (request.summary.requestId === requestId) found = request;
      return found && { ...found.summary, ...found.rest };
    },
    eraseBodies() {
      erasures += 1;
      size = 0;
      for (const [seq, { summary, rest }] of kept) {
        const erased = { ...rest, body: null, answer: null, erased: true };
        kept.set(seq, { summary, rest: erased, size: ENTRY_BYTES });
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

function keptBytes(bytes: Buffer | undefined, clean: Clean): RecordedBody | null {
  if (bytes === undefined || bytes.length === 0) return null;
  const cut = bytes.length > BODY_CHARACTERS_MAX;
  // What is cut in two must not show half of a secret: a little more is read, cleaned, and cut then.
  const text = clean(bytes.toString('utf8', 0, BODY_CHARACTERS_MAX + SECRET_MARGIN));
  return { text: cut ? flat(text) : text, bytes: bytes.length, cut };
}

function keptText(text: string | undefined, bytes: number, clean: Clean): RecordedBody | null {
  if (text === undefined || text === '') return null;
  if (text.length <= BODY_CHARACTERS_MAX) return { text: clean(text), bytes, cut: false };
  return { text: flat(clean(text.slice(0, BODY_CHARACTERS_MAX + SECRET_MARGIN))), bytes, cut: true };
}

/** Longer than any token that a header can carry. */
const SECRET_MARGIN = 16_384;

/** The beginning as a string of its own: a slice would keep the whole text in memory. */
function flat(text: string): string {
  return Buffer.from(text.slice(0, BODY_CHARACTERS_MAX)).toString();
}
