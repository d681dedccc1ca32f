/** A test's connection to an event stream: read message by message, and closed when the test wants. */

import type { EventMessage } from '../../api/follow.js';
import { createMessageReader } from '../../api/follow.js';

export interface StreamConnection {
  readonly status: number;
  readonly contentType: string;
  /** The next message with data; undefined at the end of the stream. */
  next(): Promise<EventMessage | undefined>;
  /** All text so far, including comments. */
  text(): string;
  close(): Promise<void>;
}

export async function openStream(
  server: { readonly url: string; readonly token: string },
  headers: Record<string, string> = {},
  path = '/v1/events',
): Promise<StreamConnection> {
  const response = await fetch(server.url + path, {
    headers: { authorization: `Bearer ${server.token}`, accept: 'text/event-stream', ...headers },
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const read = createMessageReader();
  const waiting: EventMessage[] = [];
  let all = '';
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    async next() {
      for (;;) {
        const message = waiting.shift();
        if (message !== undefined) return message;
        const { done, value } = await reader.read();
        if (done) return undefined;
        const text = decoder.decode(value, { stream: true });
        all += text;
        waiting.push(...read(text).filter(({ data }) => data !== ''));
      }
    },
    text: () => all,
    close: () => reader.cancel(),
  };
}
