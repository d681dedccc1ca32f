/** The live operation on the wire: what the declaration at a cursor gives, under texts that are not saved. */

import { z } from 'zod';
import { explanationSchema } from './explanation-schemas.js';
import { sourceFileSchema } from './module-schemas.js';
import { count, diagnosticSchema, jsonSchema, membersSchema, spanSchema, typeSchema } from './schemas.js';
import { testResultSchema } from './test-schemas.js';

export const liveRequestSchema = z
  .object({
    files: z
      .array(sourceFileSchema.strict())
      .describe('Texts that replace the saved ones; other files stay as they are.'),
    whole: z
      .boolean()
      .optional()
      .describe('These are all files of the module. Only for a server that was started without files.'),
    file: z.string().describe('The file of the cursor, as spans name it.'),
    offset: z.number().int().min(0).describe('The cursor, in UTF-16 code units from the start of the file.'),
    args: membersSchema.default({}).describe('Arguments of a query or function by parameter name.'),
    why: jsonSchema
      .optional()
      .describe('A row of the query, with references for individuals: the response has its proof.'),
    rows: z.number().int().min(0).max(1000).default(100).describe('The most rows to return.'),
    context: membersSchema.optional().describe('Context fields that headers do not carry.'),
    fork: z.string().optional(),
  })
  .strict()
  .meta({ id: 'LiveRequest' });
export type LiveRequest = z.input<typeof liveRequestSchema>;

const liveDeclarationSchema = z.object({
  kind: z.enum([
    'enum',
    'concept',
    'relation',
    'individual',
    'fact',
    'derive',
    'define',
    'check',
    'query',
    'mutation',
    'fn',
    'externFn',
    'externType',
    'context',
    'test',
  ]),
  path: z.string().describe('Its qualified path; of a test, module and title.'),
  span: spanSchema,
});

const liveParameterSchema = z.object({
  name: z.string(),
  type: typeSchema,
  required: z.boolean(),
});

const liveRowSchema = z.object({
  value: jsonSchema.describe('A row of a query as it returns it; otherwise a wire value for each column.'),
  change: z
    .enum(['added', 'removed'])
    .optional()
    .describe('Only the texts give the row, or only the running module does.'),
  message: z.string().optional().describe('Of a violation.'),
});

const liveOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('rows'),
    columns: z.array(z.object({ name: z.string(), type: typeSchema.optional() })),
    rows: z.array(liveRowSchema),
    total: count.optional().describe('Rows that the texts give; absent if they were not all counted.'),
    added: count,
    removed: count,
    compared: z
      .boolean()
      .describe(
        'False if rows could not be compared: the types differ, there are too many, or the running module fails.',
      ),
  }),
  z.object({
    kind: z.literal('value'),
    value: jsonSchema,
    type: typeSchema,
    before: jsonSchema.optional().describe('The value of the running module, if that differs.'),
  }),
  z.object({ kind: z.literal('test'), result: testResultSchema }),
  z.object({
    kind: z.literal('arguments'),
    missing: z.array(z.string()).describe('Required parameters without an argument.'),
  }),
  z.object({
    kind: z.literal('failed'),
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
  z.object({ kind: z.literal('unavailable'), why: diagnosticSchema }),
]);

const liveConditionSchema = z.object({
  span: spanSchema,
  bindings: count
    .nullable()
    .describe('Bindings left after this condition; null while it waits for variables of later ones.'),
  more: z.boolean().optional().describe('There are more bindings than counted.'),
  examples: z.array(membersSchema).describe('The first bindings: values of variables by name.'),
  fault: z.string().optional().describe('Why the condition cannot be evaluated. Later ones have no count.'),
});

const liveCutSchema = z.object({
  what: z.enum(['rows', 'bindings', 'comparison']),
  reason: z.enum(['limit', 'deadline']),
});

export const liveResultSchema = z
  .object({
    declaration: liveDeclarationSchema
      .nullable()
      .describe('Null if the cursor is in no declaration, or in one with a syntax error.'),
    parameters: z.array(liveParameterSchema).describe('Of a query or function.'),
    outcome: liveOutcomeSchema
      .nullable()
      .describe('Null for a declaration that gives nothing, and if the time was up.'),
    clauses: z
      .array(z.object({ span: spanSchema, conditions: z.array(liveConditionSchema) }))
      .describe('Each clause of the declaration with its conditions in source order.'),
    explanation: explanationSchema.optional().describe('The proof of the row `why` of a query.'),
    names: z.record(z.string(), z.string()).describe('Labels of individuals in rows and examples, by id.'),
    diagnostics: z.array(diagnosticSchema).describe('Of the texts.'),
    unavailable: z
      .array(
        liveDeclarationSchema.extend({ why: z.object({ code: z.string(), message: z.string(), span: spanSchema }) }),
      )
      .describe('Declarations with errors, and those that use them. They are left out; nothing replaces them.'),
    cut: z.array(liveCutSchema).describe('What is not complete, and why.'),
  })
  .meta({ id: 'LiveResult' });
export type LiveResult = z.infer<typeof liveResultSchema>;
export type LiveOutcome = NonNullable<LiveResult['outcome']>;
export type LiveRow = z.infer<typeof liveRowSchema>;
export type LiveCondition = z.infer<typeof liveConditionSchema>;
