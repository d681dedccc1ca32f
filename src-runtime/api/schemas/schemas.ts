/**
 * The wire forms of the `/v1` API as Zod schemas: the one source of request validation, of the types that server, renderer and command line
 * share, and of the OpenAPI document.
 */

import { z } from 'zod';
import { ERROR_CODES } from '../errors.js';
import { ADHOC_SOURCE_MAX } from './wire-constants.js';

export type JsonValue = z.core.util.JSONType;
/**
 * Has a name, unlike Zod's own schema of JSON. It checks nothing, because the value was parsed from JSON: walking every argument again
 * would take longer than routing a request.
 */
export const jsonSchema: z.ZodType<JsonValue, JsonValue> = z.any().meta({ id: 'Json', description: 'Any JSON value.' });

type Members<T> = z.ZodType<Record<string, T>, Record<string, T>>;

/**
 * An object whose keys are named by a module or a client. Zod's own record drops the key `__proto__`; here it is an ordinary key, and the
 * parsed value is the object that was sent.
 */
export const membersSchema: Members<JsonValue> = z
  .any()
  .check(({ value, issues }) => {
    if (!isObject(value)) issues.push({ code: 'invalid_type', expected: 'record', input: value });
  })
  .meta({ type: 'object', additionalProperties: true });

/** The same for an object of texts. */
export function textsByName(names = z.string(), texts = z.string()): Members<string> {
  return z
    .any()
    .check(({ value, issues }) => {
      if (!isObject(value)) issues.push({ code: 'invalid_type', expected: 'record', input: value });
      else for (const [name, text] of Object.entries(value)) issues.push(...misfitsOf(name, names, text, texts));
    })
    .meta({ type: 'object', additionalProperties: { type: 'string' } });
}

function misfitsOf(name: string, names: z.ZodString, text: unknown, texts: z.ZodString): z.core.$ZodRawIssue[] {
  const found: z.core.$ZodRawIssue[] = [];
  const misnamed = names.safeParse(name).error?.issues;
  if (misnamed) found.push({ code: 'invalid_key', origin: 'record', issues: misnamed, input: name, path: [name] });
  for (const { code, message } of texts.safeParse(text).error?.issues ?? []) {
    const place = { input: text, path: [name] };
    found.push(
      code === 'invalid_type' ? { code, expected: 'string', ...place } : { code: 'custom', message, ...place },
    );
  }
  return found;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A type as the artifact writes it: `{ kind: "optional", of: { kind: "scalar", name: "Text" } }`. */
export type WireType =
  | { kind: 'scalar'; name: 'Bool' | 'Int' | 'Decimal' | 'Text' | 'Date' | 'DateTime' }
  | { kind: 'enum' | 'class' | 'extern'; path: string }
  | { kind: 'optional' | 'list'; of: WireType }
  | { kind: 'record'; fields: { name: string; type: WireType }[] };

export const typeSchema: z.ZodType<WireType> = z
  .lazy(() =>
    z.union([
      z.object({
        kind: z.literal('scalar'),
        name: z.enum(['Bool', 'Int', 'Decimal', 'Text', 'Date', 'DateTime']),
      }),
      z.object({ kind: z.enum(['enum', 'class', 'extern']), path: z.string() }),
      z.object({ kind: z.enum(['optional', 'list']), of: typeSchema }),
      z.object({ kind: z.literal('record'), fields: z.array(z.object({ name: z.string(), type: typeSchema })) }),
    ]),
  )
  .meta({ id: 'Type' });

const positionSchema = z.object({
  line: z.number().int(),
  column: z.number().int(),
  offset: z.number().int(),
});

export const spanSchema = z
  .object({ file: z.string(), start: positionSchema, end: positionSchema })
  .meta({ id: 'Span' });

export const diagnosticSchema = z
  .object({
    code: z.string(),
    severity: z.enum(['error', 'warning']),
    message: z.string(),
    span: spanSchema,
    notes: z.array(z.object({ message: z.string(), span: spanSchema })).optional(),
    hint: z.string().optional(),
  })
  .meta({ id: 'Diagnostic' });

/** Fields of every success body apart from `result`. */
const frameShape = { requestId: z.string(), moduleHash: z.string() };

/** A success body: `{ result, requestId, moduleHash }` and further fields of the route. */
export function successSchema<T extends z.ZodType>(result: T): z.ZodObject<{ result: T } & typeof frameShape>;
export function successSchema<T extends z.ZodType, S extends z.ZodRawShape>(
  result: T,
  siblings: S,
): z.ZodObject<{ result: T } & S & typeof frameShape>;
export function successSchema(result: z.ZodType, siblings: z.ZodRawShape = {}) {
  return z.object({ result, ...siblings, ...frameShape });
}

export const errorEnvelopeSchema = z
  .object({
    error: z.object({
      code: z.enum(ERROR_CODES as unknown as [string, ...string[]]),
      message: z.string(),
      details: z.record(z.string(), z.unknown()),
    }),
    ...frameShape,
  })
  .meta({ id: 'ErrorEnvelope' });
export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;

export const dispatchRequestSchema = z
  .object({
    path: z.string().describe('Qualified path of the callable, e.g. `lease::sign`.'),
    args: membersSchema.default({}).describe('Arguments by parameter name.'),
    context: membersSchema.optional().describe('Context fields that headers do not carry.'),
    fork: z.string().optional(),
  })
  .strict()
  .meta({ id: 'DispatchRequest' });
export type DispatchRequest = z.input<typeof dispatchRequestSchema>;

export const adhocRequestSchema = z
  .object({
    source: z
      .string()
      .max(ADHOC_SOURCE_MAX, `must have ${ADHOC_SOURCE_MAX} characters at most`)
      .describe('One query, derive or mutation, as in a module, without a `module` line.'),
    module: z.string().optional().describe('The module that the text extends. Required if several are loaded.'),
    args: membersSchema.default({}).describe('Arguments by parameter name; a derive takes none.'),
    context: membersSchema.optional().describe('Context fields that headers do not carry.'),
    fork: z.string().optional(),
  })
  .strict()
  .meta({ id: 'AdhocRequest' });
export type AdhocRequest = z.input<typeof adhocRequestSchema>;

const rowSchema = jsonSchema.describe('A row as the query returns it; an individual in it may be a reference.');

export const explainAdhocRequestSchema = z
  .object({
    source: adhocRequestSchema.shape.source.describe('One query or derive, as in a module.'),
    module: adhocRequestSchema.shape.module,
    args: membersSchema.default({}).describe('Arguments of a query by parameter name.'),
    tuple: z.array(z.unknown()).optional().describe('For a derive: one wire value for each parameter.'),
    row: rowSchema.optional(),
    context: membersSchema.optional(),
    fork: z.string().optional(),
  })
  .strict()
  .refine(({ tuple, row }) => (tuple === undefined) !== (row === undefined), 'must have either a tuple or a row')
  .meta({ id: 'ExplainAdhocRequest' });
export type ExplainAdhocRequest = z.input<typeof explainAdhocRequestSchema>;

export const explainRowRequestSchema = z
  .object({
    path: z.string().describe('Qualified path of the query.'),
    args: membersSchema.default({}).describe('Arguments by parameter name.'),
    row: rowSchema,
    context: membersSchema.optional(),
    fork: z.string().optional(),
  })
  .strict()
  .meta({ id: 'ExplainRowRequest' });
export type ExplainRowRequest = z.input<typeof explainRowRequestSchema>;

export const firingSchema = z
  .object({
    check: z.string(),
    severity: z.enum(['blocking', 'warning']),
    message: z.string(),
    tuple: membersSchema.describe('The parameters of the violation by name.'),
    span: spanSchema,
  })
  .meta({ id: 'Firing' });
export type Firing = z.infer<typeof firingSchema>;

/** How many violations a check has, or why that is unknown. */
export const checkStateSchema = z
  .object({
    check: z.string(),
    severity: z.enum(['blocking', 'warning']),
    firings: z.number().int().min(0).nullable().describe('Null if the check could not be evaluated.'),
    failure: z
      .object({
        code: z.enum(ERROR_CODES as unknown as [string, ...string[]]),
        message: z.string(),
        details: z.record(z.string(), z.unknown()),
      })
      .optional(),
  })
  .meta({ id: 'CheckState' });
export type CheckState = z.infer<typeof checkStateSchema>;

export const eventSchema = z
  .object({
    seq: z.number().int(),
    txn: z.number().int(),
    at: z.string(),
    kind: z
      .enum([
        'insertIndividual',
        'deleteIndividual',
        'setField',
        'insertFact',
        'deleteFact',
        'forgetIndividual',
        'redacted',
      ])
      .describe('redacted: the remainder of an event that mentioned the forgotten individual `id`.'),
    id: z.string().optional(),
    concept: z.string().optional(),
    field: z.string().optional(),
    value: jsonSchema.optional(),
    relation: z.string().optional(),
    tuple: z.array(jsonSchema).optional(),
    clears: z
      .object({ id: z.string(), field: z.string() })
      .optional()
      .describe(
        'For a redacted event: the field of another individual that referred to the forgotten one, and is now empty.',
      ),
  })
  .meta({ id: 'Event' });
export type WireEvent = z.infer<typeof eventSchema>;

const forkCauseSchema = z.object({
  kind: z.enum(['promote', 'undoPromotion', 'update']),
  fork: z.string().describe('The promoted fork; or, of `update`, the fork whose changes a rebased fork starts with.'),
});

/** What an import of several parts has consumed. */
export const importSourceSchema = z.strictObject({
  id: z.string().regex(/^[\w.-]{1,64}$/, 'must have 1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-"'),
  rows: z.number().int().min(0).describe('The rows of the source up to the end of this part.'),
});

const sourceShape = { source: importSourceSchema.optional().describe('Of a part of an import.') };

const causeSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('mutation'), path: z.string().describe('The path of the mutation.'), ...sourceShape }),
    z.object({ kind: z.enum(['adhoc', 'batch']), ...sourceShape }),
    forkCauseSchema,
    z.object({ kind: z.literal('pick'), txn: z.number().int(), fork: z.string() }).describe('A cherry-pick.'),
    z
      .object({ kind: z.enum(['undo', 'asOf']), txn: z.number().int() })
      .describe('The reverted transaction; or, of `asOf`, the last transaction that a fork of an earlier state sees.'),
    z
      .object({ kind: z.literal('compaction') })
      .describe('The facts of an earlier history, which a backup has left out.'),
    z.object({ kind: z.literal('other'), text: z.string() }),
  ])
  .meta({ id: 'Cause' })
  .describe('The cause of the transaction.');
export type Cause = z.infer<typeof causeSchema>;

/** A transaction without its events. */
export const transactionSchema = z
  .object({
    txn: z.number().int(),
    at: z.string(),
    fork: z.string().describe('The fork that it was written to.'),
    cause: causeSchema,
    principal: z.string().nullable().describe('The principal, if the request named one.'),
    events: z.number().int().describe('The number of its events.'),
  })
  .meta({ id: 'Transaction' });
export type WireTransaction = z.infer<typeof transactionSchema>;

/** A row in the list of transactions. */
export const listedTransactionSchema = transactionSchema
  .extend({ first: z.array(eventSchema).optional().describe('With first=N: its first events, at most N.') })
  .meta({ id: 'ListedTransaction' });
export type ListedTransaction = z.infer<typeof listedTransactionSchema>;

/** Since when violations exist. */
export const violationOriginsSchema = z
  .object({
    origins: z
      .array(
        z.object({
          check: z.string(),
          tuple: membersSchema.describe('The parameters of the violation by name.'),
          transaction: transactionSchema,
        }),
      )
      .describe(
        'The transaction that began each current violation, newest first. Violations of declared facts alone, which exist since before the first transaction, are left out.',
      ),
    unknown: z
      .array(z.object({ check: z.string(), message: z.string() }))
      .describe('Checks that could not be evaluated at some time in the history, so their origins are unknown.'),
    cut: z.boolean().describe('There are more violations than the row cap; the oldest are left out.'),
  })
  .meta({ id: 'ViolationOrigins' });
export type ViolationOrigins = z.infer<typeof violationOriginsSchema>;

const changeSchema = z.enum(['added', 'removed']);

const effectFactSchema = z
  .object({
    change: changeSchema,
    kind: z.enum(['stored', 'derived']),
    factId: z.string(),
    relation: z.string(),
    tuple: z.array(jsonSchema),
  })
  .meta({ id: 'EffectFact' });
export type EffectFact = z.infer<typeof effectFactSchema>;

/** The effects of a mutation or any transaction, conclusions included. */
export const effectsSchema = z
  .object({
    relations: z
      .array(
        z.object({
          relation: z.string(),
          kind: z.enum(['stored', 'derived']),
          added: z.number().int(),
          removed: z.number().int(),
        }),
      )
      .describe('How many facts of each relation changed; unchanged relations are left out.'),
    facts: z.array(effectFactSchema).describe('By relation, removed facts before added ones.'),
    firings: z
      .array(z.object({ change: changeSchema, firing: firingSchema }))
      .describe('New and resolved violations of checks.'),
    unknown: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .describe('Rules and checks that could not be evaluated, so their effects are unknown.'),
    cut: z.boolean().describe('There are more facts or violations than the row cap; the rest is only counted.'),
  })
  .meta({ id: 'Effects' });
export type Effects = z.infer<typeof effectsSchema>;

/** Fields of a mutation's response apart from its result. */
export const mutationSiblings = {
  txn: z.number().int().nullable().describe('Null for a dry run, and if nothing changed.'),
  events: z.array(eventSchema),
  warnings: z.array(firingSchema).describe('New violations of warning checks.'),
  effects: effectsSchema.optional().describe('With effects=true: every fact that changed, including derived ones.'),
};

export const requiredPath = z.string().describe('Qualified path of the callable.');

export const factSchema = z
  .object({ factId: z.string(), relation: z.string(), tuple: z.array(jsonSchema) })
  .meta({ id: 'Fact' });
export type Fact = z.infer<typeof factSchema>;

/** Facts in a list show their origin on request. */
export const listedFactSchema = factSchema
  .extend({
    origin: z
      .enum(['declared', 'stored', 'derived'])
      .optional()
      .describe('With include=origin: declared by the module, stored by a transaction, or derived.'),
  })
  .meta({ id: 'ListedFact' });
export type ListedFact = z.infer<typeof listedFactSchema>;

export const FILTER_OPERATORS = [
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  'notIn',
  'contains',
  'notContains',
  'startsWith',
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** A condition on a column of a list: `["rent", ">=", "900"]`. */
const listFilterSchema = z.tuple([z.string(), z.enum(FILTER_OPERATORS), jsonSchema]);
export type ListFilter = z.infer<typeof listFilterSchema>;

/** A condition, or alternatives of which one must hold: `{ "any": [["rent", ">", "900"], ["tenant", "=", "@nina"]] }`. */
export const listConditionSchema = z.union([
  listFilterSchema,
  z.strictObject({ any: z.array(listFilterSchema).min(1) }),
]);
export type ListCondition = z.infer<typeof listConditionSchema>;

/** The alternatives of a condition; a plain condition is the only one. */
export function alternativesOf(condition: ListCondition): readonly ListFilter[] {
  return 'any' in condition ? condition.any : [condition];
}

/** Extras of a list's response. */
export const listSiblings = {
  nextCursor: z.string().optional(),
  total: z.number().int().optional().describe('With total=true: the number of rows of the whole filtered list.'),
  labels: z
    .record(z.string(), z.string())
    .optional()
    .describe('With include=labels: labels, by id, of the individuals that the rows refer to.'),
};

/** How many facts a relation has, as far as that is known without evaluation. */
export const relationCountSchema = z
  .object({
    relation: z.string(),
    kind: z.enum(['concept', 'define', 'field', 'stored', 'derived', 'check']),
    facts: z.number().int().nullable().describe('Null if it has never been evaluated.'),
    isCurrent: z.boolean().describe('False if `facts` is of an earlier state, or unknown.'),
    declared: z.number().int().describe('How many of them the module declares.'),
  })
  .meta({ id: 'RelationCount' });
export type RelationCount = z.infer<typeof relationCountSchema>;

/** An individual with all fields of its own concept; fields are further keys under their names. */
export const entitySchema = z
  .looseObject({
    $id: z.string(),
    $meta: z.object({ type: z.string(), classes: z.array(z.string()) }),
  })
  .meta({ id: 'Entity' });
export type Entity = z.infer<typeof entitySchema>;

/** A number of things. */
export const count = z.number().int().min(0);
