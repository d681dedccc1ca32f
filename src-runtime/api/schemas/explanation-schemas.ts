/** Explanations on the wire: proofs, why-nots, and suggestions. */

import { z } from 'zod';
import {
  eventSchema,
  firingSchema,
  type JsonValue,
  jsonSchema,
  membersSchema,
  spanSchema,
  typeSchema,
  type WireEvent,
  type WireType,
} from './schemas.js';

/** A node of a proof; `{ ref }` refers to a fact that is expanded elsewhere in the same proof. */
export interface ProofNode {
  kind: 'declared' | 'stored' | 'derived' | 'absent' | 'test' | 'aggregate';
  factId?: string | undefined;
  relation?: string | undefined;
  tuple?: JsonValue[] | undefined;
  /** The rule, its clause (from 0) and its position in the source. `branch` is the text of the alternatives that hold, if it has some. */
  rule?: { path: string; clause: number; span: z.infer<typeof spanSchema>; branch?: string | undefined } | undefined;
  bindings?: Record<string, JsonValue> | undefined;
  /** The source text of a comparison or aggregate. */
  text?: string | undefined;
  /** The value of an aggregate, or of a `let`. */
  value?: JsonValue | undefined;
  /** Each value that a comparison reads; null for a missing value. */
  values?: { text: string; value: JsonValue }[] | undefined;
  /** How many bindings an aggregate's condition has, including those that were cut. */
  contributions?: number | undefined;
  /** For an aggregate: the contributions to each aggregate of its expression, in the order of the source. */
  aggregates?: Aggregation[] | undefined;
  premises: ProofPremise[];
  event?: WireEvent | undefined;
  /** Premises were left out because of a limit. */
  cut?: boolean | undefined;
  /** Which limit that was: the configurable number of nodes, or 1,000 levels. Absent if only contributions were left out. */
  cutBy?: 'nodes' | 'levels' | undefined;
}
export type ProofPremise = ProofNode | { ref: string };

/** The contributions of one aggregate: each binding of the variables after its `for`. */
export interface Aggregation {
  text: string;
  function: 'count' | 'sum' | 'avg' | 'min' | 'max';
  /** Null without contributions. */
  value: JsonValue;
  /** How many bindings it uses, including those that are not listed. */
  taken: number;
  /** How many bindings it skips because they have no value. */
  skipped?: number | undefined;
  /** The ones that decide a minimum or maximum first, skipped ones last. */
  contributions: Contribution[];
  /** Contributions, or parts of them, were left out because of a limit. */
  cut?: boolean | undefined;
}

export interface Contribution {
  /** The variables after `for`. */
  bindings: Record<string, JsonValue>;
  /** Its value, except for a count; null if it is skipped. */
  value?: JsonValue | undefined;
  /** True for the minimum or maximum. */
  decides?: boolean | undefined;
  /** What the binding satisfies. Facts among the premises of the node are referred to. */
  premises: ProofPremise[];
}

const proofNodeSchema: z.ZodType<ProofNode> = z
  .lazy(() =>
    z.object({
      kind: z.enum(['declared', 'stored', 'derived', 'absent', 'test', 'aggregate']),
      factId: z.string().optional(),
      relation: z.string().optional(),
      tuple: z.array(jsonSchema).optional(),
      rule: z
        .object({ path: z.string(), clause: z.number().int(), span: spanSchema, branch: z.string().optional() })
        .optional(),
      bindings: membersSchema.optional(),
      text: z.string().optional(),
      value: jsonSchema.optional(),
      values: z.array(z.object({ text: z.string(), value: jsonSchema })).optional(),
      contributions: z.number().int().optional(),
      aggregates: z.array(aggregationSchema).optional(),
      premises: z.array(proofPremiseSchema),
      event: eventSchema.optional(),
      cut: z.boolean().optional(),
      cutBy: z.enum(['nodes', 'levels']).optional(),
    }),
  )
  .meta({ id: 'ProofNode' });

const proofPremiseSchema: z.ZodType<ProofPremise> = z.lazy(() =>
  z.union([z.object({ ref: z.string() }).strict(), proofNodeSchema]),
);

const aggregationSchema: z.ZodType<Aggregation> = z
  .lazy(() =>
    z.object({
      text: z.string(),
      function: z.enum(['count', 'sum', 'avg', 'min', 'max']),
      value: jsonSchema,
      taken: z.number().int(),
      skipped: z.number().int().optional(),
      contributions: z.array(
        z.object({
          bindings: membersSchema,
          value: jsonSchema.optional(),
          decides: z.boolean().optional(),
          premises: z.array(proofPremiseSchema),
        }),
      ),
      cut: z.boolean().optional(),
    }),
  )
  .meta({ id: 'Aggregation' });

/** A premise of a clause that fails. */
export interface FailingPremise {
  text: string;
  span: z.infer<typeof spanSchema>;
  relation?: string | undefined;
  /** Null for an endpoint that the premise leaves open. */
  tuple?: (JsonValue | null)[] | undefined;
  /** For a comparison: what it found, and each value that it reads, null for a missing one. */
  reason?: string | undefined;
  values?: { text: string; value: JsonValue }[] | undefined;
  /** For a negated premise: the fact that blocks it. */
  blockedBy?: ProofPremise | undefined;
  /** For a comparison of aggregates: their contributions. */
  aggregate?: ProofNode | undefined;
  /** Why the failing premise does not hold, down to a depth. */
  whyNot?: WhyNot | undefined;
  /** The id of the same question elsewhere in this explanation. */
  ref?: string | undefined;
  /** Not explained, because a limit was reached. */
  cut?: boolean | undefined;
}

/** Fails under the example binding too, or is open: it needs values of premises that fail. */
export type LaterPremise = FailingPremise & { state: 'fails' | 'open' };

/** Why a tuple does not hold: each clause that could derive it, and where that stops. */
export interface WhyNot {
  /** Identifies the question; another premise with the same question refers to it. */
  id: string;
  relation: string;
  tuple: JsonValue[];
  /** One sentence. */
  message: string;
  clauses: {
    rule: string;
    clause: number;
    span: z.infer<typeof spanSchema>;
    /** The text of its alternatives, if it has some. */
    branch?: string | undefined;
    /** The premises that can be satisfied together, in order, with one example binding. */
    satisfied: ProofPremise[];
    bindings: Record<string, JsonValue>;
    /** The first premise that cannot be satisfied. */
    fails: FailingPremise | null;
    /** The remaining premises in the order of the source; absent if there are none. They are not explained. */
    behind?: LaterPremise[] | undefined;
    /** For the tuple itself: the variables that `given` can set. */
    variables?: { name: string; type: WireType }[] | undefined;
  }[];
}

const failingShape = {
  text: z.string(),
  span: spanSchema,
  relation: z.string().optional(),
  tuple: z.array(jsonSchema.nullable()).optional(),
  reason: z.string().optional(),
  values: z.array(z.object({ text: z.string(), value: jsonSchema })).optional(),
  blockedBy: proofPremiseSchema.optional(),
  aggregate: proofNodeSchema.optional(),
  cut: z.boolean().optional(),
};

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
          branch: z.string().optional(),
          satisfied: z.array(proofPremiseSchema),
          bindings: membersSchema,
          fails: z.object({ ...failingShape, whyNot: whyNotSchema.optional(), ref: z.string().optional() }).nullable(),
          behind: z.array(z.object({ ...failingShape, state: z.enum(['fails', 'open']) })).optional(),
          variables: z.array(z.object({ name: z.string(), type: typeSchema })).optional(),
        }),
      ),
    }),
  )
  .meta({ id: 'WhyNot' });

/** Changes that would make a tuple true, or false if it holds. */
export const suggestionsSchema = z
  .object({
    sets: z.array(
      z.object({
        changes: z.array(
          z.object({
            op: z
              .enum(['insert', 'delete', 'set'])
              .describe('`set` replaces the current value of the field or endpoint.'),
            relation: z.string(),
            tuple: z.array(jsonSchema),
            examples: z
              .array(z.number().int())
              .optional()
              .describe('Positions whose values are arbitrary: other values may work too.'),
          }),
        ),
        firings: z.array(firingSchema).describe('Violations of blocking checks that the changes would add.'),
      }),
    ),
    complete: z
      .boolean()
      .describe(
        'True if all sets of the smallest size are listed, or, without sets, if no set of up to four changes exists.',
      ),
    declared: z
      .array(z.object({ relation: z.string(), tuple: z.array(jsonSchema) }))
      .optional()
      .describe(
        'Without sets: declared facts that would have to be removed or changed, which a transaction cannot do; null for the missing value of a field.',
      ),
  })
  .meta({ id: 'Suggestions' });
export type Suggestions = z.infer<typeof suggestionsSchema>;

const wholeProofShape = {
  proof: proofNodeSchema,
  height: z.number().int().describe('Derived facts on the longest path; for a truncated proof, an upper bound.'),
  cut: z.boolean().describe('The proof was truncated at a limit.'),
};

const pastNames = z
  .record(z.string(), z.string())
  .optional()
  .describe('For a past state: labels, by id, of individuals that were deleted since.');

const replacedRules = z
  .object({
    moduleHash: z.string(),
    sources: z
      .array(z.object({ file: z.string(), text: z.string() }))
      .describe('The sources at that time; positions in the proof refer to them.'),
  })
  .optional()
  .describe('For rules of a replaced module: its hash.');

export const explanationSchema = z
  .discriminatedUnion('holds', [
    z.object({
      holds: z.literal(true),
      factId: z.string(),
      ...wholeProofShape,
      minimal: z.boolean().describe('No proof has a lower rank; false if that is unknown.'),
      others: z.enum(['none', 'some', 'unknown']).describe('Whether there are more proofs than returned.'),
      proofs: z
        .array(z.object(wholeProofShape))
        .optional()
        .describe('Different proofs, the lowest rank first, if more than one was requested; `proof` is the first.'),
      suggestions: suggestionsSchema
        .optional()
        .describe('On request: the smallest sets of changes of stored facts that would make it false.'),
      names: pastNames,
      rules: replacedRules,
    }),
    z.object({
      holds: z.literal(false),
      whyNot: whyNotSchema,
      cut: z.boolean().describe('The explanation reached a limit and is incomplete.'),
      suggestions: suggestionsSchema
        .optional()
        .describe('On request: the smallest sets of changes of stored facts that would make the tuple true.'),
      names: pastNames,
      rules: replacedRules,
    }),
  ])
  .meta({ id: 'Explanation' });
export type Explanation = z.infer<typeof explanationSchema>;
