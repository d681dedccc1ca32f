/** The wire forms of the request log. */

import { z } from 'zod';

const count = z.number().int().min(0);

/** A request with its response, without bodies. */
export const requestSummarySchema = z
  .object({
    seq: z.number().int().min(1).describe('Counts the requests of this server, in the order in which they ended.'),
    requestId: z.string(),
    at: z.string().describe('When it came.'),
    method: z.string(),
    path: z.string().describe('With its query string.'),
    status: z.number().int(),
    ms: z.number().describe('Until the answer was out.'),
    code: z.string().optional().describe('The error code, where it failed.'),
    fork: z.string().optional().describe('The fork that it ran on; absent where it concerns none.'),
    tenant: z.string().optional().describe('The tenant that its header or body names; absent where it names none.'),
    subject: z.string().optional().describe('What its body names: the path of a callable or relation.'),
    client: z.string().optional().describe('What the client calls itself in the header x-entail-client.'),
    bytes: count.describe('Of the answer.'),
    unfinished: z.boolean().optional().describe('The client was gone before the answer was out.'),
  })
  .meta({ id: 'RequestSummary' });
export type RequestSummary = z.infer<typeof requestSummarySchema>;

const recordedBodySchema = z
  .object({
    text: z.string(),
    bytes: count.describe('Of the whole body.'),
    cut: z.boolean().describe('The text is only its beginning.'),
  })
  .meta({ id: 'RecordedBody' });
export type RecordedBody = z.infer<typeof recordedBodySchema>;

/** In the order in which a request passes them. */
export const PHASES = ['receiving', 'waiting', 'evaluating', 'guarding', 'storing', 'encoding', 'sending'] as const;

export const requestDetailSchema = requestSummarySchema
  .extend({
    phases: z
      .array(z.object({ phase: z.enum(PHASES), ms: z.number() }))
      .optional()
      .describe(
        'Where its time went, all of it together: until it had come whole and was admitted; waiting for writers before it; evaluating; guarding by checks; storing; writing the answer down; sending it. Those that it has none of are left out.',
      ),
    moduleHash: z.string().describe('Of the module that was loaded when it ended.'),
    headers: z
      .record(z.string(), z.string())
      .describe('Those of the request that say what it asks, where and for whom.'),
    body: recordedBodySchema.nullable(),
    answerHeaders: z.record(z.string(), z.string()),
    answer: recordedBodySchema.nullable(),
    erased: z.boolean().optional().describe('Its bodies went when an individual was forgotten.'),
  })
  .meta({ id: 'RequestDetail' });
export type RequestDetail = z.infer<typeof requestDetailSchema>;

/** Fields of a list of requests apart from its rows. */
export const requestListSiblings = {
  log: z.object({
    id: z.string().describe('Another one after a restart, when numbers begin again.'),
    lastSeq: count,
    requestsMax: count.describe('How many are kept; 0 where the log is off.'),
  }),
};
export type RequestLogState = z.infer<(typeof requestListSiblings)['log']>;

export const requestFilterShape = {
  status: z
    .string()
    .regex(/^[1-5](xx|[0-9]{2})$/, 'must be a status such as 404, or a class such as 4xx')
    .optional(),
  code: z.string().optional().describe('An error code, whole.'),
  method: z.string().optional(),
  text: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Words in the path, the subject, the client or the request id, in whatever case; `-word` for none with it.',
    ),
  content: z
    .string()
    .max(200)
    .optional()
    .describe(
      'The same, also in what was sent, its context in headers included, and answered, as far as that is kept.',
    ),
  fork: z.string().optional(),
  tenant: z.string().optional(),
  client: z.string().optional().describe('Only requests of this client.'),
  notClient: z.string().optional().describe('None of this client.'),
};
const requestFilterSchema = z.object(requestFilterShape);
export type RequestFilter = z.infer<typeof requestFilterSchema>;
