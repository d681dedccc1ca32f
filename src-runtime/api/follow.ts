/** Follows an event stream over fetch, in a page and in Node. After a lost connection it resumes: no message is lost or repeated. */

import { ERROR_REGISTRY, type ErrorCode } from './errors.js';
import { ApiFailure, ConnectionFailure } from './failures.js';
import type { ErrorEnvelope } from './schemas/schemas.js';

export interface FollowOptions {
  /** The `seq` to resume after. By default only new messages are delivered. */
  readonly after?: number;
  /** Called on each connection. Every message from then on is delivered. */
  readonly onOpen?: () => void;
  /** Called on each lost connection and each failed attempt. Another attempt follows. */
  readonly onLost?: () => void;
  /** Called with a message of another type: `fork`, with the record of a fork whose label changed. */
  readonly onOther?: (type: string, data: unknown) => void;
  /** Called with the `seq` up to which everything was delivered, before the event of that `seq`. */
  readonly onSeq?: (seq: number) => void;
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
}

/** Opens the stream after the event with this id. Throws ApiFailure and ConnectionFailure. */
export type OpenStream = (lastEventId: string | undefined) => Promise<ReadableStream<Uint8Array>>;

const PAUSE_MIN_MS = 200;
const PAUSE_MAX_MS = 5_000;

/** Throws ApiFailure if the server refuses or fails, and ConnectionFailure if the first connection fails. */
export async function* follow<T>(open: OpenStream, options: FollowOptions): AsyncGenerator<T, void, undefined> {
  const { signal, onOpen, onLost, onOther, onSeq } = options;
  const isAborted = () => signal?.aborted === true;
  let lastEventId = options.after?.toString();
  let pauseMs = PAUSE_MIN_MS;
  for (let isFirst = true; !isAborted(); isFirst = false) {
    try {
      const body = await open(lastEventId);
      onOpen?.();
      for await (const message of messagesOf(body)) {
        if (message.lastEventId !== '') ({ lastEventId } = message);
        if (lastEventId !== undefined) onSeq?.(Number(lastEventId));
        if (message.event === 'error') throw failureOf(JSON.parse(message.data) as ErrorEnvelope);
        if (message.data === '') continue;
        pauseMs = PAUSE_MIN_MS;
        if (message.event === 'message') yield JSON.parse(message.data) as T;
        else onOther?.(message.event, JSON.parse(message.data));
      }
    } catch (failure) {
      if (isAborted()) return;
      if (failure instanceof ApiFailure || (isFirst && failure instanceof ConnectionFailure)) throw failure;
    }
    if (!isAborted()) onLost?.();
    await pause(pauseMs, signal);
    pauseMs = Math.min(PAUSE_MAX_MS, pauseMs * 2);
  }
}

async function* messagesOf(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const read = createMessageReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* read(decoder.decode(value, { stream: true }));
    }
  } finally {
    // Closes the connection if the caller stops iterating.
    await reader.cancel().catch(() => undefined);
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

/** The status of a failure after the start of the stream follows from its code. */
function failureOf(envelope: ErrorEnvelope): ApiFailure {
  return new ApiFailure(ERROR_REGISTRY[envelope.error.code as ErrorCode].status, envelope);
}

export interface EventMessage {
  /** `message` by default. */
  readonly event: string;
  /** Empty if the message only sets the id. */
  readonly data: string;
  /** The id of this message or, if it has none, of the last one before it. */
  readonly lastEventId: string;
}

/** Parses pieces of text, cut anywhere, and returns the messages that each completes. */
export function createMessageReader(): (text: string) => EventMessage[] {
  let rest = '';
  let lastEventId = '';
  let event = '';
  let data: string[] = [];
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    const messages: EventMessage[] = [];
    for (const raw of lines) {
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
      const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (line === '') {
        messages.push({ event: event || 'message', data: data.join('\n'), lastEventId });
        event = '';
        data = [];
      } else if (name === 'id') lastEventId = value;
      else if (name === 'event') event = value;
      else if (name === 'data') data.push(value);
    }
    return messages;
  };
}
