/** Runs queries, derives and mutations that are sent as text. */

import { adhocRequestSchema } from '../../api/schemas/schemas.js';
import { requestFrame } from '../http/request-frame.js';
import { mutateOptions, mutationCall, queryCall, wireWritten } from './call-schemas.js';
import { type App, deadlineOf, frame, type Place, pagingOf, type ServerContext } from './server-context.js';

export function registerAdhoc(app: App, context: ServerContext, { path: place, params }: Place): void {
  const { runtime } = context;

  app.post(
    `${place}/query/adhoc`,
    {
      schema: {
        summary: 'Run a query or a derive that is sent as text',
        params,
        body: adhocRequestSchema,
        ...queryCall,
      },
    },
    async (request) => {
      const { source, module, args } = request.body;
      const text = { source, module };
      const paging = pagingOf(context, request.query);
      const deadline = deadlineOf(context, request);
      runtime.prepareAdhoc('query', text);
      const session = await runtime.enter(requestFrame(request, request.body));
      return { ...(await session.queryAdhoc(text, args, paging, deadline)), ...frame(context, request) };
    },
  );

  app.post(
    `${place}/mutation/adhoc`,
    {
      schema: {
        summary: 'Run a mutation that is sent as text',
        params,
        body: adhocRequestSchema,
        ...mutationCall,
      },
    },
    async (request) => {
      const { source, module, args } = request.body;
      const text = { source, module };
      const deadline = deadlineOf(context, request);
      runtime.prepareAdhoc('mutation', text);
      const session = await runtime.enter(requestFrame(request, request.body));
      const answer = await session.mutateAdhoc(text, args, mutateOptions(request), deadline);
      return { ...wireWritten(answer), ...frame(context, request) };
    },
  );
}
