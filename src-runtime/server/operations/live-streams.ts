/** Responses as `text/event-stream`. A stream ends when the client disconnects or the server closes. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Runtime } from '../../world/index.js';
import { acceptedType } from '../http/accepted-type.js';
import { badRequest, reportFailure } from '../http/envelope.js';
import { type EventStream, openEventStream, type StreamFeed } from '../http/event-stream.js';
import type { App } from './call.js';

export interface LiveStreams {
  send<T extends { readonly seq: number }>(
    request: FastifyRequest,
    reply: FastifyReply,
    feed: StreamFeed<T>,
  ): FastifyReply;
}

export function createLiveStreams(app: App, runtime: Runtime): LiveStreams {
  const open = new Map<EventStream, FastifyReply>();
  let closing = false;

  // A client that does not read would keep the server from closing. It can resume later.
  app.addHook('preClose', async () => {
    closing = true;
    for (const [stream, reply] of open) {
      stream.stop();
      if (reply.raw.writableLength > 0) reply.raw.destroy();
    }
  });

  return {
    send(request, reply, feed) {
      const isResumed = (request.headers['last-event-id'] ?? '') !== '';
      const stream = openEventStream(feed, isResumed, (thrown) => reportFailure(thrown, request, runtime).text);
      open.set(stream, reply);
      stream.body.once('close', () => open.delete(stream));
      reply.raw.once('close', () => stream.stop());
      if (closing) stream.stop();
      return reply
        .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
        .send(stream.body);
    },
  };
}

/** Whether `Accept` names the type with a weight above 0. Throws VALIDATION_FAILED for parameters that only a page has. */
export function wantsStream({ headers, query }: FastifyRequest, pages: readonly string[]): boolean {
  const isWanted = acceptedType(headers.accept, ['text/event-stream']) !== undefined;
  if (isWanted && pages.some((name) => name in (query as object))) {
    throw badRequest(`A live stream has no pages; leave ${wordList(pages)} out, or ask for application/json.`);
  }
  return isWanted;
}

export function lastEventId({ headers }: FastifyRequest, row: string): number | undefined {
  const text = headers['last-event-id'];
  if (text === undefined || text === '') return undefined;
  if (typeof text === 'string' && /^[0-9]{1,15}$/.test(text)) return Number(text);
  throw badRequest(
    `Last-Event-ID must be the seq of ${/^[aeiou]/.test(row) ? 'an' : 'a'} ${row}; leave it out to follow from now on.`,
    {
      path: 'Last-Event-ID',
    },
  );
}

function wordList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
