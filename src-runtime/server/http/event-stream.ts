/**
 * A feed of events as `text/event-stream`: one message an event, its `seq` as id, messages "fork" with the record of a fork that
 * is called otherwise, and comments that keep the connection alive. Nothing is read before the connection has room for it.
 */

import { Readable } from 'node:stream';

/** Proxies close what is silent for a minute or so. */
const HEARTBEAT_MS = 15_000;

/** What is followed, in order of `seq`. */
export interface StreamFeed<T extends { readonly seq: number }> {
  /** The last that has been handed out, or before which nothing was asked for. */
  readonly seq: number;
  /** What has come since, a batch at a time, as far as now; each once. */
  news(): AsyncIterable<readonly T[]>;
  /** Calls back whenever there may be news, until the returned function is called. */
  onWrite(callback: () => void): () => void;
  /** Calls back with what a message "fork" is to tell, until the returned function is called. */
  onFork?(callback: (record: { readonly id: string }) => void): () => void;
}

export interface EventStream {
  readonly body: Readable;
  /** Ends the stream after the message that is on its way. */
  stop(): void;
}

/** `failureText` makes the last message of a feed that fails. A client that resumes knows where it is. */
export function openEventStream<T extends { readonly seq: number }>(
  feed: StreamFeed<T>,
  isResumed: boolean,
  failureText: (thrown: unknown) => string,
): EventStream {
  const due = { news: true, heartbeat: false, stop: false };
  /** What is to be told of forks, the last of each: a slow reader is owed no more than that. */
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
      // Who loses the connection before the first event resumes from here.
      yield isResumed ? ': events follow\n\n' : `: events follow\nid: ${feed.seq}\n\n`;
      while (!due.stop) {
        if (due.heartbeat) {
          due.heartbeat = false;
          yield ':\n\n';
        } else if (forks.size > 0) {
          const told = [...forks.values()];
          forks.clear();
          yield told.map((record) => `event: fork\ndata: ${JSON.stringify(record)}\n\n`).join('');
        } else if (due.news) {
          due.news = false;
          for await (const events of feed.news()) {
            yield events.map(message).join('');
            if (due.stop) return;
          }
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } catch (thrown) {
      yield `event: error\ndata: ${failureText(thrown)}\n\n`;
    }
  }
  const body = Readable.from(messages(), { highWaterMark: 1 });
  // Also where it is never read, as the client has left before.
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
