/** Lists of facts: individuals, relations, violations of checks, and the export of a scope. */

import { z } from 'zod';
import { snapshotSchema } from '../schemas/fork-schemas.js';
import {
  checkStateSchema,
  count,
  entitySchema,
  factSchema,
  firingSchema,
  listedFactSchema,
  listSiblings,
  relationCountSchema,
} from '../schemas/schemas.js';
import { defineOperation, page, result } from './define-operation.js';
import { listingShape, pagingShape } from './parameters.js';

const reading = { runsOn: 'fork', capability: null, writes: false, readsPast: true } as const;

export const individualParams = z.object({ id: z.string().describe('`#i3`, or a declared name as `@module::name`.') });

const relationParams = z.object({ path: z.string().describe('Qualified path.') });

export const facts = {
  individuals: defineOperation({
    method: 'GET',
    path: '/v1/individuals',
    summary: 'Entities',
    description: 'With a class, columns are `$id` and its stored fields; through a reference those of its class.',
    ...reading,
    query: z.strictObject({
      class: z.string().optional().describe('Qualified path of a concept or define.'),
      ...listingShape,
    }),
    response: result(z.array(entitySchema), listSiblings),
    streamsRows: true,
  }),
  individual: defineOperation({
    method: 'GET',
    path: '/v1/individuals/:id',
    summary: 'One entity',
    ...reading,
    params: individualParams,
    response: result(entitySchema),
  }),
  storedOf: defineOperation({
    method: 'GET',
    path: '/v1/stored/individuals/:id',
    summary: 'The stored facts that mention an individual',
    description: 'Each has its origin: declared by the module, or stored by a transaction.',
    ...reading,
    params: individualParams,
    query: z.strictObject(pagingShape),
    response: page(z.array(listedFactSchema)),
  }),
  derivedOf: defineOperation({
    method: 'GET',
    path: '/v1/derived/individuals/:id',
    summary: 'The derived facts that mention an individual',
    ...reading,
    params: individualParams,
    query: z.strictObject(pagingShape),
    response: page(z.array(factSchema)),
  }),
  relation: defineOperation({
    method: 'GET',
    path: '/v1/relations/:path',
    summary: 'Facts of one relation',
    description: 'Columns are the endpoints and, through a reference, the stored fields of its class: `tenant.name`.',
    ...reading,
    params: relationParams,
    query: z.strictObject(listingShape),
    response: result(z.array(listedFactSchema), listSiblings),
    streamsRows: true,
  }),
  countRelation: defineOperation({
    method: 'GET',
    path: '/v1/relations/:path/count',
    summary: 'How many facts of one relation match a filter',
    description: 'Evaluates the relation if it is derived, unlike /v1/counts.',
    ...reading,
    params: relationParams,
    query: z.strictObject({ filter: listingShape.filter }),
    response: result(z.object({ facts: count })),
  }),
  counts: defineOperation({
    method: 'GET',
    path: '/v1/counts',
    summary: 'How many facts each relation, class, field and check has',
    description: 'Evaluates nothing: the counts of derived facts are those of the last evaluation.',
    ...reading,
    query: z.strictObject({}),
    response: result(z.array(relationCountSchema)),
  }),
  checks: defineOperation({
    method: 'GET',
    path: '/v1/checks',
    summary: 'Current firings',
    ...reading,
    runsOn: 'eachFork',
    query: z.strictObject({ check: z.string().optional().describe('Qualified path.'), ...pagingShape }),
    response: page(z.array(firingSchema)),
  }),
  checkStates: defineOperation({
    method: 'GET',
    path: '/v1/checks/states',
    summary: 'How often each check fires',
    description:
      'All checks, those without firings included. A check that cannot be evaluated has its failure in place of a count.',
    ...reading,
    runsOn: 'eachFork',
    query: z.strictObject(pagingShape),
    response: page(z.array(checkStateSchema)),
  }),
  snapshot: defineOperation({
    method: 'GET',
    path: '/v1/snapshot',
    summary: 'Schema and facts of the scope',
    ...reading,
    query: z.strictObject({
      include: z.literal('derived').optional().describe('Includes derived facts.'),
      ...pagingShape,
    }),
    response: page(snapshotSchema),
  }),
};
