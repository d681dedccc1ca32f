/** Why a fact holds, or why it does not. */

import { z } from 'zod';
import { explainRequestSchema } from '../../api/schemas/explain-request.js';
import { explanationSchema } from '../../api/schemas/explanation-schemas.js';
import type { Capability } from '../../api/schemas/health-schemas.js';
import { explainAdhocRequestSchema, explainRowRequestSchema, successSchema } from '../../api/schemas/schemas.js';
import type { Candidate, ExplainWish, TriedCall } from '../../world/contract/requests.js';
import { requireGranted } from '../../world/wire/granted.js';
import { badRequest } from '../http/envelope.js';
import { requestFrame } from '../http/request-frame.js';
import { wireDiagnostics } from '../modules/loader.js';
import { requireBatchSteps } from './call-schemas.js';
import { type App, deadlineOf, frame, type Place, type ServerContext } from './server-context.js';

const PROOFS_MAX = 100;

export const proofsShape = {
  proofs: z
    .string()
    .refine((text) => /^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= PROOFS_MAX, {
      error: `must be a whole number from 1 to ${PROOFS_MAX}`,
    })
    .default('1')
    .describe('Different proofs to give, at most.'),
};

const querystring = z.strictObject({
  ...proofsShape,
  suggest: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Where the fact does not hold: say which changes of stored facts would make it hold.'),
  ending: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Where the fact holds: say which changes of stored facts would end it.'),
});

function wishOf({ proofs, suggest, ending }: z.infer<typeof querystring>): ExplainWish {
  return { proofs: Number(proofs), suggest: suggest === 'true', ending: ending === 'true' };
}

const response = { 200: successSchema(explanationSchema) };

export function registerExplain(app: App, context: ServerContext, { path: place, params }: Place): void {
  const { runtime } = context;

  app.post(
    `${place}/explain`,
    {
      schema: {
        summary: 'Prove a tuple, or say why it does not hold',
        params,
        body: explainRequestSchema,
        querystring,
        response,
      },
    },
    async (request) => {
      const { relation, tuple, given, before, moduleHash, after } = request.body;
      const isOfModule = after !== undefined && 'files' in after;
      const candidate = isOfModule ? await candidateOf(context, after, request.carried) : undefined;
      const call = after === undefined || isOfModule ? undefined : requireCall(context, after);
      const session = await runtime.enter(requestFrame(request, request.body));
      const tried = call && { call, granted: request.carried };
      const wish = { ...wishOf(request.query), given, before, moduleHash, after: tried, candidate };
      const deadline = deadlineOf(context, request);
      return { result: await session.explain(relation, tuple, deadline, wish), ...frame(context, request) };
    },
  );
}

type After = NonNullable<z.output<typeof explainRequestSchema>['after']>;
type AfterSave = Extract<After, { readonly files: unknown }>;

/** Throws CAPABILITY_DENIED, and VALIDATION_FAILED for texts that do not compile. */
async function candidateOf(
  { loader }: ServerContext,
  { files, whole = false }: AfterSave,
  carried: readonly Capability[],
): Promise<Candidate> {
  requireGranted('reload', carried);
  const { artifact, sources, diagnostics } = await loader.compileWith(files, whole);
  if (artifact !== undefined) return { artifact, sources };
  throw badRequest('$.after.files have errors, so that nothing can be explained by their rules; mend them first.', {
    path: '$.after.files',
    diagnostics: wireDiagnostics(diagnostics),
  });
}

/** Throws what the call does that is asked for by itself, before it runs. */
function requireCall(context: ServerContext, after: Exclude<After, AfterSave>): TriedCall['call'] {
  if ('steps' in after) {
    requireBatchSteps(context, after.steps, '$.after.steps');
    return after;
  }
  if ('import' in after) return { import: { ...after.import, keys: after.import.keys ?? {} } };
  if ('promote' in after || 'update' in after || 'pick' in after) {
    return { ...after, keep: after.keep === 'parent' ? 'all' : (after.keep ?? []) };
  }
  if (!('source' in after)) return after;
  const call = { module: undefined, ...after };
  context.runtime.prepareAdhoc('mutation', call);
  return call;
}

/** A row of a query, and of a query or derive that no module declares. */
export function registerRowExplanations(app: App, context: ServerContext, { path: place, params }: Place): void {
  const { runtime } = context;
  app.post(
    `${place}/dispatch/query/explain`,
    {
      schema: {
        summary: 'Prove a row of a query, or say why it is none',
        params,
        body: explainRowRequestSchema,
        querystring: querystring.pick({ proofs: true }),
        response,
      },
    },
    async (request) => {
      const { path, ...asked } = request.body;
      const deadline = deadlineOf(context, request);
      const session = await runtime.enter(requestFrame(request, request.body));
      const wish = { proofs: Number(request.query.proofs) };
      return { result: await session.explainRow(path, asked, deadline, wish), ...frame(context, request) };
    },
  );
  app.post(
    `${place}/query/adhoc/explain`,
    {
      schema: {
        summary: 'Prove a row of a query or derive that is sent as text, or say why it is none',
        params,
        body: explainAdhocRequestSchema,
        querystring: querystring.pick({ proofs: true }),
        response,
      },
    },
    async (request) => {
      const { source, module, tuple, args, row = null } = request.body;
      const text = { source, module };
      const deadline = deadlineOf(context, request);
      runtime.prepareAdhoc('query', text);
      const session = await runtime.enter(requestFrame(request, request.body));
      const wish = { proofs: Number(request.query.proofs) };
      const explanation =
        tuple === undefined
          ? session.explainAdhocRow(text, { args, row }, deadline, wish)
          : session.explainAdhoc(text, tuple, deadline, wish);
      return { result: await explanation, ...frame(context, request) };
    },
  );
}

/** On the fork of the header. */
export function registerFactExplanations(app: App, context: ServerContext): void {
  const { runtime } = context;
  app.get(
    '/v1/derived/facts/:factId/explain',
    { schema: { summary: 'Prove one fact', params: z.object({ factId: z.string() }), querystring, response } },
    async (request) => {
      const session = await runtime.enter(requestFrame(request));
      return {
        result: await session.explainFact(request.params.factId, deadlineOf(context, request), wishOf(request.query)),
        ...frame(context, request),
      };
    },
  );
}
