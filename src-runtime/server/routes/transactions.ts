/** The history of a fork by transaction: the list of them, the events of one, what one came to, and the undoing of one. */

import { z } from 'zod';
import { undoConflictSchema } from '../../api/schemas/fork-schemas.js';
import {
  effectsSchema,
  eventSchema,
  firingSchema,
  listedTransactionSchema,
  successSchema,
  transactionSchema,
} from '../../api/schemas/schemas.js';
import { requestFrame } from '../http/request-frame.js';
import { overOptions, overQueryShape } from './call-schemas.js';
import { type App, deadlineOf, frame, pagingOf, pagingShape, placeBody, type ServerContext } from './server-context.js';

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
          individual: z
            .string()
            .optional()
            .describe('Only transactions that tell of it, also of one that is gone; `first` has those events.'),
          relation: z
            .string()
            .optional()
            .describe('Only those that changed this concept, field or stored relation. With `individual`, of it.'),
        }),
        response: { 200: successSchema(z.array(listedTransactionSchema), { nextCursor: z.string().optional() }) },
      },
    },
    async (request) => {
      const { first, individual, relation, ...paged } = request.query;
      const paging = pagingOf(context, paged);
      const session = await runtime.enter(requestFrame(request));
      const page = await session.transactions(Number(first ?? 0), paging, deadlineOf(context, request), {
        individual,
        relation,
      });
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
      const page = await session.transaction(Number(request.params.txn), paging, deadlineOf(context, request));
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
      const result = await session.transactionEffects(Number(request.params.txn), deadlineOf(context, request));
      return { result, ...frame(context, request) };
    },
  );
}

export function registerUndoneTransactions(app: App, context: ServerContext): void {
  app.post(
    '/v1/transactions/:txn/undo',
    {
      config: { capability: 'fork' },
      schema: {
        summary: 'Undo one transaction',
        description:
          'Writes back on the fork what a transaction of its history wrote, as one more transaction under the guards of the fork. What came since stays, but for fields that it changed again. A dry run answers alike and keeps nothing. The body may be left out.',
        params,
        body: placeBody,
        querystring: z.strictObject(overQueryShape),
        response: {
          200: successSchema(transactionSchema, {
            txn: z.number().int().nullable(),
            events: z.array(eventSchema),
            warnings: z.array(firingSchema),
            conflicts: z.array(undoConflictSchema),
          }),
        },
      },
    },
    async (request) => {
      const session = await context.runtime.enter(requestFrame(request, request.body ?? {}));
      const answer = await session.undoTransaction(
        Number(request.params.txn),
        overOptions(request.query),
        deadlineOf(context, request),
      );
      const { result, txn, events, warnings, conflicts } = answer;
      return {
        ...{ result, txn, events: [...events], warnings: [...warnings], conflicts: [...conflicts] },
        ...frame(context, request),
      };
    },
  );
}
