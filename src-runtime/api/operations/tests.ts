/** The `test` blocks of the loaded module, run on facts that are thrown away. */

import { z } from 'zod';
import {
  coverageRowSchema,
  coverageSiblings,
  moduleTestSchema,
  runTestsRequestSchema,
  testResultSchema,
  testsSiblings,
  triedTestsSchema,
  tryTestsRequestSchema,
} from '../schemas/test-schemas.js';
import { defineOperation, page, result } from './define-operation.js';
import { pagingShape } from './parameters.js';

const onModule = { runsOn: 'server', capability: null, writes: false } as const;

export const tests = {
  tests: defineOperation({
    method: 'GET',
    path: '/v1/tests',
    summary: 'The tests of the loaded module',
    ...onModule,
    query: z.strictObject(pagingShape),
    response: page(z.array(moduleTestSchema), testsSiblings),
  }),
  runTests: defineOperation({
    method: 'POST',
    path: '/v1/tests/run',
    summary: 'Run tests',
    description:
      'All tests, or those that the body names, one after the other, each on ground truth alone. No other test is begun once half of the time of a request is used: nextCursor goes on from there. A request that names one test gives it all the time. Work ends where the client hangs up.',
    ...onModule,
    query: z.strictObject(pagingShape),
    body: runTestsRequestSchema,
    response: page(z.array(testResultSchema)),
  }),
  tryTests: defineOperation({
    method: 'POST',
    path: '/v1/tests/try',
    summary: 'Run tests of texts that are not saved',
    description:
      'Compiles the files in the place of those that are saved, and runs their tests, all or those that the body names, each on ground truth alone. Nothing is written or loaded.',
    ...onModule,
    capability: 'reload',
    body: tryTestsRequestSchema,
    response: result(triedTestsSchema),
  }),
  testCoverage: defineOperation({
    method: 'GET',
    path: '/v1/tests/coverage',
    summary: 'What the tests have to do with each clause and callable',
    description:
      'In the order of the sources. All tests are run first, then those that meet a clause without it, until one fails. No further test is begun once half of the time of a request is used: nextCursor goes on from there, behind a page without rows too. What is known is kept until the next load.',
    ...onModule,
    query: z.strictObject(pagingShape),
    response: page(z.array(coverageRowSchema), coverageSiblings),
  }),
};
