/** The wire forms of the request log. */

import { z } from 'zod';
import { jsonSchema } from './schemas.js';

const count = z.number().int().min(0);

/** A request with its response, without bodies. */
export const requestSummarySchema = z
  .object({
    seq: z.number().int().min(1).describe('Numbers the requests of this server in the order in which they ended.'),
    requestId: z.string(),
    at: z.string().describe('When the request arrived.'),
    method: z.string(),
    path: z.string().describe('With the query string.'),
    status: z.number().int(),
    ms: z.number().describe('Until the response was sent.'),
    code: z.string().optional().describe('The error code of a failure.'),
    fork: z.string().optional().describe('The fork that it ran on, if any.'),
    tenant: z.string().optional().describe('The tenant in its header or body, if any.'),
    subject: z.string().optional().describe('What its body names: the path of a callable or relation.'),
    args: z
      .array(z.object({ name: z.string(), value: jsonSchema }))
      .optional()
      .describe(
        'The first arguments of a call, or values of an explained tuple by position; … stands for the rest of a long value.',
      ),
    client: z.string().optional().describe("The client's name in the header x-entail-client."),
    bytes: count.describe('Of the response.'),
    unfinished: z.boolean().optional().describe('The client disconnected before the response was sent.'),
  })
  .meta({ id: 'RequestSummary' });
export type RequestSummary = z.infer<typeof requestSummarySchema>;

const recordedBodySchema = z
  .object({
    text: z.string(),
    bytes: count.describe('Of the whole body.'),
    cut: z.boolean().describe('The text is truncated.'),
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
        'Splits the whole time into phases: receiving and admission; waiting for earlier writers; evaluating; guarding by checks; storing; serializing the response; sending it. Unused phases are left out.',
      ),
    moduleHash: z.string().describe('Of the module that was loaded when the request ended.'),
    headers: z.record(z.string(), z.string()).describe('Headers that say what is requested, where and for whom.'),
    body: recordedBodySchema.nullable(),
    answerHeaders: z.record(z.string(), z.string()),
    answer: recordedBodySchema.nullable(),
    erased: z.boolean().optional().describe('The bodies were erased because an individual was forgotten.'),
  })
  .meta({ id: 'RequestDetail' });
export type RequestDetail = z.infer<typeof requestDetailSchema>;

/** Fields of a list of requests apart from its rows. */
export const requestListSiblings = {
  log: z.object({
    id: z.string().describe('Changes with a restart, when numbers start again.'),
    lastSeq: count,
    requestsMax: count.describe('How many are kept; 0 if the log is off.'),
  }),
};
export type RequestLogState = z.infer<(typeof requestListSiblings)['log']>;

export const requestFilterShape = {
  status: z
    .string()
    .regex(/^[1-5](xx|[0-9]{2})$/, 'must be a status such as 404, or a class such as 4xx')
    .optional(),
  code: z.string().optional().describe('A complete error code.'),
  method: z.string().optional(),
  text: z
    .string()
    .max(200)
    .optional()
    .describe('Words in the path, subject, client or request id, in any case; `-word` excludes.'),
  content: z.string().max(200).optional().describe('The same, also in recorded bodies and in the context of headers.'),
  fork: z.string().optional(),
  tenant: z.string().optional(),
  client: z.string().optional().describe('Only requests of this client.'),
  notClient: z.string().optional().describe('Without requests of this client.'),
};
const requestFilterSchema = z.object(requestFilterShape);
export type RequestFilter = z.infer<typeof requestFilterSchema>;
