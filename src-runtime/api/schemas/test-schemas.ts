/** Tests of the loaded module on the wire. */

import { z } from 'zod';
import { explanationSchema, suggestionsSchema } from './explanation-schemas.js';
import { sourceFileSchema } from './module-schemas.js';
import { diagnosticSchema, membersSchema, spanSchema } from './schemas.js';

/** The name and position of a `test` block of the loaded module. */
export const moduleTestSchema = z
  .object({ module: z.string(), name: z.string(), span: spanSchema })
  .meta({ id: 'ModuleTest' });
export type ModuleTestInfo = z.infer<typeof moduleTestSchema>;

/** Fields of the list of tests apart from its rows. */
export const testsSiblings = {
  available: z.boolean().describe('False if the sources of the module, which contain its tests, are unknown.'),
  loadedAt: z.string().describe('When the module was loaded; a reload that only changes tests changes it too.'),
};

export const runTestsRequestSchema = z
  .object({
    tests: z
      .array(z.object({ module: z.string(), name: z.string() }).strict())
      .min(1)
      .optional()
      .describe('The tests to run, in this order; all by default.'),
  })
  .strict()
  .meta({ id: 'RunTestsRequest' });
export type RunTestsRequest = z.input<typeof runTestsRequestSchema>;

export const testResultSchema = z
  .object({
    module: z.string(),
    name: z.string(),
    passed: z.boolean(),
    ms: z.number(),
    failure: z
      .object({
        message: z.string(),
        text: z.string().describe('The statement that failed, as written, on one line.'),
        span: spanSchema,
        values: membersSchema
          .optional()
          .describe('The values of the names and sides of a comparison where the expectation stops.'),
        names: z
          .record(z.string(), z.string())
          .optional()
          .describe('Labels, by id, of individuals that the test created and the failure mentions.'),
        facts: z
          .array(explanationSchema)
          .optional()
          .describe('A proof or why-not of each fact that was expected or not.'),
        suggestions: suggestionsSchema
          .optional()
          .describe(
            'If no fact explains the failure: changes that would meet the condition of the `expect` or `require`.',
          ),
      })
      .optional(),
  })
  .meta({ id: 'TestResult' });
export type TestResult = z.infer<typeof testResultSchema>;

export const tryTestsRequestSchema = runTestsRequestSchema
  .extend({
    files: z
      .array(sourceFileSchema.strict())
      .min(1, 'must name a file')
      .describe('Texts that replace the saved ones; other files stay as they are.'),
  })
  .meta({ id: 'TryTestsRequest' });
export type TryTestsRequest = z.input<typeof tryTestsRequestSchema>;

/** The results of tests in unsaved texts. */
export const triedTestsSchema = z
  .object({
    diagnostics: z.array(diagnosticSchema).describe('Of the texts. No test runs if there are errors.'),
    tests: z.array(testResultSchema),
    isCut: z.boolean().describe('True if the time was up before the last test.'),
  })
  .meta({ id: 'TriedTests' });
export type TriedTests = z.infer<typeof triedTestsSchema>;

const testNameSchema = z.object({ module: z.string(), name: z.string() });

/** A clause of a rule, define or check, or a callable, with its coverage by tests. */
export const coverageRowSchema = z
  .object({
    path: z.string(),
    kind: z.enum(['rule', 'define', 'check', 'query', 'mutation', 'function']),
    clause: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe('Which of several clauses; absent for a single clause, and for a callable.'),
    span: spanSchema,
    tests: z
      .array(testNameSchema)
      .describe(
        'For a clause: the tests that read its relation where it holds. For a callable: the tests that call it.',
      ),
    missedBy: testNameSchema
      .nullable()
      .describe(
        'For a clause: a test that passes and would fail without it. Null without such a test, and for a callable.',
      ),
  })
  .meta({ id: 'CoverageRow' });
export type CoverageRow = z.infer<typeof coverageRowSchema>;

/** Fields of a page of the coverage apart from its rows. */
export const coverageSiblings = {
  loadedAt: testsSiblings.loadedAt,
  total: z.number().int().min(0).describe('Rows of all pages.'),
};
