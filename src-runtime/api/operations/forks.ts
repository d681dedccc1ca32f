/** Forks: listed, created, labelled, updated, promoted, given the changes of another, discarded and derived. */

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

/** What is beside the result of a write that merges the changes of a fork or of a transaction. */
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
      'A snapshot of its parent as it is now, or with asOf as it was: what is written to the parent later is not seen. The body may be left out.',
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
    description: 'It stays readable. The body may be left out.',
    ...writing,
    params: forkParams,
    body: placeBody,
    response: result(forkInfoSchema),
  }),
  labelFork: defineOperation({
    method: 'PATCH',
    path: '/v1/forks/:fork',
    summary: 'Call a fork otherwise',
    description:
      'Sets the label of a fork, open or closed, or takes it away. Its id, its facts and its history stay as they are. Those who follow the history of the scope are told by a message "fork".',
    ...writing,
    params: forkParams,
    body: labelForkRequestSchema,
    response: result(forkInfoSchema),
  }),
  updateFork: defineOperation({
    method: 'POST',
    path: '/v1/forks/:fork/update',
    summary: 'Bring a fork up to date with its parent',
    description:
      'Creates a fork of its parent as that is now, which begins with what this one has changed, by a transaction of its own that no guard is asked about: warnings has the firings of blocking checks too. The fork itself stays as it is. A dry run answers 200 alike and keeps nothing. The body may be left out.',
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
      'Writes what the fork changed onto its parent, as one transaction under the guards of the parent, and closes it. A dry run answers alike and keeps nothing. The body may be left out.',
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
      'Writes back what the promotion of this fork wrote onto its parent, as one transaction under the guards of the parent. The fork stays closed. A dry run answers alike and keeps nothing. The body may be left out.',
    ...writing,
    params: forkParams,
    query: z.strictObject({ dryRun, explain }),
    body: placeBody,
    response: result(forkInfoSchema, mergedShape(undoConflictSchema)),
  }),
  pickTransaction: defineOperation({
    method: 'POST',
    path: '/v1/forks/:fork/pick',
    summary: 'Pick one transaction of another fork',
    description:
      'Writes what a transaction of the history of another fork changed, all in all, onto this fork, as one transaction under its guards. It is merged as a promotion is, with the same conflicts. What is there already is not written, and txn is null where that is all. A dry run answers alike and keeps nothing.',
    ...writing,
    params: forkParams,
    query: z.strictObject({ ...mutationQueryShape, ...keepShape }),
    body: pickRequestSchema,
    response: result(transactionSchema, {
      ...mergedShape(forkConflictSchema),
      effects: effectsSchema.optional().describe('With effects=true: every fact that changed, derived ones too.'),
    }),
  }),
  deriveFork: defineOperation({
    method: 'POST',
    path: '/v1/forks/:fork/derive',
    summary: 'Evaluate every rule and keep what that found',
    description: 'The body may be left out.',
    ...reading,
    params: forkParams,
    body: placeBody,
    response: result(derivedProjectionSchema),
  }),
  forkProjection: defineOperation({
    method: 'GET',
    path: '/v1/forks/:fork/derived',
    summary: 'What the last derive found',
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
