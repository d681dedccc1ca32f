/** What a declaration gives while it is being edited. */

import { liveRequestSchema, liveResultSchema } from '../schemas/live-schemas.js';
import { defineOperation, result } from './define-operation.js';

export const live = {
  live: defineOperation({
    method: 'POST',
    path: '/v1/live',
    summary: 'What the declaration at a cursor gives under unsaved texts',
    description:
      'Compiles the files in place of the saved ones and evaluates the declaration at the cursor over the facts of the fork: rows of a derive, define, concept or relation, violations of a check, the result of a query or function, the outcome of a test. Rows that the texts add or remove against the running module are marked, and each condition of a clause has the number of bindings left after it. Declarations with errors are left out, and so is what uses them. Nothing is written. Work ends if the client disconnects.',
    runsOn: 'eachFork',
    capability: null,
    writes: false,
    readsPast: true,
    body: liveRequestSchema,
    response: result(liveResultSchema),
  }),
};
