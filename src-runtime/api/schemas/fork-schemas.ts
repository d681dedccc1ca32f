/** States of a scope on the wire: projections, snapshots, forks, and their differences. */

import { z } from 'zod';
import { servedSchemaSchema } from './module-schemas.js';
import { count, factSchema, firingSchema, jsonSchema, membersSchema, spanSchema } from './schemas.js';
import { FORK_LABEL_LENGTH_MAX } from './wire-constants.js';

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

/** The result and the cost of evaluating every rule of a fork. */
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

/** An export of a scope and fork. In pages, `facts` and `derived` are those of the page. */
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

/** Letters and digits of any script. No slashes, because it is one segment of a path. */
const forkIdSchema = z
  .string()
  .regex(
    /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._-]{0,62}[\p{L}\p{M}\p{N}._-])?$/u,
    'must be 1 to 64 letters, digits, blanks or . _ -, begin with a letter or digit and not end with a blank',
  );

/** A label of a fork; need not be unique. */
const forkLabelSchema = z
  .string()
  .trim()
  .max(FORK_LABEL_LENGTH_MAX, `must have at most ${FORK_LABEL_LENGTH_MAX} characters`)
  .regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, 'must be one line');

export const createForkRequestSchema = z
  .object({
    id: forkIdSchema.optional().describe('Made by the server where it is absent.'),
    label: forkLabelSchema.optional().describe('What people call it; an empty one is none.'),
    from: z.string().optional().describe('The open fork that it is a snapshot of; `main` where it is absent.'),
    asOf: count
      .optional()
      .describe(
        'The transaction of its history after which it is to stand, 0 for before the first; as it is now where it is absent. What came since is taken back in the fork, by a transaction of its own.',
      ),
    context: membersSchema.optional(),
  })
  .strict()
  .meta({ id: 'CreateForkRequest' });
export type CreateForkRequest = z.input<typeof createForkRequestSchema>;

export const labelForkRequestSchema = z
  .strictObject({
    label: forkLabelSchema
      .nullable()
      .describe('One line, less the blanks around it. Null or an empty one takes the label away.'),
    context: membersSchema.optional(),
    fork: z.string().optional(),
  })
  .meta({ id: 'LabelForkRequest' });
export type LabelForkRequest = z.input<typeof labelForkRequestSchema>;

export const updateForkRequestSchema = z
  .strictObject({
    id: forkIdSchema.optional().describe('Of the new fork; made by the server where it is absent.'),
    context: membersSchema.optional(),
    fork: z.string().optional(),
  })
  .meta({ id: 'UpdateForkRequest' });

export const pickRequestSchema = z
  .strictObject({
    from: z.string().describe('The fork in whose history the transaction is, open or closed.'),
    txn: count.describe('Its number.'),
    context: membersSchema.optional(),
    fork: z.string().optional(),
  })
  .meta({ id: 'PickRequest' });
export type PickRequest = z.input<typeof pickRequestSchema>;

export const forkInfoSchema = z
  .object({
    id: z.string(),
    label: z.string().optional().describe('What people call it. Two may be called alike.'),
    parent: z.string().nullable().describe('Null for `main`.'),
    baseSeq: count.describe('Of its parent, the fork sees the events up to this one.'),
    asOf: count
      .optional()
      .describe(
        'Of a fork of an earlier state, the transaction of its parent after which it stood; 0 for before the first.',
      ),
    changesOf: z
      .string()
      .optional()
      .describe('Of one that another was brought up to date with, that other: the fork with whose changes it began.'),
    status: z.enum(['open', 'promoted', 'aborted']),
    createdAt: z.string(),
    closedAt: z.string().optional(),
    undoneAt: z.string().optional().describe('Of a promoted one, when that was undone last.'),
    derivedAt: z.string().optional().describe('When it was derived; absent before that and after a later write.'),
    events: count.describe('Its own events.'),
    behind: count
      .optional()
      .describe(
        'Events that its parent has written since it was made, which it does not see. Absent where there are none, and where one of the two is closed.',
      ),
  })
  .meta({ id: 'Fork' });
export type ForkInfo = z.infer<typeof forkInfoSchema>;

/**
 * A field, or a `[0..1]` endpoint of a relation, that both sides changed since the fork was created, or since before the cherry-picked
 * transaction. The fork's value wins unless the parent's is requested. For a cherry-pick, the target is the parent.
 */
export const forkConflictSchema = z
  .object({
    individual: z
      .string()
      .describe('Of an endpoint: the value of the other one; JSON of all others where there are several.'),
    field: z.string().describe('The path of the field, or of the endpoint: `lease::worksFor.company`.'),
    base: jsonSchema.describe('The value that both began with; null for none, as in `fork` and `parent`.'),
    fork: jsonSchema.describe('That of the fork, or of the transaction that is picked.'),
    parent: jsonSchema.describe('That of the parent, or of the fork that the transaction is picked onto.'),
    seq: count.describe('The event of the fork that set it.'),
    kept: z.enum(['fork', 'parent']).describe('Whose value it is afterwards.'),
    deleted: z
      .literal(true)
      .optional()
      .describe('The fork has deleted the individual, so that the value of the parent goes with it.'),
  })
  .meta({ id: 'ForkConflict' });
export type ForkConflict = z.infer<typeof forkConflictSchema>;

/** A field that was changed again after the reverted promotion or transaction. The value from before comes back. */
export const undoConflictSchema = z
  .object({
    individual: z.string(),
    field: z.string(),
    before: jsonSchema.describe('The value before what is undone; null for none, as in `promoted` and `now`.'),
    promoted: jsonSchema.describe('The value that the promotion, or what else is undone, set.'),
    now: jsonSchema.describe('The value that is lost.'),
    seq: count.describe('The event that set it.'),
  })
  .meta({ id: 'UndoConflict' });
export type UndoConflict = z.infer<typeof undoConflictSchema>;

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
    both: count
      .optional()
      .describe(
        'Of a field that was changed in place: individuals with a value on each side, which count as left and as right too. Absent where there are none.',
      ),
  })
  .meta({ id: 'ForkDiffCount' });
export type ForkDiffCount = z.infer<typeof forkDiffCountSchema>;

export type { DiffLayer, DiffSide } from './wire-constants.js';
