/** The `test` blocks of the loaded module, run on facts of their own that are thrown away. */

import { z } from 'zod';
import { successSchema } from '../../api/schemas/schemas.js';
import {
  coverageRowSchema,
  coverageSiblings,
  moduleTestSchema,
  runTestsRequestSchema,
  testResultSchema,
  testsSiblings,
  triedTestsSchema,
  tryTestsRequestSchema,
} from '../../api/schemas/test-schemas.js';
import type { TestRun } from '../../world/contract/runtime.js';
import type { TimeBudget } from '../http/deadline.js';
import { wireDiagnostics } from '../modules/loader.js';
import { type App, frame, pagingOf, pagingShape, type ServerContext, timeBudgetOf } from './server-context.js';

const nextCursor = z.string().optional();
const clock = { now: () => performance.now() };

export function registerTests(app: App, context: ServerContext): void {
  const { runtime, loader } = context;

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
      const run = runWithin(timeBudgetOf(context, request));
      return { ...(await runtime.runTests(request.body.tests, paging, run)), ...frame(context, request) };
    },
  );

  app.post(
    '/v1/tests/try',
    {
      config: { capability: 'reload' },
      schema: {
        summary: 'Run tests of texts that are not saved',
        description:
          'Compiles the files in the place of those that are saved, and runs their tests, all or those that the body names, each on ground truth alone. Nothing is written or loaded.',
        body: tryTestsRequestSchema,
        response: { 200: successSchema(triedTestsSchema) },
      },
    },
    async (request) => {
      const { files, tests: wanted } = request.body;
      const { artifact, tests = [], diagnostics } = await loader.compileWith(files);
      const isCompiled = artifact !== undefined && !(artifact instanceof Uint8Array);
      const run = runWithin(timeBudgetOf(context, request));
      const tried = isCompiled ? await runtime.tryTests({ artifact, tests }, wanted, run) : { tests: [], isCut: false };
      return { result: { diagnostics: wireDiagnostics(diagnostics), ...tried }, ...frame(context, request) };
    },
  );

  app.get(
    '/v1/tests/coverage',
    {
      schema: {
        summary: 'What the tests have to do with each clause and callable',
        description:
          'In the order of the sources. All tests are run first, then those that meet a clause without it, until one fails. No further test is begun once half of the time of a request is used: nextCursor goes on from there, behind a page without rows too. What is known is kept until the next load.',
        querystring: z.strictObject(pagingShape),
        response: { 200: successSchema(z.array(coverageRowSchema), { ...coverageSiblings, nextCursor }) },
      },
    },
    async (request) => {
      const paging = pagingOf(context, request.query);
      const run = runWithin(timeBudgetOf(context, request));
      return { ...(await runtime.testCoverage(paging, run)), ...frame(context, request) };
    },
  );
}

function runWithin({ isAmple, rest }: TimeBudget): TestRun {
  return { clock, mayBegin: isAmple, createDeadline: rest };
}
