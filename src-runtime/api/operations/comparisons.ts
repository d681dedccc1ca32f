/** Differences between two forks, and previews of a promotion or rebase: rows, and counts by relation. */

import { z } from 'zod';
import { forkDiffCountSchema, forkDiffRowSchema } from '../schemas/fork-schemas.js';
import { DIFF_LAYERS } from '../schemas/wire-constants.js';
import { defineOperation, page, result } from './define-operation.js';
import { flag, forkParams, keepShape, otherMoment, pagingShape, sides } from './parameters.js';

const comparing = { runsOn: 'fork', capability: null, writes: false, readsPast: true } as const;
// A preview waits for earlier writers, like a dry run, so it needs the capability of the merge.
const previewing = { runsOn: 'fork', capability: 'fork', writes: true } as const;

const layer = z.enum(DIFF_LAYERS).optional().describe('Only this layer.');
const relation = z.string().optional().describe('Only this relation, of any layer.');
const otherAsOf = otherMoment.optional().describe('The moment of the other fork, or `now`; that of `asOf` by default.');
const pairParams = forkParams.extend({ other: z.string() });
const rowsQuery = z.strictObject({ layer, relation, sides, ...keepShape, ...pagingShape });
const countsQuery = z.strictObject({ layer, ...keepShape });
const rows = page(z.array(forkDiffRowSchema));
const counts = result(z.array(forkDiffCountSchema));

export const comparisons = {
  diffForks: defineOperation({
    method: 'GET',
    path: '/v1/forks/:fork/diff/:other',
    summary: 'Facts that only one of two forks has',
    description: 'Stored facts, unless the query string selects others.',
    ...comparing,
    params: pairParams,
    query: z.strictObject({
      derived: flag('Includes derived facts.'),
      layer,
      relation,
      sides,
      otherAsOf,
      ...pagingShape,
    }),
    response: rows,
  }),
  diffCounts: defineOperation({
    method: 'GET',
    path: '/v1/forks/:fork/diff/:other/counts',
    summary: 'How many facts and firings only one of two forks has, by relation',
    ...comparing,
    params: pairParams,
    query: z.strictObject({ layer, otherAsOf }),
    response: counts,
  }),
  previewPromotion: defineOperation({
    method: 'GET',
    path: '/v1/forks/:fork/promotion',
    summary: 'What promoting a fork would change on its parent',
    description:
      'The facts and firings that the parent would lose (left) and gain (right), derived facts included. Blocking checks are ignored, and nothing is kept.',
    ...previewing,
    params: forkParams,
    query: rowsQuery,
    response: rows,
  }),
  countPromotion: defineOperation({
    method: 'GET',
    path: '/v1/forks/:fork/promotion/counts',
    summary: 'How much promoting a fork would change on its parent, by relation',
    ...previewing,
    params: forkParams,
    query: countsQuery,
    response: counts,
  }),
  previewUpdate: defineOperation({
    method: 'GET',
    path: '/v1/forks/:fork/update',
    summary: 'What updating a fork would change on it',
    description:
      'The facts and firings that the fork would lose (left) and gain (right) through later writes of its parent, derived facts included. Nothing is kept.',
    ...previewing,
    params: forkParams,
    query: rowsQuery,
    response: rows,
  }),
  countUpdate: defineOperation({
    method: 'GET',
    path: '/v1/forks/:fork/update/counts',
    summary: 'How much updating a fork would change on it, by relation',
    ...previewing,
    params: forkParams,
    query: countsQuery,
    response: counts,
  }),
};
