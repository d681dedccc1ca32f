/** The body of a batch request from the log: its steps if all of them can be shown, else the reason, and their location. */

import { batchLocation } from '../facts/locations.js';
import type { BatchSteps } from './calls.js';

export type BatchBody = { readonly steps: BatchSteps } | { readonly problem: string };

/** All steps or none, because references count them. */
export function readBatchBody(body: unknown): BatchBody {
  const steps = isObject(body) ? body['steps'] : undefined;
  if (!Array.isArray(steps)) return { problem: 'The request has no list of steps.' };
  const wrong = steps.findIndex((step) => !isStep(step));
  if (wrong < 0) return { steps: steps as BatchSteps };
  return { problem: `Step ${wrong} must name one query, mutation or function, with an object of arguments.` };
}

/** In the URL of the Invoke panel: the steps that replace those of the batch. */
export const STEPS_PARAMETER = 'steps';

/** The location of the batch with these steps. */
export function stepsLocation(steps: BatchSteps): string {
  return `${batchLocation()}&${new URLSearchParams({ [STEPS_PARAMETER]: JSON.stringify(steps) }).toString()}`;
}

function isStep(step: unknown): boolean {
  if (!isObject(step)) return false;
  const { args = {}, query, mutation, compute, ...others } = step;
  const named = [query, mutation, compute].filter((path) => path !== undefined);
  const isNamed = named.length === 1 && typeof named[0] === 'string' && named[0] !== '';
  return isNamed && isObject(args) && Object.keys(others).length === 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
