/** Forks: list, create, label, rebase, promote, cherry-pick, discard and derive. */

import { z } from 'zod';
import {
  createForkRequestSchema,
  derivedProjectionSchema,
  deriveTraceEntrySchema,
  forkConflictSchema,
  forkInfoSchema,
  labelForkRequestSchema,
  pickRequestSchema,
  undoConflictSchema,
  updateForkRequestSchema,
} from '../schemas/fork-schemas.js';
import { effectsSchema, eventSchema, firingSchema, transactionSchema } from '../schemas/schemas.js';
import { created, defineOperation, page, result } from './define-operation.js';
import { forkParams, keepShape, mutationQueryShape, pagingShape, placeBody } from './parameters.js';

const reading = { runsOn: 'fork', capability: null, writes: false } as const;
const writing = { runsOn: 'fork', capability: 'fork', writes: true } as const;

const { dryRun, explain } = mutationQueryShape;

/** Fields of a merge's response apart from its result. */
export function mergedShape<Conflict extends z.ZodType>(conflict: Conflict) {
  return {
    txn: z.number().int().nullable(),
    events: z.array(eventSchema),
    warnings: z.array(firingSchema),
    conflicts: z.array(conflict),
  };
}

export const forks = {
  forks: defineOperation({
    method: 'GET',
    path: '/v1/forks',
    summary: 'All forks, main first',
    ...reading,
    runsOn: 'scope',
    query: z.strictObject(pagingShape),
    response: page(z.array(forkInfoSchema)),
  }),
  createFork: defineOperation({
    method: 'POST',
    path: '/v1/forks',
    summary: 'Create a fork',
    description:
      'A snapshot of its parent as it is now, or with asOf as it was. Later writes to the parent are not seen. The body is optional.',
    ...writing,
    runsOn: 'scope',
    body: createForkRequestSchema.nullish(),
    response: created(forkInfoSchema),
  }),
  fork: defineOperation({
    method: 'GET',
    path: '/v1/forks/:fork',
    summary: 'One fork',
    ...reading,
    params: forkParams,
    response: result(forkInfoSchema),
  }),
  abortFork: defineOperation({
    method: 'DELETE',
    path: '/v1/forks/:fork',
    summary: 'Abort a fork',
    description: 'It stays readable. The body is optional.',
    ...writing,
    params: forkParams,
    body: placeBody,
    response: result(forkInfoSchema),
  }),
  labelFork: defineOperation({
    method: 'PATCH',
    path: '/v1/forks/:fork',
    summary: 'Label a fork',
    description:
      'Sets or removes the label of an open or closed fork. Its id, its facts and its history do not change. Followers of the history of the scope receive a message "fork".',
    ...writing,
    params: forkParams,
    body: labelForkRequestSchema,
    response: result(forkInfoSchema),
  }),
  updateFork: defineOperation({
    method: 'POST',
    path: '/v1/forks/:fork/update',
    summary: 'Update a fork with the changes of its parent',
    description:
      'Creates a fork of the parent as it is now, and repeats the changes of this fork there as one transaction. No check blocks it: warnings includes firings of blocking checks. This fork does not change. A dry run responds with 200 and keeps nothing. The body is optional.',
    ...writing,
    params: forkParams,
    query: z.strictObject({ dryRun, ...keepShape }),
    body: updateForkRequestSchema.nullish(),
    response: created(forkInfoSchema, mergedShape(forkConflictSchema)),
  }),
  promoteFork: defineOperation({
    method: 'POST',
    path: '/v1/forks/:fork/promote',
    summary: 'Promote a fork',
    description:
      'Writes the changes of the fork to its parent, as one transaction that the checks of the parent guard, and closes the fork. A dry run keeps nothing. The body is optional.',
    ...writing,
    params: forkParams,
    query: z.strictObject({ dryRun, explain, ...keepShape }),
    body: placeBody,
    response: result(forkInfoSchema, mergedShape(forkConflictSchema)),
  }),
  undoPromotion: defineOperation({
    method: 'POST',
    path: '/v1/forks/:fork/promote/undo',
    summary: 'Undo a promotion',
    description:
      'Reverts on the parent what the promotion of this fork wrote, as one transaction that the checks of the parent guard. The fork stays closed. A dry run keeps nothing. The body is optional.',
    ...writing,
    params: forkParams,
    query: z.strictObject({ dryRun, explain }),
    body: placeBody,
    response: result(forkInfoSchema, mergedShape(undoConflictSchema)),
  }),
  pickTransaction: defineOperation({
    method: 'POST',
    path: '/v1/forks/:fork/pick',
    summary: 'Cherry-pick a transaction of another fork',
    description:
      'Writes the net changes of a transaction in the history of another fork to this fork, as one transaction that the checks guard. It merges as a promotion does, with the same conflicts. Facts that exist already are not written; if nothing else is left, txn is null. A dry run keeps nothing.',
    ...writing,
    params: forkParams,
    query: z.strictObject({ ...mutationQueryShape, ...keepShape }),
    body: pickRequestSchema,
    response: result(transactionSchema, {
      ...mergedShape(forkConflictSchema),
      effects: effectsSchema.optional().describe('With effects=true: every fact that changed, including derived ones.'),
    }),
  }),
  deriveFork: defineOperation({
    method: 'POST',
    path: '/v1/forks/:fork/derive',
    summary: 'Evaluate every rule and keep the profile',
    description: 'The body is optional.',
    ...reading,
    params: forkParams,
    body: placeBody,
    response: result(derivedProjectionSchema),
  }),
  forkProjection: defineOperation({
    method: 'GET',
    path: '/v1/forks/:fork/derived',
    summary: 'The profile of the last derive',
    ...reading,
    params: forkParams,
    response: result(derivedProjectionSchema),
  }),
  deriveTrace: defineOperation({
    method: 'GET',
    path: '/v1/forks/:fork/derive/trace',
    summary: 'The last derive, round by round',
    ...reading,
    params: forkParams,
    query: z.strictObject(pagingShape),
    response: page(z.array(deriveTraceEntrySchema), { cut: z.boolean().describe('Only the first runs were kept.') }),
  }),
};
