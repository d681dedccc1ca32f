/** The history of a fork: its events, and its transactions. */

import { z } from 'zod';
import { undoConflictSchema } from '../schemas/fork-schemas.js';
import { effectsSchema, eventSchema, listedTransactionSchema, transactionSchema } from '../schemas/schemas.js';
import { defineOperation, page, pageOrStream, result } from './define-operation.js';
import { mergedShape } from './forks.js';
import { mutationQueryShape, pagingShape, placeBody, wholeNumber } from './parameters.js';

const params = z.object({ txn: wholeNumber });

export const history = {
  events: defineOperation({
    method: 'GET',
    path: '/v1/events',
    summary: 'The history of the scope',
    description:
      'With "Accept: text/event-stream" the events that come from now on, as they come, or those after the one that the header Last-Event-ID names. The id of a message is the seq of its event. A message "fork" has the record of a fork of the scope that got another label, and no id. A failure after the start is a message "error" with the envelope, and the end.',
    runsOn: 'fork',
    capability: null,
    writes: false,
    query: z.strictObject(pagingShape),
    response: pageOrStream(z.array(eventSchema), {}, { row: 'event', pageOnly: ['limit', 'page'] }),
  }),
  transactions: defineOperation({
    method: 'GET',
    path: '/v1/transactions',
    summary: 'The transactions of the fork and of what it was made from, the last first',
    runsOn: 'fork',
    capability: null,
    writes: false,
    query: z.strictObject({
      ...pagingShape,
      first: z
        .string()
        .regex(/^[0-9]$/, 'must be a whole number from 0 to 9')
        .transform(Number)
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
    response: page(z.array(listedTransactionSchema)),
  }),
  transaction: defineOperation({
    method: 'GET',
    path: '/v1/transactions/:txn',
    summary: 'The events of one transaction, and what caused them',
    runsOn: 'fork',
    capability: null,
    writes: false,
    params,
    query: z.strictObject(pagingShape),
    response: page(z.array(eventSchema), { transaction: transactionSchema }),
  }),
  transactionEffects: defineOperation({
    method: 'GET',
    path: '/v1/transactions/:txn/effects',
    summary: 'What one transaction changed all in all: stored facts, what follows from them, and firings',
    description:
      'The history before it is replayed for that, under the rules that are loaded now. What the time of the request does not suffice for is told as unknown.',
    runsOn: 'fork',
    capability: null,
    writes: false,
    params,
    response: result(effectsSchema),
  }),
  undoTransaction: defineOperation({
    method: 'POST',
    path: '/v1/transactions/:txn/undo',
    summary: 'Undo one transaction',
    description:
      'Writes back on the fork what a transaction of its history wrote, as one more transaction under the guards of the fork. What came since stays, but for fields that it changed again. A dry run answers alike and keeps nothing. The body may be left out.',
    runsOn: 'fork',
    capability: 'fork',
    writes: true,
    params,
    query: z.strictObject(mutationQueryShape).omit({ effects: true }),
    body: placeBody,
    response: result(transactionSchema, mergedShape(undoConflictSchema)),
  }),
};
