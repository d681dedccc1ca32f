/** Calls of declared queries, mutations and functions, and ad-hoc queries and mutations. */

import { z } from 'zod';
import { batchRequestSchema, batchStepResultSchema } from '../schemas/batch-schemas.js';
import { importRequestSchema, importSiblings, importSummarySchema } from '../schemas/import-schemas.js';
import { queryProfileSchema } from '../schemas/profile-schemas.js';
import { adhocRequestSchema, dispatchRequestSchema, jsonSchema, mutationSiblings } from '../schemas/schemas.js';
import { defineOperation, page, result } from './define-operation.js';
import { mutationQueryShape, pagingShape } from './parameters.js';

const reading = { runsOn: 'eachFork', capability: null, writes: false, readsPast: true } as const;
const writing = { runsOn: 'eachFork', capability: null, writes: true } as const;

export const calls = {
  query: defineOperation({
    method: 'POST',
    path: '/v1/dispatch/query',
    summary: 'Run a query',
    ...reading,
    query: z.strictObject(pagingShape),
    body: dispatchRequestSchema,
    response: page(jsonSchema),
    streamsRows: true,
  }),
  mutation: defineOperation({
    method: 'POST',
    path: '/v1/dispatch/mutation',
    summary: 'Run a mutation',
    ...writing,
    takesKey: true,
    query: z.strictObject(mutationQueryShape),
    body: dispatchRequestSchema,
    response: result(jsonSchema, mutationSiblings),
  }),
  compute: defineOperation({
    method: 'POST',
    path: '/v1/dispatch/compute',
    summary: 'Evaluate a function',
    ...reading,
    body: dispatchRequestSchema,
    response: result(jsonSchema),
  }),
  queryAdhoc: defineOperation({
    method: 'POST',
    path: '/v1/query/adhoc',
    summary: 'Run a query or derive that is sent as text',
    ...reading,
    query: z.strictObject(pagingShape),
    body: adhocRequestSchema,
    response: page(jsonSchema),
    streamsRows: true,
  }),
  mutateAdhoc: defineOperation({
    method: 'POST',
    path: '/v1/mutation/adhoc',
    summary: 'Run a mutation that is sent as text',
    ...writing,
    takesKey: true,
    query: z.strictObject(mutationQueryShape),
    body: adhocRequestSchema,
    response: result(jsonSchema, mutationSiblings),
  }),
  profile: defineOperation({
    method: 'POST',
    path: '/v1/dispatch/query/profile',
    summary: 'Profile a query',
    ...reading,
    body: dispatchRequestSchema,
    response: result(queryProfileSchema),
  }),
  profileAdhoc: defineOperation({
    method: 'POST',
    path: '/v1/query/adhoc/profile',
    summary: 'Profile a query or derive that is sent as text',
    ...reading,
    body: adhocRequestSchema,
    response: result(queryProfileSchema),
  }),
  batch: defineOperation({
    method: 'POST',
    path: '/v1/batch',
    summary: 'Run queries, mutations and functions as one transaction',
    ...writing,
    takesKey: true,
    query: z.strictObject(mutationQueryShape),
    body: batchRequestSchema,
    response: result(z.array(batchStepResultSchema)),
  }),
  import: defineOperation({
    method: 'POST',
    path: '/v1/import',
    summary: 'Run one mutation, or insert, for many rows as one transaction',
    description:
      'All rows or none, unless `rejects` is true. A failure has the code of the first row that fails, and lists the others in `details.failures`. As `application/x-ndjson`, the first line is the body without `rows`, and each later line is a row.',
    ...writing,
    query: z.strictObject(mutationQueryShape),
    body: importRequestSchema,
    takesLines: true,
    response: result(importSummarySchema, importSiblings),
  }),
};
