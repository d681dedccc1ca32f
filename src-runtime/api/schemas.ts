/**
 * The wire forms of the `/v1` API as Zod schemas: the one source of request validation, of the types that server,
 * renderer and command line share, and of the OpenAPI document.
 */

import { z } from 'zod';
import { ERROR_CODES } from './errors.js';

export type JsonValue = z.core.util.JSONType;
/** Has a name, unlike Zod's own schema of JSON: the OpenAPI document can refer to nothing else that contains itself. */
export const jsonSchema: z.ZodType<JsonValue, JsonValue> = z
  .lazy(() =>
    z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(jsonSchema), z.record(z.string(), jsonSchema)]),
  )
  .meta({ id: 'Json' });

/** A type as the artifact writes it: `{ kind: "optional", of: { kind: "scalar", name: "Text" } }`. */
export type WireType =
  | { kind: 'scalar'; name: 'Bool' | 'Int' | 'Decimal' | 'Text' | 'Date' | 'DateTime' }
  | { kind: 'enum' | 'class' | 'extern'; path: string }
  | { kind: 'optional' | 'list'; of: WireType }
  | { kind: 'record'; fields: { name: string; type: WireType }[] };

const typeSchema: z.ZodType<WireType> = z
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

const spanSchema = z.object({ file: z.string(), start: positionSchema, end: positionSchema }).meta({ id: 'Span' });

const diagnosticSchema = z
  .object({
    code: z.string(),
    severity: z.enum(['error', 'warning']),
    message: z.string(),
    span: spanSchema,
    notes: z.array(z.object({ message: z.string(), span: spanSchema })).optional(),
    hint: z.string().optional(),
  })
  .meta({ id: 'Diagnostic' });

/** What every success body carries beside `result`. */
const frameShape = { requestId: z.string(), moduleHash: z.string() };

/** A success body: `{ result, requestId, moduleHash }` and the siblings that the route names. */
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
    args: z.record(z.string(), jsonSchema).default({}).describe('Arguments by parameter name.'),
    context: z.record(z.string(), jsonSchema).optional().describe('Context fields, where headers do not carry them.'),
    fork: z.string().optional(),
  })
  .strict()
  .meta({ id: 'DispatchRequest' });
export type DispatchRequest = z.input<typeof dispatchRequestSchema>;

/** The longest ad-hoc text, in UTF-16 code units: compiling it does not hold up other requests for long. */
export const ADHOC_SOURCE_MAX = 16_384;

export const adhocRequestSchema = z
  .object({
    source: z
      .string()
      .max(ADHOC_SOURCE_MAX, `must have ${ADHOC_SOURCE_MAX} characters at most`)
      .describe('One query, derive or mutation as it would stand in the module, without a `module` line.'),
    args: z.record(z.string(), jsonSchema).default({}).describe('Arguments by parameter name; a derive takes none.'),
    context: z.record(z.string(), jsonSchema).optional().describe('Context fields, where headers do not carry them.'),
    fork: z.string().optional(),
  })
  .strict()
  .meta({ id: 'AdhocRequest' });
export type AdhocRequest = z.input<typeof adhocRequestSchema>;

export const explainAdhocRequestSchema = z
  .object({
    source: adhocRequestSchema.shape.source.describe('One derive as it would stand in the module.'),
    tuple: z.array(z.unknown()).describe('One wire value per parameter of it.'),
    context: z.record(z.string(), jsonSchema).optional(),
    fork: z.string().optional(),
  })
  .strict()
  .meta({ id: 'ExplainAdhocRequest' });
export type ExplainAdhocRequest = z.input<typeof explainAdhocRequestSchema>;

export const explainRequestSchema = z
  .object({
    relation: z.string().describe('Qualified path of a relation, concept, define, field or check.'),
    tuple: z.array(z.unknown()).describe('One wire value per endpoint.'),
    context: z.record(z.string(), jsonSchema).optional(),
    fork: z.string().optional(),
  })
  .strict()
  .meta({ id: 'ExplainRequest' });
export type ExplainRequest = z.input<typeof explainRequestSchema>;

export const firingSchema = z
  .object({
    check: z.string(),
    severity: z.enum(['blocking', 'warning']),
    message: z.string(),
    tuple: z.record(z.string(), jsonSchema).describe('The parameters of the firing by name.'),
    span: spanSchema,
  })
  .meta({ id: 'Firing' });
export type Firing = z.infer<typeof firingSchema>;

/** How often a check fires, or why that is not known. */
export const checkStateSchema = z
  .object({
    check: z.string(),
    severity: z.enum(['blocking', 'warning']),
    firings: z.number().int().min(0).nullable().describe('Null where the check could not be evaluated.'),
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
      .describe('redacted: what is left of an event that told of the forgotten individual `id`.'),
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
        'Of a redacted event: the field of another individual that referred to the forgotten one, and is empty now.',
      ),
  })
  .meta({ id: 'Event' });
export type WireEvent = z.infer<typeof eventSchema>;

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

/** What a mutation came to all in all, what follows from it included. */
const effectsSchema = z
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
      .describe('How many facts of each relation changed; those that did not are left out.'),
    facts: z.array(effectFactSchema).describe('By relation, those that were removed before those that were added.'),
    firings: z
      .array(z.object({ change: changeSchema, firing: firingSchema }))
      .describe('Firings of checks that came about or ended.'),
    unknown: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .describe('Rules and checks that could not be evaluated, so that nothing is told of them.'),
    cut: z.boolean().describe('There are more facts or firings than the row cap, and the rest are only counted.'),
  })
  .meta({ id: 'Effects' });
export type Effects = z.infer<typeof effectsSchema>;

/** What the answer to a mutation has beside its result. */
export const mutationSiblings = {
  txn: z.number().int().nullable().describe('Null where nothing changed, and for a dry run.'),
  events: z.array(eventSchema),
  warnings: z.array(firingSchema).describe('Firings of warning checks that came about.'),
  effects: effectsSchema.optional().describe('With effects=true: every fact that changed, derived ones too.'),
};

/** What can be asked of a mutation beside running it. */
export const mutationQueryShape = {
  dryRun: z.enum(['true', 'false']).default('false').describe('Answers as usual and keeps nothing.'),
  effects: z
    .enum(['true', 'false'])
    .default('false')
    .describe("Tell every fact that changes, and the firings. It takes its part of the request's time."),
};

const requiredPath = z.string().describe('Qualified path of the callable.');
const callablePath = requiredPath.optional();

export const batchStepSchema = z
  .object({
    query: callablePath,
    mutation: callablePath,
    compute: callablePath,
    args: z
      .record(z.string(), jsonSchema)
      .default({})
      .describe('Arguments by parameter name; `{ "$step": 0 }` anywhere in them is the result of that step.'),
  })
  .strict()
  .refine(
    ({ query, mutation, compute }) => [query, mutation, compute].filter((path) => path !== undefined).length === 1,
    'must have exactly one of query, mutation and compute',
  )
  .meta({ id: 'BatchStep' });
export type BatchStep = z.output<typeof batchStepSchema>;

export const batchRequestSchema = z
  .object({
    steps: z.array(batchStepSchema),
    context: z.record(z.string(), jsonSchema).optional().describe('Context fields, where headers do not carry them.'),
    fork: z.string().optional(),
  })
  .strict()
  .meta({ id: 'BatchRequest' });
export type BatchRequest = z.input<typeof batchRequestSchema>;

/** What a step of a batch answers; all but the result only where it is a mutation. */
export const batchStepResultSchema = z
  .object({ result: jsonSchema, ...z.object(mutationSiblings).partial().shape })
  .meta({ id: 'BatchStepResult' });
export type BatchStepResult = z.infer<typeof batchStepResultSchema>;

export const importRequestSchema = z
  .object({
    mutation: requiredPath,
    rows: z.array(z.record(z.string(), jsonSchema)).min(1).describe('The arguments of each run, by parameter name.'),
    context: z.record(z.string(), jsonSchema).optional().describe('Context fields, where headers do not carry them.'),
    fork: z.string().optional(),
  })
  .strict()
  .meta({ id: 'ImportRequest' });
export type ImportRequest = z.input<typeof importRequestSchema>;

/** What an import came to. */
export const importSummarySchema = z
  .object({ rows: z.number().int(), events: z.number().int(), warnings: z.number().int() })
  .meta({ id: 'ImportSummary' });
export type ImportSummary = z.infer<typeof importSummarySchema>;

export const importSiblings = {
  txn: mutationSiblings.txn,
  warnings: z.array(firingSchema).describe('Firings of warning checks that came about; the first 100.'),
};

/** A row that an import could not take, in the `details.failures` of its failure; rows count from 0. */
export interface ImportFailure {
  readonly row: number;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export const factSchema = z
  .object({ factId: z.string(), relation: z.string(), tuple: z.array(jsonSchema) })
  .meta({ id: 'Fact' });
export type Fact = z.infer<typeof factSchema>;

/** Facts in a list say where they come from when that is asked for. */
export const listedFactSchema = factSchema
  .extend({
    origin: z
      .enum(['declared', 'stored', 'derived'])
      .optional()
      .describe('With include=origin: ground truth of the module, stored by a transaction, or derived.'),
  })
  .meta({ id: 'ListedFact' });
export type ListedFact = z.infer<typeof listedFactSchema>;

export const FILTER_OPERATORS = ['=', '!=', '<', '<=', '>', '>=', 'contains', 'startsWith'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** A condition on a column of a list: `["rent", ">=", "900"]`. */
export const listFilterSchema = z.tuple([z.string(), z.enum(FILTER_OPERATORS), jsonSchema]);
export type ListFilter = z.infer<typeof listFilterSchema>;

/** What a list answers beside its rows where it is asked for. */
export const listSiblings = {
  nextCursor: z.string().optional(),
  total: z.number().int().optional().describe('With total=true: the rows of the whole list, its filter applied.'),
  labels: z
    .record(z.string(), z.string())
    .optional()
    .describe('With include=labels: what the individuals that the rows refer to are called, by id.'),
};

/** How many facts a relation has, as far as that is known without evaluating anything. */
export const relationCountSchema = z
  .object({
    relation: z.string(),
    kind: z.enum(['concept', 'define', 'field', 'stored', 'derived', 'check']),
    facts: z.number().int().nullable().describe('Null where it has never been evaluated.'),
    isCurrent: z.boolean().describe('False where `facts` is of an earlier state, or not known.'),
    declared: z.number().int().describe('How many of them are ground truth of the module.'),
  })
  .meta({ id: 'RelationCount' });
export type RelationCount = z.infer<typeof relationCountSchema>;

/** An individual with all fields of its own concept; fields are further members under their names. */
export const entitySchema = z
  .looseObject({
    $id: z.string(),
    $meta: z.object({ type: z.string(), classes: z.array(z.string()) }),
  })
  .meta({ id: 'Entity' });
export type Entity = z.infer<typeof entitySchema>;

/** A node of a proof; `{ ref }` stands for a fact that is expanded elsewhere in the same proof. */
export interface ProofNode {
  kind: 'declared' | 'stored' | 'derived' | 'absent' | 'test' | 'aggregate';
  factId?: string | undefined;
  relation?: string | undefined;
  tuple?: JsonValue[] | undefined;
  /** The rule, its clause (from 0) and where that stands in the source. */
  rule?: { path: string; clause: number; span: z.infer<typeof spanSchema> } | undefined;
  bindings?: Record<string, JsonValue> | undefined;
  /** The source text of a comparison or aggregate. */
  text?: string | undefined;
  /** The value of an aggregate, or of a `let`. */
  value?: JsonValue | undefined;
  /** How many bindings an aggregate's condition has, also where the facts behind them are cut. */
  contributions?: number | undefined;
  premises: ProofPremise[];
  event?: WireEvent | undefined;
  /** Premises were left out because of a limit. */
  cut?: boolean | undefined;
}
export type ProofPremise = ProofNode | { ref: string };

const proofNodeSchema: z.ZodType<ProofNode> = z
  .lazy(() =>
    z.object({
      kind: z.enum(['declared', 'stored', 'derived', 'absent', 'test', 'aggregate']),
      factId: z.string().optional(),
      relation: z.string().optional(),
      tuple: z.array(jsonSchema).optional(),
      rule: z.object({ path: z.string(), clause: z.number().int(), span: spanSchema }).optional(),
      bindings: z.record(z.string(), jsonSchema).optional(),
      text: z.string().optional(),
      value: jsonSchema.optional(),
      contributions: z.number().int().optional(),
      premises: z.array(z.union([z.object({ ref: z.string() }).strict(), proofNodeSchema])),
      event: eventSchema.optional(),
      cut: z.boolean().optional(),
    }),
  )
  .meta({ id: 'ProofNode' });

/** Why a tuple does not hold: each clause that could have derived it, and where it stops. */
export interface WhyNot {
  /** Names the question; another premise that asks the same refers to it. */
  id: string;
  relation: string;
  tuple: JsonValue[];
  /** One sentence. */
  message: string;
  clauses: {
    rule: string;
    clause: number;
    span: z.infer<typeof spanSchema>;
    /** The premises that can be satisfied together, in order, with one example binding. */
    satisfied: ProofPremise[];
    bindings: Record<string, JsonValue>;
    /** The first premise that nothing satisfies. */
    fails: {
      text: string;
      span: z.infer<typeof spanSchema>;
      relation?: string | undefined;
      /** Null where the premise leaves an endpoint open. */
      tuple?: (JsonValue | null)[] | undefined;
      /** For a comparison: what it found, and each value that it reads, null where that is absent. */
      reason?: string | undefined;
      values?: { text: string; value: JsonValue }[] | undefined;
      /** For a negated premise: the fact that blocks it. */
      blockedBy?: ProofPremise | undefined;
      /** The same question of the failing premise, down to a depth. */
      whyNot?: WhyNot | undefined;
      /** The id of the answer to the same question elsewhere in this explanation. */
      ref?: string | undefined;
      /** The question was not asked, because the explanation reached a limit. */
      cut?: boolean | undefined;
    } | null;
  }[];
}

const whyNotSchema: z.ZodType<WhyNot> = z
  .lazy(() =>
    z.object({
      id: z.string(),
      relation: z.string(),
      tuple: z.array(jsonSchema),
      message: z.string(),
      clauses: z.array(
        z.object({
          rule: z.string(),
          clause: z.number().int(),
          span: spanSchema,
          satisfied: z.array(z.union([z.object({ ref: z.string() }).strict(), proofNodeSchema])),
          bindings: z.record(z.string(), jsonSchema),
          fails: z
            .object({
              text: z.string(),
              span: spanSchema,
              relation: z.string().optional(),
              tuple: z.array(jsonSchema.nullable()).optional(),
              reason: z.string().optional(),
              values: z.array(z.object({ text: z.string(), value: jsonSchema })).optional(),
              blockedBy: z.union([z.object({ ref: z.string() }).strict(), proofNodeSchema]).optional(),
              whyNot: whyNotSchema.optional(),
              ref: z.string().optional(),
              cut: z.boolean().optional(),
            })
            .nullable(),
        }),
      ),
    }),
  )
  .meta({ id: 'WhyNot' });

const suggestionsSchema = z
  .object({
    sets: z.array(
      z.object({
        changes: z.array(
          z.object({
            op: z.enum(['insert', 'delete', 'set']).describe('`set` replaces what the field or endpoint holds now.'),
            relation: z.string(),
            tuple: z.array(jsonSchema),
          }),
        ),
        firings: z.array(firingSchema).describe('Firings of blocking checks that the changes would add.'),
      }),
    ),
    complete: z
      .boolean()
      .describe('No set is missing that is as small as the first; where there is none, none of up to four changes is.'),
  })
  .meta({ id: 'Suggestions' });
export type Suggestions = z.infer<typeof suggestionsSchema>;

const wholeProofShape = {
  proof: proofNodeSchema,
  height: z.number().int().describe('Derived facts on the longest way down; of a proof that is cut, an upper bound.'),
  cut: z.boolean().describe('The proof reached a limit and is not whole.'),
};

export const explanationSchema = z
  .discriminatedUnion('holds', [
    z.object({
      holds: z.literal(true),
      factId: z.string(),
      ...wholeProofShape,
      minimal: z.boolean().describe('No proof is lower; false where that is not known.'),
      others: z.enum(['none', 'some', 'unknown']).describe('Whether there are proofs beyond those given.'),
      proofs: z
        .array(z.object(wholeProofShape))
        .optional()
        .describe('Different proofs, the lowest first, where more than one was asked for; `proof` is the first.'),
    }),
    z.object({
      holds: z.literal(false),
      whyNot: whyNotSchema,
      cut: z.boolean().describe('The explanation reached a limit and does not say everything.'),
      suggestions: suggestionsSchema
        .optional()
        .describe(
          'Where it was asked for: the smallest sets of changes of stored facts that would make the tuple hold.',
        ),
    }),
  ])
  .meta({ id: 'Explanation' });
export type Explanation = z.infer<typeof explanationSchema>;

/** What a loaded module's `test` block is called and where it stands. */
export const moduleTestSchema = z
  .object({ module: z.string(), name: z.string(), span: spanSchema })
  .meta({ id: 'ModuleTest' });
export type ModuleTestInfo = z.infer<typeof moduleTestSchema>;

/** What the list of tests has beside its rows. */
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
        values: z
          .record(z.string(), jsonSchema)
          .optional()
          .describe('What the names of the test stand for where the expectation stops.'),
        facts: z
          .array(explanationSchema)
          .optional()
          .describe('A proof or why-not of each fact that was expected or not.'),
      })
      .optional(),
  })
  .meta({ id: 'TestResult' });
export type TestResult = z.infer<typeof testResultSchema>;

export const moduleInfoSchema = z
  .object({
    loaded: z.boolean(),
    modules: z.array(z.object({ name: z.string(), file: z.string(), doc: z.string().optional() })),
    moduleHash: z.string(),
    schemaHash: z.string(),
    /** Sources, where the artifact carries them. */
    sources: z.array(z.object({ file: z.string(), text: z.string() })),
    loadedAt: z.string().nullable(),
    lastFailure: z
      .object({
        at: z.string(),
        code: z.string(),
        message: z.string(),
        diagnostics: z.array(diagnosticSchema).optional(),
        details: z.record(z.string(), z.unknown()).optional(),
      })
      .nullable(),
    /** Where the server reads the module from; a reload reads it again. */
    origin: z.enum(['none', 'sources', 'artifact', 'upload']),
  })
  .meta({ id: 'ModuleInfo' });
export type ModuleInfo = z.infer<typeof moduleInfoSchema>;

const parameterSchema = z.object({
  name: z.string(),
  type: typeSchema,
  doc: z.string().optional(),
  required: z.boolean(),
  /** The refinement as source text. */
  refinement: z.string().optional(),
  default: jsonSchema.optional(),
});
const declarationShape = { path: z.string(), public: z.boolean(), doc: z.string().optional(), span: spanSchema };
const endpointSchema = z.object({
  name: z.string(),
  type: typeSchema,
  functional: z.boolean(),
  doc: z.string().optional(),
});

/** What `GET /v1/schema` answers: every declaration, with typed parameters and docs. */
export const servedSchemaSchema = z
  .object({
    modules: z.array(z.object({ name: z.string(), doc: z.string().optional() })),
    enums: z.array(
      z.object({
        ...declarationShape,
        members: z.array(z.object({ name: z.string(), doc: z.string().optional() })),
      }),
    ),
    concepts: z.array(
      z.object({
        ...declarationShape,
        parent: z.string().nullable(),
        /** Inherited fields first. */
        fields: z.array(
          z.object({
            name: z.string(),
            path: z.string(),
            type: typeSchema,
            doc: z.string().optional(),
            unique: z.boolean(),
            required: z.boolean(),
            refinement: z.string().optional(),
            default: jsonSchema.optional(),
            navigation: z.object({ relation: z.string(), endpoint: z.string() }).optional(),
          }),
        ),
      }),
    ),
    relations: z.array(
      z.object({ ...declarationShape, kind: z.enum(['stored', 'derived']), endpoints: z.array(endpointSchema) }),
    ),
    defines: z.array(z.object({ ...declarationShape, class: z.string() })),
    individuals: z.array(z.object({ ...declarationShape, concept: z.string() })),
    rules: z.array(z.object({ ...declarationShape, clauses: z.array(z.object({ span: spanSchema })) })),
    checks: z.array(
      z.object({
        ...declarationShape,
        severity: z.enum(['blocking', 'warning']),
        builtIn: z.boolean(),
        message: z.string().describe('As a template: `lease {l.code} owes {owed}`.'),
        parameters: z.array(parameterSchema),
      }),
    ),
    queries: z.array(z.object({ ...declarationShape, parameters: z.array(parameterSchema), result: typeSchema })),
    mutations: z.array(
      z.object({ ...declarationShape, parameters: z.array(parameterSchema), result: typeSchema.nullable() }),
    ),
    functions: z.array(
      z.object({
        ...declarationShape,
        parameters: z.array(parameterSchema),
        result: typeSchema,
        extern: z.boolean(),
      }),
    ),
    context: z.array(
      z.object({ name: z.string(), type: typeSchema, required: z.boolean(), doc: z.string().optional() }),
    ),
  })
  .meta({ id: 'Schema' });
export type ServedSchema = z.infer<typeof servedSchemaSchema>;

const count = z.number().int().min(0);
const clauseShape = {
  rule: z.string(),
  clause: count.describe('From 0.'),
  span: spanSchema,
  heads: count.describe('Times that the body held: those that are not new facts were found again.'),
  newFacts: count,
  ms: z.number().describe('Time inside the clause; other requests between its blocks do not count.'),
  rowsVisited: count.describe(
    'Rows that its loops came by, those inside of aggregates and the numbers of ranges among them.',
  ),
};

/** What evaluating every rule of a fork found and took. */
export const derivedProjectionSchema = z
  .object({
    fork: z.string(),
    txn: count.describe('The last transaction that the derive saw.'),
    facts: count,
    rounds: count,
    ms: z.number(),
    relations: z.array(z.object({ relation: z.string(), facts: count })),
    strata: z
      .array(
        z.object({
          relations: z.array(z.string()),
          recursive: z.boolean(),
          rounds: count,
          facts: count,
          ms: z.number(),
        }),
      )
      .describe('In the order of evaluation.'),
    rules: z
      .array(
        z.object({
          ...clauseShape,
          runs: count,
          joinOrders: z.array(z.string()).describe('As in the trace; one for each plan of the clause.'),
        }),
      )
      .describe('By clause, the slowest first.'),
    traceCut: z.boolean().describe('The trace holds only the first runs; what is counted here are all.'),
  })
  .meta({ id: 'DerivedProjection' });
export type DerivedProjection = z.infer<typeof derivedProjectionSchema>;

export const deriveTraceEntrySchema = z
  .object({
    stratum: count.describe("Index into the projection's strata."),
    round: z.number().int().min(1),
    ...clauseShape,
    joinOrder: z.string().describe('How the plan finds its rows, the outermost first.'),
  })
  .meta({ id: 'DeriveTraceEntry' });
export type DeriveTraceEntry = z.infer<typeof deriveTraceEntrySchema>;

/** A scope and fork as a whole. In pages, `facts` and `derived` are those of the page. */
export const snapshotSchema = z
  .object({
    fork: z.string(),
    txn: count.describe('The last transaction that the page has seen.'),
    seq: count.describe('The last event that the page has seen: where to follow the history from.'),
    schemaHash: z.string(),
    schema: servedSchemaSchema.optional().describe('On the first page.'),
    facts: z.array(factSchema).describe('Stored facts: membership in concepts, fields and relations, by relation.'),
    derived: z.array(factSchema).optional().describe('With include=derived: what follows, by relation.'),
  })
  .meta({ id: 'Snapshot' });
export type Snapshot = z.infer<typeof snapshotSchema>;

/** Letters and digits of any script; no slashes, so that it is one segment of a path. */
const forkIdSchema = z
  .string()
  .regex(
    /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._-]{0,62}[\p{L}\p{M}\p{N}._-])?$/u,
    'must be 1 to 64 letters, digits, blanks or . _ -, begin with a letter or digit and not end with a blank',
  );

export const createForkRequestSchema = z
  .object({
    id: forkIdSchema.optional().describe('Made by the server where it is absent.'),
    from: z.string().optional().describe('The open fork that it is a snapshot of; `main` where it is absent.'),
    context: z.record(z.string(), jsonSchema).optional(),
  })
  .strict()
  .meta({ id: 'CreateForkRequest' });
export type CreateForkRequest = z.input<typeof createForkRequestSchema>;

export const forkInfoSchema = z
  .object({
    id: z.string(),
    parent: z.string().nullable().describe('Null for `main`.'),
    baseSeq: count.describe('Of its parent, the fork sees the events up to this one.'),
    status: z.enum(['open', 'promoted', 'aborted']),
    createdAt: z.string(),
    closedAt: z.string().optional(),
    derivedAt: z.string().optional().describe('When it was derived; absent before that and after a later write.'),
    events: count.describe('Its own events.'),
  })
  .meta({ id: 'Fork' });
export type ForkInfo = z.infer<typeof forkInfoSchema>;

/** A field that both sides changed since the fork was created; the fork's value is kept. */
export const forkConflictSchema = z
  .object({
    individual: z.string(),
    field: z.string(),
    base: jsonSchema.describe('The value that both began with; null for none, as in `fork` and `parent`.'),
    fork: jsonSchema,
    parent: jsonSchema,
    seq: count.describe('The event of the fork that set it.'),
  })
  .meta({ id: 'ForkConflict' });
export type ForkConflict = z.infer<typeof forkConflictSchema>;

export const DIFF_LAYERS = ['stored', 'derived', 'firings'] as const;
/** Stored facts, what follows from them, and the firings of checks. */
export type DiffLayer = (typeof DIFF_LAYERS)[number];

const diffKind = z.enum(['stored', 'derived', 'firing']);
const side = 'Of two forks the path names the left one first; of a promotion, the parent as it is is left.';

export const forkDiffRowSchema = z
  .object({
    only: z.enum(['left', 'right']).describe(`Which of the two has it. ${side}`),
    kind: diffKind,
    factId: z.string(),
    relation: z.string(),
    tuple: z.array(jsonSchema),
    firing: firingSchema.optional().describe('Of a firing.'),
  })
  .meta({ id: 'ForkDiffRow' });
export type ForkDiffRow = z.infer<typeof forkDiffRowSchema>;

/** One relation in which two states differ. */
export const forkDiffCountSchema = z
  .object({
    relation: z.string(),
    kind: diffKind,
    check: z.string().optional().describe('Of firings, the path of their check.'),
    left: count.describe('Facts that only the left side has.'),
    right: count.describe('Facts that only the right side has.'),
  })
  .meta({ id: 'ForkDiffCount' });
export type ForkDiffCount = z.infer<typeof forkDiffCountSchema>;

const limitsSchema = z.object({
  bodyBytes: z.number().int(),
  rows: z.number().int(),
  timeoutMs: z.number().int(),
  batchSteps: z.number().int(),
  explainNodes: z.number().int(),
  factsPerRule: z.number().int(),
});
export type Limits = z.infer<typeof limitsSchema>;

export const CAPABILITIES = ['fork', 'forget', 'reload'] as const;
export type Capability = (typeof CAPABILITIES)[number];

export const healthSchema = z
  .object({
    status: z.literal('ok'),
    version: z.string(),
    module: z.object({
      loaded: z.boolean(),
      modules: z.array(z.string()),
      moduleHash: z.string(),
      schemaHash: z.string(),
      loadedAt: z.string().nullable().describe('Null while nothing is loaded; another one after every reload.'),
    }),
    storage: z.string(),
    uptimeMs: z.number(),
    limits: limitsSchema,
    capabilities: z.array(z.enum(CAPABILITIES)),
    adhoc: z.boolean(),
    logRequests: z.number().int().describe('Requests that the log keeps; 0 where it is off.'),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof healthSchema>;

export const errorRowSchema = z
  .object({ code: z.string(), status: z.number().int(), condition: z.string(), remedy: z.string() })
  .meta({ id: 'ErrorRow' });
export type ErrorRowBody = z.infer<typeof errorRowSchema>;

const sourceFileSchema = z.object({
  file: z.string().describe('As spans name it: relative to the common folder of all sources.'),
  text: z.string(),
});

/** An artifact as `entail build` writes it; its form is the compiler's and not checked again. */
export const artifactDocumentSchema = z
  .looseObject({ format: z.string(), integrity: z.string(), schemaHash: z.string() })
  .meta({ id: 'ArtifactDocument' });
export type ArtifactDocument = z.infer<typeof artifactDocumentSchema>;

/** The sources that a server was started from; empty where it was started from an artifact, or from nothing. */
export const moduleSourcesSchema = z.object({ files: z.array(sourceFileSchema) }).meta({ id: 'ModuleSources' });
export type ModuleSources = z.infer<typeof moduleSourcesSchema>;

export const saveSourcesRequestSchema = z
  .object({ files: z.array(sourceFileSchema.strict()).min(1, 'must name a file') })
  .strict()
  .meta({ id: 'SaveSourcesRequest' });
export type SaveSourcesRequest = z.infer<typeof saveSourcesRequestSchema>;

const declarationChangeSchema = z.object({
  change: z.enum(['added', 'removed', 'changed']),
  kind: z.enum([
    'enum',
    'concept',
    'relation',
    'individual',
    'derive',
    'define',
    'check',
    'query',
    'mutation',
    'function',
  ]),
  path: z.string(),
  public: z.boolean(),
});
export type DeclarationChange = z.infer<typeof declarationChangeSchema>;

const relationChangeSchema = z.object({
  relation: z.string(),
  kind: z.enum(['derived', 'define', 'check']),
  before: count.nullable().describe('Facts under the module before; null where it could not be evaluated.'),
  after: count.nullable(),
  gained: count.nullable().describe('Null where there are too many facts to compare one by one.'),
  lost: count.nullable(),
  examples: z.array(factSchema.extend({ only: z.enum(['before', 'after']) })).describe('The first of each.'),
  fault: z.string().optional().describe('Why it cannot be evaluated.'),
});
export type RelationChange = z.infer<typeof relationChangeSchema>;

/** What another module changes under the same stored facts, of `main`. */
export const moduleChangeSchema = z
  .object({
    from: z.string().describe('The module before, by its hash.'),
    to: z.string(),
    declarations: z.array(declarationChangeSchema),
    relations: z.array(relationChangeSchema).describe('Only those whose facts differ.'),
    firings: z.array(firingSchema).describe('Of checks, the first that are new.'),
    cut: z.boolean().describe('Time ran out before everything derived was compared.'),
  })
  .meta({ id: 'ModuleChange' });
export type ModuleChange = z.infer<typeof moduleChangeSchema>;

/** What became of saved sources: they are on disk, but for a dry run; whether they run is another question. */
export const saveSourcesResultSchema = z
  .object({
    saved: z.boolean().describe('False for a dry run only.'),
    reloaded: z.boolean(),
    setAside: z
      .array(z.string())
      .optional()
      .describe(
        'Ids under which scopes are kept that the module does not fit; `entail serve --scope ID` serves one again.',
      ),
    change: moduleChangeSchema.optional().describe('Of a dry run: what reloading would change.'),
    diagnostics: z.array(diagnosticSchema),
    /** Why the sources compile but do not run; absent where `diagnostics` says all. */
    failure: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) }).optional(),
  })
  .meta({ id: 'SaveSourcesResult' });
export type SaveSourcesResult = z.infer<typeof saveSourcesResultSchema>;
