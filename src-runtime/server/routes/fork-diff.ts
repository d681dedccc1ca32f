/** How two forks differ, and what a promotion or an update would change: the rows of each, and how many there are by relation. */

import { z } from 'zod';
import { forkDiffCountSchema, forkDiffRowSchema } from '../../api/schemas/fork-schemas.js';
import { successSchema } from '../../api/schemas/schemas.js';
import { DIFF_LAYERS, DIFF_SIDES, type DiffLayer, type DiffSide } from '../../api/schemas/wire-constants.js';
import type { DiffFilter, PromotionFilter } from '../../world/contract/requests.js';
import type { ForkOperations } from '../../world/contract/runtime.js';
import { keepShape, keptOfParent } from '../http/kept-of-parent.js';
import { requestFrame } from '../http/request-frame.js';
import {
  type App,
  deadlineOf,
  forkParams,
  frame,
  pagingOf,
  pagingShape,
  type ServerContext,
} from './server-context.js';

export function registerForkDiff(app: App, context: ServerContext): void {
  registerDiff(app, context);
  for (const preview of PREVIEWS) registerPreview(app, context, preview);
}

const layer = z.enum(DIFF_LAYERS).optional().describe('This layer alone.');
const relation = z.string().optional().describe('This relation alone, whichever layer it is of.');
const sides = z
  .string()
  .refine((text) => sidesOf(text) !== undefined, { error: `must be of ${DIFF_SIDES.join(', ')}, with commas between` })
  .optional()
  .describe(
    'Which rows, with commas between: `left` and `right` for what one side has and the other has nothing in place of, `both` for the values of a field that has one on each side. All of them where it is absent.',
  );
const rows = { 200: successSchema(z.array(forkDiffRowSchema), { nextCursor: z.string().optional() }) };
const counts = { 200: successSchema(z.array(forkDiffCountSchema)) };

function registerDiff(app: App, context: ServerContext): void {
  const params = forkParams.extend({ other: z.string() });
  app.get(
    '/v1/forks/:fork/diff/:other',
    {
      schema: {
        summary: 'Facts that only one of two forks has',
        description: 'Stored facts, unless something else is asked for.',
        params,
        querystring: z.strictObject({
          derived: z.enum(['true', 'false']).default('false').describe('Derived facts too.'),
          layer,
          relation,
          sides,
          ...pagingShape,
        }),
        response: rows,
      },
    },
    async (request) => {
      const paging = pagingOf(context, request.query);
      const session = await context.runtime.enter(requestFrame(request));
      const otherwise: readonly DiffLayer[] = request.query.derived === 'true' ? ['stored', 'derived'] : ['stored'];
      const filter = filterOf(request.query, otherwise);
      const page = await session.diff(request.params.other, filter, paging, deadlineOf(context, request));
      return { ...page, ...frame(context, request) };
    },
  );
  app.get(
    '/v1/forks/:fork/diff/:other/counts',
    {
      schema: {
        summary: 'How many facts and firings only one of two forks has, by relation',
        params,
        querystring: z.strictObject({ layer }),
        response: counts,
      },
    },
    async (request) => {
      const session = await context.runtime.enter(requestFrame(request));
      const filter = filterOf(request.query, DIFF_LAYERS);
      const result = await session.diffCounts(request.params.other, filter, deadlineOf(context, request));
      return { result, ...frame(context, request) };
    },
  );
}

/** What a promotion, or bringing a fork up to date, would change. */
interface Preview {
  readonly path: 'promotion' | 'update';
  readonly summary: string;
  readonly description: string;
  readonly summaryOfCounts: string;
  readonly list: (session: ForkOperations) => ForkOperations['promotion'];
  readonly count: (session: ForkOperations) => ForkOperations['promotionCounts'];
}

const PREVIEWS: readonly Preview[] = [
  {
    path: 'promotion',
    summary: 'What promoting a fork would change on its parent',
    description:
      'The facts and firings that the parent would lose (left) and gain (right), what follows among them, whatever its guards say. Nothing is kept.',
    summaryOfCounts: 'How much promoting a fork would change on its parent, by relation',
    list: (session) => session.promotion.bind(session),
    count: (session) => session.promotionCounts.bind(session),
  },
  {
    path: 'update',
    summary: 'What bringing a fork up to date would change on it',
    description:
      'The facts and firings that it would lose (left) and gain (right) with what its parent has written since it was made, what follows among them. Nothing is kept.',
    summaryOfCounts: 'How much bringing a fork up to date would change on it, by relation',
    list: (session) => session.incoming.bind(session),
    count: (session) => session.incomingCounts.bind(session),
  },
];

/** Like a dry run these wait for their turn to write, so they need what a promotion needs. */
function registerPreview(app: App, context: ServerContext, preview: Preview): void {
  const config = { capability: 'fork' } as const;
  const { path, summary, description, summaryOfCounts, list, count } = preview;
  app.get(
    `/v1/forks/:fork/${path}`,
    {
      config,
      schema: {
        summary,
        description,
        params: forkParams,
        querystring: z.strictObject({ layer, relation, sides, ...keepShape, ...pagingShape }),
        response: rows,
      },
    },
    async (request) => {
      const paging = pagingOf(context, request.query);
      const session = await context.runtime.enter(requestFrame(request));
      const page = await list(session)(previewOf(request.query), paging, deadlineOf(context, request));
      return { ...page, ...frame(context, request) };
    },
  );
  app.get(
    `/v1/forks/:fork/${path}/counts`,
    {
      config,
      schema: {
        summary: summaryOfCounts,
        params: forkParams,
        querystring: z.strictObject({ layer, ...keepShape }),
        response: counts,
      },
    },
    async (request) => {
      const session = await context.runtime.enter(requestFrame(request));
      const result = await count(session)(previewOf(request.query), deadlineOf(context, request));
      return { result, ...frame(context, request) };
    },
  );
}

function previewOf(query: Parameters<typeof filterOf>[0] & { readonly keep?: string | undefined }): PromotionFilter {
  return { ...filterOf(query, DIFF_LAYERS), keep: keptOfParent(query.keep) };
}

function filterOf(
  query: {
    readonly layer?: DiffLayer | undefined;
    readonly relation?: string | undefined;
    readonly sides?: string | undefined;
  },
  otherwise: readonly DiffLayer[],
): DiffFilter {
  return {
    layers: query.layer === undefined ? otherwise : [query.layer],
    relation: query.relation,
    sides: query.sides === undefined ? undefined : sidesOf(query.sides),
  };
}

/** Undefined where it names anything else. */
function sidesOf(text: string): DiffSide[] | undefined {
  return z.array(z.enum(DIFF_SIDES)).safeParse(text.split(',')).data;
}
