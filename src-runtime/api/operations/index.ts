/** Every operation of the `/v1` API, by name. */

import { calls } from './calls.js';
import { comparisons } from './comparisons.js';
import type { OperationDefinition } from './define-operation.js';
import { explanations } from './explanations.js';
import { facts } from './facts.js';
import { files } from './files.js';
import { forks } from './forks.js';
import { history } from './history.js';
import { live } from './live.js';
import { module } from './module.js';
import { projects } from './projects.js';
import { server } from './server.js';
import { tests } from './tests.js';

export const OPERATIONS = {
  ...server,
  ...module,
  ...projects,
  ...files,
  ...calls,
  ...live,
  ...explanations,
  ...facts,
  ...history,
  ...forks,
  ...comparisons,
  ...tests,
};

export type Operations = typeof OPERATIONS;
export type OperationName = keyof Operations;

/** The paths of an operation: its own and, if it runs on each fork, the one under the fork. */
export function pathsOf({ path, runsOn }: OperationDefinition): readonly string[] {
  return runsOn === 'eachFork' ? [path, path.replace('/v1/', '/v1/forks/:fork/')] : [path];
}
