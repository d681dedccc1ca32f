/** The server itself: probes, health, error codes, this document, and the log of requests. */

import { z } from 'zod';
import { errorRowSchema, healthSchema } from '../schemas/health-schemas.js';
import { timeSchema } from '../schemas/moment.js';
import {
  requestDetailSchema,
  requestFilterShape,
  requestListSiblings,
  requestSummarySchema,
} from '../schemas/request-log.js';
import { defineOperation, document, lines, page, pageOrStream, result, text } from './define-operation.js';
import { pagingShape, wholeNumber } from './parameters.js';

const onServer = { runsOn: 'server', capability: null, writes: false } as const;

export const server = {
  liveness: defineOperation({
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the process is up',
    ...onServer,
    response: result(z.object({ status: z.literal('ok') })),
  }),
  readiness: defineOperation({
    method: 'GET',
    path: '/readyz',
    summary: 'Whether the next request would be served, and the next write kept',
    description:
      'Writes, syncs and renames a file in the data directory, and waits half a second for scopes whose history is being read. Those are up to 16 scopes with the longest histories; the first request of another tenant opens its scope. Without a module, only the storage must be ready.',
    ...onServer,
    response: result(z.object({ status: z.literal('ready') })),
  }),
  metrics: defineOperation({
    method: 'GET',
    path: '/metrics',
    summary: "Metrics in Prometheus' text format",
    ...onServer,
    response: text(),
  }),
  health: defineOperation({
    method: 'GET',
    path: '/v1/health',
    summary: 'State, limits and capabilities',
    ...onServer,
    response: result(healthSchema),
  }),
  errors: defineOperation({
    method: 'GET',
    path: '/v1/errors',
    summary: 'All error codes',
    ...onServer,
    // Not strict: clients that explain an error may send what they like.
    query: z.object(pagingShape),
    response: page(z.array(errorRowSchema)),
  }),
  openapi: defineOperation({
    method: 'GET',
    path: '/v1/openapi.json',
    summary: 'This document',
    ...onServer,
    response: document(z.looseObject({ openapi: z.literal('3.1.0') })),
  }),
  backup: defineOperation({
    method: 'GET',
    path: '/v1/backup',
    summary: 'The history of all scopes, for `entail restore`',
    description:
      'Lines of JSON: the format, the scopes with their forks and transactions in order, and a last line with counts and the SHA-256 of the lines before it. Without that line the backup is not complete. What is written meanwhile is left out. An erasure, a rename or an archived scope meanwhile ends the response early; request it again.',
    ...onServer,
    query: z.strictObject({
      compactBefore: timeSchema
        .optional()
        .describe(
          'Replaces everything before this time by one transaction with the facts of then, and leaves out the forks that were closed by then.',
        ),
    }),
    response: lines(z.looseObject({ kind: z.string().optional() })),
  }),
  requests: defineOperation({
    method: 'GET',
    path: '/v1/requests',
    summary: 'The last requests, newest first',
    description:
      'The requests since the start of the server, as many as it keeps. With "Accept: text/event-stream", a stream of the requests that end from now on, or after the one that the header Last-Event-ID names. The id of a message is the seq of its request. Reading this log is not logged.',
    ...onServer,
    query: z.strictObject({
      ...requestFilterShape,
      after: wholeNumber.optional().describe('Only requests with a higher seq.'),
      ...pagingShape,
    }),
    response: pageOrStream(z.array(requestSummarySchema), requestListSiblings, {
      row: 'request',
      pageOnly: ['limit', 'page', 'after'],
    }),
  }),
  request: defineOperation({
    method: 'GET',
    path: '/v1/requests/:requestId',
    summary: 'One request with its bodies',
    ...onServer,
    params: z.object({ requestId: z.string() }),
    response: result(requestDetailSchema),
  }),
};
