/** The history of a fork: its events, and its transactions. */

import { z } from 'zod';
import { undoConflictSchema } from '../schemas/fork-schemas.js';
import {
  effectsSchema,
  eventSchema,
  listedTransactionSchema,
  transactionSchema,
  violationOriginsSchema,
} from '../schemas/schemas.js';
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
      'With "Accept: text/event-stream", a stream of all events from now on, or after the one that the header Last-Event-ID names. The id of a message is the seq of its event. A message "fork" has the record of a fork of the scope whose label changed, and no id. A failure after the start is a message "error" with the envelope, and ends the stream.',
    runsOn: 'fork',
    capability: null,
    writes: false,
    readsPast: true,
    query: z.strictObject(pagingShape),
    response: pageOrStream(z.array(eventSchema), {}, { row: 'event', pageOnly: ['limit', 'page', 'asOf'] }),
  }),
  transactions: defineOperation({
    method: 'GET',
    path: '/v1/transactions',
    summary: 'The transactions of the fork and its ancestors, newest first',
    runsOn: 'fork',
    capability: null,
    writes: false,
    readsPast: true,
    query: z.strictObject({
      ...pagingShape,
      first: z
        .string()
        .regex(/^[0-9]$/, 'must be a whole number from 0 to 9')
        .transform(Number)
        .optional()
        .describe('How many of the first events of each transaction to include.'),
      individual: z
        .string()
        .optional()
        .describe('Only transactions that mention this individual, deleted or not; `first` has those events.'),
      relation: z
        .string()
        .optional()
        .describe(
          'Only transactions that changed this concept, field or stored relation. With `individual`, only for it.',
        ),
    }),
    response: page(z.array(listedTransactionSchema)),
  }),
  transaction: defineOperation({
    method: 'GET',
    path: '/v1/transactions/:txn',
    summary: 'The events of one transaction, and its cause',
    runsOn: 'fork',
    capability: null,
    writes: false,
    readsPast: true,
    params,
    query: z.strictObject(pagingShape),
    response: page(z.array(eventSchema), { transaction: transactionSchema }),
  }),
  transactionEffects: defineOperation({
    method: 'GET',
    path: '/v1/transactions/:txn/effects',
    summary: 'The net changes of one transaction: stored facts, conclusions and firings',
    description:
      'Replays the history before it under the rules that are loaded now. What does not fit in the time of the request is listed as unknown.',
    runsOn: 'fork',
    capability: null,
    writes: false,
    readsPast: true,
    params,
    response: result(effectsSchema),
  }),
  violationOrigins: defineOperation({
    method: 'GET',
    path: '/v1/checks/origins',
    summary: 'The transaction since which each violation exists',
    description: 'Replays the history under the rules that are loaded now.',
    runsOn: 'fork',
    capability: null,
    writes: false,
    readsPast: true,
    response: result(violationOriginsSchema),
  }),
  undoTransaction: defineOperation({
    method: 'POST',
    path: '/v1/transactions/:txn/undo',
    summary: 'Undo one transaction',
    description:
      'Reverts on the fork what a transaction of its history wrote, as a new transaction that the checks guard. Later changes stay, except for fields that it sets again. A dry run keeps nothing. The body is optional.',
    runsOn: 'fork',
    capability: 'fork',
    writes: true,
    params,
    query: z.strictObject(mutationQueryShape).omit({ effects: true }),
    body: placeBody,
    response: result(transactionSchema, mergedShape(undoConflictSchema)),
  }),
};
