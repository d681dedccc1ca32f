/** What a query takes: a declared one, and one or a derive that is sent as text. */

import { queryProfileSchema } from '../../api/schemas/profile-schemas.js';
import { adhocRequestSchema, dispatchRequestSchema, successSchema } from '../../api/schemas/schemas.js';
import { requestFrame } from '../http/request-frame.js';
import { type App, deadlineOf, frame, type Place, type ServerContext } from './server-context.js';

export function registerProfiles(app: App, context: ServerContext, { path: place, params }: Place): void {
  const { runtime } = context;
  const response = { 200: successSchema(queryProfileSchema) };

  app.post(
    `${place}/dispatch/query/profile`,
    { schema: { summary: 'Tell what a query takes', params, body: dispatchRequestSchema, response } },
    async (request) => {
      const { path, args } = request.body;
      const deadline = deadlineOf(context, request);
      const session = await runtime.enter(requestFrame(request, request.body));
      return { result: await session.profile(path, args, deadline), ...frame(context, request) };
    },
  );

  app.post(
    `${place}/query/adhoc/profile`,
    {
      schema: {
        summary: 'Tell what a query or a derive that is sent as text takes',
        params,
        body: adhocRequestSchema,
        response,
      },
    },
    async (request) => {
      const { source, module, args } = request.body;
      const text = { source, module };
      const deadline = deadlineOf(context, request);
      runtime.prepareAdhoc('query', text);
      const session = await runtime.enter(requestFrame(request, request.body));
      return { result: await session.profileAdhoc(text, args, deadline), ...frame(context, request) };
    },
  );
}
