/** The history of a scope: in pages, or live as `text/event-stream`. */

import { z } from 'zod';
import { eventSchema, successSchema } from '../../api/schemas/schemas.js';
import { requestFrame } from '../http/request-frame.js';
import { createLiveStreams, lastEventId, wantsStream } from './live-streams.js';
import { type App, deadlineOf, frame, pagingOf, pagingShape, type ServerContext } from './server-context.js';

export function registerEvents(app: App, context: ServerContext): void {
  const { runtime } = context;
  const streams = createLiveStreams(app, runtime);

  app.get(
    '/v1/events',
    {
      schema: {
        summary: 'The history of the scope',
        description:
          'With "Accept: text/event-stream" the events that come from now on, as they come, or those after the one that the header Last-Event-ID names. The id of a message is the seq of its event. A message "fork" has the record of a fork of the scope that got another label, and no id. A failure after the start is a message "error" with the envelope, and the end.',
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
      if (wantsStream(request, ['limit', 'page'])) {
        const after = lastEventId(request, 'an event');
        const session = await runtime.enter(requestFrame(request));
        return streams.send(request, reply, await session.follow(after));
      }
      const paging = pagingOf(context, request.query);
      const session = await runtime.enter(requestFrame(request));
      return { ...(await session.events(paging, deadlineOf(context, request))), ...frame(context, request) };
    },
  );
}
