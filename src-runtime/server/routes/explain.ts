/** Why a fact holds, or why it does not. */

import { z } from 'zod';
import { explainRequestSchema, explanationSchema, successSchema } from '../../api/schemas.js';
import { requestFrame } from '../request-frame.js';
import { type App, frame, pacerOf, type ServerContext } from '../server-context.js';

const response = { 200: successSchema(explanationSchema) };

export function registerExplain(app: App, context: ServerContext): void {
  const { runtime } = context;

  app.post(
    '/v1/explain',
    { schema: { summary: 'Prove a tuple, or say why it does not hold', body: explainRequestSchema, response } },
    async (request) => {
      const { relation, tuple } = request.body;
      const session = await runtime.enter(requestFrame(request, request.body));
      return { result: await session.explain(relation, tuple, pacerOf(context)), ...frame(context, request) };
    },
  );

  app.get(
    '/v1/derived/facts/:factId/explain',
    { schema: { summary: 'Prove one fact', params: z.object({ factId: z.string() }), response } },
    async (request) => {
      const session = await runtime.enter(requestFrame(request));
      return {
        result: await session.explainFact(request.params.factId, pacerOf(context)),
        ...frame(context, request),
      };
    },
  );
}
