/** Tests of the loaded module on the wire. */

import { z } from 'zod';
import { explanationSchema } from './explanation-schemas.js';
import { sourceFileSchema } from './module-schemas.js';
import { diagnosticSchema, membersSchema, spanSchema } from './schemas.js';

/** The name and position of a `test` block of the loaded module. */
export const moduleTestSchema = z
  .object({ module: z.string(), name: z.string(), span: spanSchema })
  .meta({ id: 'ModuleTest' });
export type ModuleTestInfo = z.infer<typeof moduleTestSchema>;

/** Fields of the list of tests apart from its rows. */
export const testsSiblings = {
  available: z.boolean().describe('False where the sources of the module, in which its tests stand, are not known.'),
  loadedAt: z.string().describe('When the module was loaded; a reload that changes nothing but tests changes it too.'),
};

export const runTestsRequestSchema = z
  .object({
    tests: z
      .array(z.object({ module: z.string(), name: z.string() }).strict())
      .min(1)
      .optional()
      .describe('Those to run, in this order; all where it is absent.'),
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
          .describe('What the names and the sides of a comparison stand for where the expectation stops.'),
        names: z
          .record(z.string(), z.string())
          .optional()
          .describe('What the individuals are called that the test made and the failure mentions, by id.'),
        facts: z
          .array(explanationSchema)
          .optional()
          .describe('A proof or why-not of each fact that was expected or not.'),
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
      .describe('Texts in the place of those that are saved; files that are not named are as they are.'),
  })
  .meta({ id: 'TryTestsRequest' });
export type TryTestsRequest = z.input<typeof tryTestsRequestSchema>;

/** The results of tests in unsaved texts. */
export const triedTestsSchema = z
  .object({
    diagnostics: z.array(diagnosticSchema).describe('Of the texts. With errors among them no test is run.'),
    tests: z.array(testResultSchema),
    isCut: z.boolean().describe('True where time ran short before the last test.'),
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
      .describe('Which clause of several; absent of the only one, and of a callable.'),
    span: spanSchema,
    tests: z
      .array(testNameSchema)
      .describe(
        'Of a clause those that read its relation where it holds of something; of a callable those that call it.',
      ),
    missedBy: testNameSchema
      .nullable()
      .describe(
        'Of a clause: a test that passes and would fail without it. Null where there is none, and of a callable.',
      ),
  })
  .meta({ id: 'CoverageRow' });
export type CoverageRow = z.infer<typeof coverageRowSchema>;

/** Fields of a page of the coverage apart from its rows. */
export const coverageSiblings = {
  loadedAt: testsSiblings.loadedAt,
  total: z.number().int().min(0).describe('Rows of all pages.'),
};
