/** Forks: listed, created, labelled, brought up to date, promoted, given what another has, and aborted. */

import { z } from 'zod';
import {
  createForkRequestSchema,
  forkConflictSchema,
  forkInfoSchema,
  labelForkRequestSchema,
  pickRequestSchema,
  undoConflictSchema,
  updateForkRequestSchema,
} from '../../api/schemas/fork-schemas.js';
import {
  effectsSchema,
  eventSchema,
  firingSchema,
  mutationQueryShape,
  successSchema,
  transactionSchema,
} from '../../api/schemas/schemas.js';
import type { PromoteAnswer } from '../../world/contract/requests.js';
import { keepShape, keptOfParent } from '../http/kept-of-parent.js';
import { requestFrame } from '../http/request-frame.js';
import { overOptions, overQueryShape } from './call-schemas.js';
import {
  type App,
  deadlineOf,
  frame,
  pagingOf,
  pagingShape,
  forkParams as params,
  placeBody,
  type ServerContext,
} from './server-context.js';

const record = successSchema(forkInfoSchema);

/** What is asked and answered where a fork is written onto its parent, or that is undone; `conflict` is one of its own. */
function writtenOver<Conflict extends z.ZodType, Query extends z.ZodRawShape>(conflict: Conflict, query: Query) {
  return {
    querystring: z.strictObject({ ...overQueryShape, ...query }),
    response: { 200: overAnswer(conflict) },
  };
}

function overAnswer<Conflict extends z.ZodType>(conflict: Conflict) {
  return successSchema(forkInfoSchema, overShape(conflict));
}

function overShape<Conflict extends z.ZodType>(conflict: Conflict) {
  return {
    txn: z.number().int().nullable(),
    events: z.array(eventSchema),
    warnings: z.array(firingSchema),
    conflicts: z.array(conflict),
  };
}

/** The same under the wire's type, whose arrays are not read-only. */
function wireOver<Result, Conflict>({
  result,
  txn,
  events,
  warnings,
  conflicts,
}: Omit<PromoteAnswer, 'result' | 'conflicts'> & {
  readonly result: Result;
  readonly conflicts: readonly Conflict[];
}) {
  return { result, txn, events: [...events], warnings: [...warnings], conflicts: [...conflicts] };
}

export function registerForks(app: App, context: ServerContext): void {
  registerCollection(app, context);
  registerOne(app, context);
  registerLabel(app, context);
  registerUpdate(app, context);
  registerPromote(app, context);
  registerUndo(app, context);
  registerPick(app, context);
}

/** These are about no fork in particular, so that a header that names one says nothing. */
function registerCollection(app: App, context: ServerContext): void {
  app.get(
    '/v1/forks',
    {
      schema: {
        summary: 'All forks, main first',
        querystring: z.strictObject(pagingShape),
        response: { 200: successSchema(z.array(forkInfoSchema), { nextCursor: z.string().optional() }) },
      },
    },
    async (request) => {
      const paging = pagingOf(context, request.query);
      const session = await context.runtime.enter({ ...requestFrame(request), forks: [] });
      return { ...(await session.forks(paging, deadlineOf(context, request))), ...frame(context, request) };
    },
  );
  app.post(
    '/v1/forks',
    {
      config: { capability: 'fork' },
      schema: {
        summary: 'Create a fork',
        description:
          'A snapshot of its parent as it is now, or with asOf as it was: what is written to the parent later is not seen. The body may be left out.',
        body: createForkRequestSchema.nullish(),
        response: { 201: record },
      },
    },
    async (request, reply) => {
      const body = request.body ?? {};
      const session = await context.runtime.enter({ ...requestFrame(request, body), forks: [] });
      const result = await session.createFork(body, deadlineOf(context, request));
      void reply.code(201);
      return { result, ...frame(context, request) };
    },
  );
}

function registerOne(app: App, context: ServerContext): void {
  app.get(
    '/v1/forks/:fork',
    { schema: { summary: 'One fork', params, response: { 200: record } } },
    async (request) => {
      const session = await context.runtime.enter(requestFrame(request));
      return { result: await session.forkInfo(), ...frame(context, request) };
    },
  );
  app.delete(
    '/v1/forks/:fork',
    {
      config: { capability: 'fork' },
      schema: {
        summary: 'Abort a fork',
        description: 'It stays readable. The body may be left out.',
        params,
        body: placeBody,
        response: { 200: record },
      },
    },
    async (request) => {
      const session = await context.runtime.enter(requestFrame(request, request.body ?? {}));
      return { result: await session.abort(deadlineOf(context, request)), ...frame(context, request) };
    },
  );
}

function registerLabel(app: App, context: ServerContext): void {
  app.patch(
    '/v1/forks/:fork',
    {
      config: { capability: 'fork' },
      schema: {
        summary: 'Call a fork otherwise',
        description:
          'Sets the label of a fork, open or closed, or takes it away. Its id, its facts and its history stay as they are. Those who follow the history of the scope are told by a message "fork".',
        params,
        body: labelForkRequestSchema,
        response: { 200: record },
      },
    },
    async (request) => {
      const session = await context.runtime.enter(requestFrame(request, request.body));
      return {
        result: await session.label(request.body.label, deadlineOf(context, request)),
        ...frame(context, request),
      };
    },
  );
}

function registerUpdate(app: App, context: ServerContext): void {
  app.post(
    '/v1/forks/:fork/update',
    {
      config: { capability: 'fork' },
      schema: {
        summary: 'Bring a fork up to date with its parent',
        description:
          'Creates a fork of its parent as that is now, which begins with what this one has changed, by a transaction of its own that no guard is asked about: warnings has the firings of blocking checks too. The fork itself stays as it is. A dry run answers 200 alike and keeps nothing. The body may be left out.',
        params,
        body: updateForkRequestSchema.nullish(),
        querystring: z.strictObject({ dryRun: overQueryShape.dryRun, ...keepShape }),
        response: { 200: overAnswer(forkConflictSchema), 201: overAnswer(forkConflictSchema) },
      },
    },
    async (request, reply) => {
      const body = request.body ?? {};
      const session = await context.runtime.enter(requestFrame(request, body));
      const dryRun = request.query.dryRun === 'true';
      const options = { id: body.id, dryRun, keep: keptOfParent(request.query.keep) };
      const answer = await session.update(options, deadlineOf(context, request));
      void reply.code(dryRun ? 200 : 201);
      return { ...wireOver(answer), ...frame(context, request) };
    },
  );
}

function registerPromote(app: App, context: ServerContext): void {
  app.post(
    '/v1/forks/:fork/promote',
    {
      config: { capability: 'fork' },
      schema: {
        summary: 'Promote a fork',
        description:
          'Writes what the fork changed onto its parent, as one transaction under the guards of the parent, and closes it. A dry run answers alike and keeps nothing. The body may be left out.',
        params,
        body: placeBody,
        ...writtenOver(forkConflictSchema, keepShape),
      },
    },
    async (request) => {
      const session = await context.runtime.enter(requestFrame(request, request.body ?? {}));
      const options = { ...overOptions(request.query), keep: keptOfParent(request.query.keep) ?? [] };
      const answer = await session.promote(options, deadlineOf(context, request));
      return { ...wireOver(answer), ...frame(context, request) };
    },
  );
}

function registerUndo(app: App, context: ServerContext): void {
  app.post(
    '/v1/forks/:fork/promote/undo',
    {
      config: { capability: 'fork' },
      schema: {
        summary: 'Undo a promotion',
        description:
          'Writes back what the promotion of this fork wrote onto its parent, as one transaction under the guards of the parent. The fork stays closed. A dry run answers alike and keeps nothing. The body may be left out.',
        params,
        body: placeBody,
        ...writtenOver(undoConflictSchema, {}),
      },
    },
    async (request) => {
      const session = await context.runtime.enter(requestFrame(request, request.body ?? {}));
      const answer = await session.undoPromotion(overOptions(request.query), deadlineOf(context, request));
      return { ...wireOver(answer), ...frame(context, request) };
    },
  );
}

function registerPick(app: App, context: ServerContext): void {
  app.post(
    '/v1/forks/:fork/pick',
    {
      config: { capability: 'fork' },
      schema: {
        summary: 'Pick one transaction of another fork',
        description:
          'Writes what a transaction of the history of another fork changed, all in all, onto this fork, as one transaction under its guards. It is merged as a promotion is, with the same conflicts. What is there already is not written, and txn is null where that is all. A dry run answers alike and keeps nothing.',
        params,
        body: pickRequestSchema,
        querystring: z.strictObject({ ...mutationQueryShape, ...keepShape }),
        response: {
          200: successSchema(transactionSchema, {
            ...overShape(forkConflictSchema),
            effects: effectsSchema.optional().describe('With effects=true: every fact that changed, derived ones too.'),
          }),
        },
      },
    },
    async (request) => {
      const { body, query } = request;
      const session = await context.runtime.enter(requestFrame(request, body));
      const options = {
        ...{ from: body.from, txn: body.txn, keep: keptOfParent(query.keep) ?? [] },
        ...{ ...overOptions(query), effects: query.effects === 'true' },
      };
      const { effects, ...answer } = await session.pick(options, deadlineOf(context, request));
      return { ...wireOver(answer), ...(effects !== undefined && { effects }), ...frame(context, request) };
    },
  );
}
