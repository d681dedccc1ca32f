/** Every operation of the `/v1` API, by name. */

import type { OperationDefinition } from './define-operation.js';
import { history } from './history.js';

export const OPERATIONS = { ...history };

export type Operations = typeof OPERATIONS;
export type OperationName = keyof Operations;

/** Where an operation is found: at its path and, if it runs on each fork, under the path of the fork. */
export function pathsOf({ path, runsOn }: OperationDefinition): readonly string[] {
  return runsOn === 'eachFork' ? [path, path.replace('/v1/', '/v1/forks/:fork/')] : [path];
}
