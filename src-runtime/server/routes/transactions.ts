/** The history of a fork by transaction: the list of them, the events of one, and what one came to. */

import { z } from 'zod';
import {
  effectsSchema,
  eventSchema,
  listedTransactionSchema,
  successSchema,
  transactionSchema,
} from '../../api/schemas.js';
import { requestFrame } from '../request-frame.js';
import { type App, frame, pacerOf, pagingOf, pagingShape, type ServerContext } from '../server-context.js';

const params = z.object({ txn: z.string().regex(/^[0-9]{1,15}$/, 'must be a whole number') });

export function registerTransactions(app: App, context: ServerContext): void {
  const { runtime } = context;

  app.get(
    '/v1/transactions',
    {
      schema: {
        summary: 'The transactions of the fork and of what it was made from, the last first',
        querystring: z.strictObject({
          ...pagingShape,
          first: z
            .string()
            .regex(/^[0-9]$/, 'must be a whole number from 0 to 9')
            .optional()
            .describe('How many of the first events of each to give.'),
        }),
        response: { 200: successSchema(z.array(listedTransactionSchema), { nextCursor: z.string().optional() }) },
      },
    },
    async (request) => {
      const { first, ...paged } = request.query;
      const paging = pagingOf(context, paged);
      const session = await runtime.enter(requestFrame(request));
      const page = await session.transactions(Number(first ?? 0), paging, pacerOf(context));
      return { ...page, ...frame(context, request) };
    },
  );

  app.get(
    '/v1/transactions/:txn',
    {
      schema: {
        summary: 'The events of one transaction, and what caused them',
        params,
        querystring: z.strictObject(pagingShape),
        response: {
          200: successSchema(z.array(eventSchema), {
            transaction: transactionSchema,
            nextCursor: z.string().optional(),
          }),
        },
      },
    },
    async (request) => {
      const paging = pagingOf(context, request.query);
      const session = await runtime.enter(requestFrame(request));
      const page = await session.transaction(Number(request.params.txn), paging, pacerOf(context));
      return { ...page, ...frame(context, request) };
    },
  );

  app.get(
    '/v1/transactions/:txn/effects',
    {
      schema: {
        summary: 'What one transaction changed all in all: stored facts, what follows from them, and firings',
        description:
          'The history before it is replayed for that, under the rules that are loaded now. What the time of the request does not suffice for is told as unknown.',
        params,
        response: { 200: successSchema(effectsSchema) },
      },
    },
    async (request) => {
      const session = await runtime.enter(requestFrame(request));
      const result = await session.transactionEffects(Number(request.params.txn), pacerOf(context));
      return { result, ...frame(context, request) };
    },
  );
}
