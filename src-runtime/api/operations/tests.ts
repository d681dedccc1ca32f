/** The `test` blocks of the loaded module. They run on temporary facts. */

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
      'Runs all tests, or those that the body names, one after the other, each on ground truth alone. No further test begins once half of the time of a request is used: nextCursor continues from there. A single test gets all the time. Work ends if the client disconnects.',
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
      'Compiles the files in place of the saved ones and runs their tests, all or those that the body names, each on ground truth alone. Nothing is written or loaded.',
    ...onModule,
    capability: 'reload',
    body: tryTestsRequestSchema,
    response: result(triedTestsSchema),
  }),
  testCoverage: defineOperation({
    method: 'GET',
    path: '/v1/tests/coverage',
    summary: 'Coverage of each clause and callable by the tests',
    description:
      'In the order of the sources. Runs all tests, then for each clause the tests that reach it, without that clause, until one fails. No further test begins once half of the time of a request is used: nextCursor continues from there, even if the page has no rows. Results are kept until the next load.',
    ...onModule,
    query: z.strictObject(pagingShape),
    response: page(z.array(coverageRowSchema), coverageSiblings),
  }),
};
