/**
 * A feed as `text/event-stream`: one message per event with its `seq` as id, messages "fork" with the record of a relabelled fork,
 * and comments that keep the connection alive. Back-pressure: nothing is read before the connection has room for it.
 */

import { Readable } from 'node:stream';

/** How long clients wait before they connect again. */
const RECONNECT_MS = 1_000;

/** Proxies close a connection that is silent for a minute or so. */
const HEARTBEAT_MS = 15_000;

/** A source of events in order of `seq`. */
export interface StreamFeed<T extends { readonly seq: number }> {
  /** The last event that was returned, or the one after which the feed starts. */
  readonly seq: number;
  /** The events since then, in batches, each event once. */
  unread(): AsyncIterable<readonly T[]>;
  /** Calls back when there may be new events, until the returned function is called. */
  onWrite(callback: () => void): () => void;
  /** Calls back with the record for a message "fork", until the returned function is called. */
  onFork?(callback: (record: { readonly id: string }) => void): () => void;
}

export interface EventStream {
  readonly body: Readable;
  /** Ends the stream after the current message, with a hint when to connect again. */
  stop(): void;
}

/** If the feed fails, `failureText` gives the last message. */
export function openEventStream<T extends { readonly seq: number }>(
  feed: StreamFeed<T>,
  isResumed: boolean,
  failureText: (thrown: unknown) => string,
): EventStream {
  const due = { news: true, heartbeat: false, stop: false };
  /** The last record of each fork. A slow reader gets only that. */
  const forks = new Map<string, object>();
  let wake = (): void => {};
  const set = (what: keyof typeof due): void => {
    due[what] = true;
    wake();
  };
  const unsubscribe = feed.onWrite(() => set('news'));
  const unsubscribeForks = feed.onFork?.((record) => {
    forks.set(record.id, record);
    wake();
  });
  const heartbeat = setInterval(() => set('heartbeat'), HEARTBEAT_MS);
  async function* messages(): AsyncGenerator<string> {
    try {
      // A client that loses the connection before the first event resumes from this id.
      yield isResumed ? ': events follow\n\n' : `: events follow\nid: ${feed.seq}\n\n`;
      reading: while (!due.stop) {
        if (due.heartbeat) {
          due.heartbeat = false;
          yield ':\n\n';
        } else if (forks.size > 0) {
          const records = [...forks.values()];
          forks.clear();
          yield records.map((record) => `event: fork\ndata: ${JSON.stringify(record)}\n\n`).join('');
        } else if (due.news) {
          due.news = false;
          for await (const events of feed.unread()) {
            yield events.map(message).join('');
            if (due.stop) break reading;
          }
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
      yield `retry: ${RECONNECT_MS}\n\n`;
    } catch (thrown) {
      yield `event: error\ndata: ${failureText(thrown)}\n\n`;
    }
  }
  const body = Readable.from(messages(), { highWaterMark: 1 });
  // Also runs if the client left before anything was read.
  body.once('close', () => {
    unsubscribe();
    unsubscribeForks?.();
    clearInterval(heartbeat);
  });
  return { body, stop: () => set('stop') };
}

function message(event: { readonly seq: number }): string {
  return `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}
