/** The `test` blocks of the loaded module, run on facts of their own that are thrown away. */

import { z } from 'zod';
import { successSchema } from '../../api/schemas.js';
import { moduleTestSchema, runTestsRequestSchema, testResultSchema, testsSiblings } from '../../api/test-schemas.js';
import { type App, budgetOf, frame, pagingOf, pagingShape, type ServerContext } from '../server-context.js';

const nextCursor = z.string().optional();
const clock = { now: () => performance.now() };

export function registerTests(app: App, context: ServerContext): void {
  const { runtime } = context;

  app.get(
    '/v1/tests',
    {
      schema: {
        summary: 'The tests of the loaded module',
        querystring: z.strictObject(pagingShape),
        response: { 200: successSchema(z.array(moduleTestSchema), { ...testsSiblings, nextCursor }) },
      },
    },
    async (request) => ({ ...runtime.tests(pagingOf(context, request.query)), ...frame(context, request) }),
  );

  app.post(
    '/v1/tests/run',
    {
      schema: {
        summary: 'Run tests',
        description:
          'All tests, or those that the body names, one after the other, each on ground truth alone. No other test is begun once half of the time of a request is used: nextCursor goes on from there. A request that names one test gives it all the time. Work ends where the client hangs up.',
        body: runTestsRequestSchema,
        querystring: z.strictObject(pagingShape),
        response: { 200: successSchema(z.array(testResultSchema), { nextCursor }) },
      },
    },
    async (request) => {
      const paging = pagingOf(context, request.query);
      const budget = budgetOf(context, request);
      const run = { clock, mayBegin: budget.isAmple, createPacer: budget.rest };
      return { ...(await runtime.runTests(request.body.tests, paging, run)), ...frame(context, request) };
    },
  );
}
