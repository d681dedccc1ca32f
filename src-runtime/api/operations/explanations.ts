/** Explanations: why a fact or a row of a query holds, or why it does not. */

import { z } from 'zod';
import { explainRequestSchema } from '../schemas/explain-request.js';
import { explanationSchema } from '../schemas/explanation-schemas.js';
import { explainAdhocRequestSchema, explainRowRequestSchema } from '../schemas/schemas.js';
import { defineOperation, page, result } from './define-operation.js';
import { individualParams } from './facts.js';
import { flag, pagingShape, proofsShape } from './parameters.js';

const reading = { runsOn: 'eachFork', capability: null, writes: false, readsPast: true } as const;

const query = z.strictObject({
  ...proofsShape,
  suggest: flag('If the fact does not hold: suggests changes of stored facts that would make it true.'),
  ending: flag(
    'If the fact holds: suggests changes of stored facts that would make it false. With `after`, changes before that call, which is explained even if a check refuses it. If a `require` refuses it, the path of its mutation as relation and an empty tuple ask for changes that meet it.',
  ),
});

export const explanations = {
  explain: defineOperation({
    method: 'POST',
    path: '/v1/explain',
    summary: 'Prove a tuple, or explain why it does not hold',
    ...reading,
    // With `after` it runs a call and rolls it back.
    writes: true,
    query,
    body: explainRequestSchema,
    response: result(explanationSchema),
  }),
  explainRow: defineOperation({
    method: 'POST',
    path: '/v1/dispatch/query/explain',
    summary: 'Prove a row of a query, or explain why it is missing',
    ...reading,
    query: z.strictObject(proofsShape),
    body: explainRowRequestSchema,
    response: result(explanationSchema),
  }),
  explainAdhoc: defineOperation({
    method: 'POST',
    path: '/v1/query/adhoc/explain',
    summary: 'Prove a row of a query or derive that is sent as text, or explain why it is missing',
    ...reading,
    query: z.strictObject(proofsShape),
    body: explainAdhocRequestSchema,
    response: result(explanationSchema),
  }),
  explainFact: defineOperation({
    method: 'GET',
    path: '/v1/derived/facts/:factId/explain',
    summary: 'Prove one fact',
    ...reading,
    runsOn: 'fork',
    params: z.object({ factId: z.string() }),
    query,
    response: result(explanationSchema),
  }),
  explainDerivedOf: defineOperation({
    method: 'GET',
    path: '/v1/derived/individuals/:id/explain',
    summary: 'The proofs of the derived facts that mention an individual',
    description: 'The proofs share the node limit; a truncated one is marked.',
    ...reading,
    runsOn: 'fork',
    params: individualParams,
    query: z.strictObject({ ...pagingShape, ...proofsShape }),
    response: page(z.array(explanationSchema)),
  }),
};
