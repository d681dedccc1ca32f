/** The history of a scope: in pages, or live as `text/event-stream`. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { eventSchema, successSchema } from '../../api/schemas.js';
import { badRequest, renderFailure } from '../envelope.js';
import { type EventStream, openEventStream } from '../event-stream.js';
import { requestFrame } from '../request-frame.js';
import { type App, frame, pacerOf, pagingOf, pagingShape, type ServerContext } from '../server-context.js';

export function registerEvents(app: App, context: ServerContext): void {
  const { runtime } = context;
  const open = new Map<EventStream, FastifyReply>();
  let closing = false;

  // A client that does not read would keep the server from stopping; it can resume where it was.
  app.addHook('preClose', async () => {
    closing = true;
    for (const [stream, reply] of open) {
      stream.stop();
      if (reply.raw.writableLength > 0) reply.raw.destroy();
    }
  });

  async function follow(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const after = lastEventId(request);
    const session = await runtime.enter(requestFrame(request));
    const feed = await session.follow(after);
    const stream = openEventStream(feed, (thrown) => {
      const { error, text } = renderFailure(thrown, request.id, runtime);
      if (error.status >= 500) {
        request.log.error({ requestId: request.id, code: error.code, err: error.cause ?? error }, error.message);
      }
      return text;
    });
    open.set(stream, reply);
    reply.raw.once('close', () => {
      open.delete(stream);
      stream.stop();
    });
    if (closing) stream.stop();
    return reply
      .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
      .send(stream.body);
  }

  app.get(
    '/v1/events',
    {
      schema: {
        summary: 'The history of the scope',
        description:
          'With "Accept: text/event-stream" the events that come from now on, as they come, or those after the one that the header Last-Event-ID names. The id of a message is the seq of its event. A failure after the start is a message "error" with the envelope, and the end.',
        querystring: z.strictObject(pagingShape),
        response: {
          200: {
            content: {
              'application/json': {
                schema: successSchema(z.array(eventSchema), { nextCursor: z.string().optional() }),
              },
              'text/event-stream': { schema: z.string() },
            },
          },
        },
      },
    },
    async (request, reply) => {
      if (wantsStream(request)) return follow(request, reply);
      const paging = pagingOf(context, request.query);
      const session = await runtime.enter(requestFrame(request));
      return { ...(await session.events(paging, pacerOf(context))), ...frame(context, request) };
    },
  );
}

/** The header names the type, at any weight but none. */
function wantsStream({ headers, query }: FastifyRequest): boolean {
  const ranges = (headers.accept ?? '').toLowerCase().split(',');
  const isWanted = ranges.some(
    (range) => /^\s*text\/event-stream\s*(;|$)/.test(range) && !/;\s*q=0(\.0*)?\s*(;|$)/.test(range),
  );
  if (isWanted && Object.keys(query as object).length > 0) {
    throw badRequest('A live stream has no pages; leave limit and page out, or ask for application/json.');
  }
  return isWanted;
}

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const text = headers['last-event-id'];
  if (text === undefined || text === '') return undefined;
  if (typeof text === 'string' && /^[0-9]{1,15}$/.test(text)) return Number(text);
  throw badRequest('Last-Event-ID must be the seq of an event; leave it out to follow from now on.', {
    path: 'Last-Event-ID',
  });
}
