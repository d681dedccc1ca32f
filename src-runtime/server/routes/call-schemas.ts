/** What queries and mutations are asked with in the query string, and what they answer: declared ones and those sent as text. */

import { z } from 'zod';
import type { Capability } from '../../api/schemas/health-schemas.js';
import { jsonSchema, mutationQueryShape, mutationSiblings, successSchema } from '../../api/schemas/schemas.js';
import type { MutateOptions, MutationAnswer } from '../../world/contract/requests.js';
import { badRequest } from '../http/envelope.js';
import { pagingShape, type ServerContext } from './server-context.js';

export const queryCall = {
  querystring: z.strictObject(pagingShape),
  response: { 200: successSchema(jsonSchema, { nextCursor: z.string().optional() }) },
};

export const mutationCall = {
  querystring: z.strictObject(mutationQueryShape),
  response: { 200: successSchema(jsonSchema, mutationSiblings) },
};

/** Of what is written over the parent of a fork. */
export const overQueryShape = { dryRun: mutationQueryShape.dryRun, explain: mutationQueryShape.explain };

export function overOptions({ dryRun, explain }: Readonly<Record<keyof typeof overQueryShape, 'true' | 'false'>>) {
  return { dryRun: dryRun === 'true', explain: explain === 'true' };
}

/** What a request asks of the mutation that it runs. */
export function mutateOptions({
  query,
  carried,
}: {
  readonly query: Readonly<Record<keyof typeof mutationQueryShape, 'true' | 'false'>>;
  readonly carried: readonly Capability[];
}): MutateOptions {
  return {
    dryRun: query.dryRun === 'true',
    effects: query.effects === 'true',
    explain: query.explain === 'true',
    granted: carried,
  };
}

/** The same under the wire's type, whose arrays are not read-only. */
export function wireWritten({ events, warnings, ...rest }: MutationAnswer) {
  return { ...rest, events: [...events], warnings: [...warnings] };
}

/** Throws VALIDATION_FAILED for more steps than a batch may have. */
export function requireBatchSteps(context: ServerContext, steps: readonly unknown[], path: string): void {
  const { batchSteps } = context.settings.limits;
  if (steps.length <= batchSteps) return;
  const message = `A batch has ${batchSteps} steps at most, and this one has ${steps.length}; send it in parts.`;
  throw badRequest(message, { path, batchSteps });
}
