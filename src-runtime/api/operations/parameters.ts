/** Parameters that several operations take, in the path, the query string or the body. */

import { z } from 'zod';
import { momentIn, momentSchema } from '../schemas/moment.js';
import { type ListCondition, membersSchema } from '../schemas/schemas.js';
import { DIFF_SIDES, type DiffSide } from '../schemas/wire-constants.js';

export const wholeNumber = z
  .string()
  .regex(/^[0-9]{1,15}$/, 'must be a whole number')
  .transform(Number);

/** `true` or `false`; false by default. */
export function flag(description?: string) {
  const texts = z.enum(['true', 'false']).default('false');
  return (description === undefined ? texts : texts.describe(description)).transform((text) => text === 'true');
}

export const pagingShape = {
  limit: wholeNumber.optional().describe('Rows in one page.'),
  page: z.string().optional().describe('The nextCursor of the previous page.'),
};

/** Names separated by commas. */
function names<Name extends string>() {
  return z.string().transform((text) => (text === '' ? [] : text.split(',')) as readonly string[] as readonly Name[]);
}

/** Order, filter and offset of a list, and extras of the response. */
export const listingShape = {
  ...pagingShape,
  sort: names()
    .optional()
    .describe('Columns by priority; `-` sorts descending: `-rent,tenant.name`. Missing values come last.'),
  filter: jsonText<readonly ListCondition[]>()
    .optional()
    .describe(
      'JSON: conditions that must all hold: `[["rent", ">=", "900"], ["*", "contains", "ada"]]`. `{"any": […]}` instead of a condition: at least one of several must hold. Operators are = != < <= > >= in notIn contains notContains startsWith; `*` is any column.',
    ),
  offset: wholeNumber.optional().describe('Rows to skip, instead of a page.'),
  total: z
    .enum(['true', 'false'])
    .optional()
    .transform((text) => text === 'true')
    .describe('Also returns the number of rows of the whole list.'),
  include: names<'labels' | 'origin'>().optional().describe('`labels`, `origin`, or both separated by a comma.'),
};

/** JSON in a query string, parsed by the handler. The client takes the value. */
function jsonText<T>() {
  return z.string() as z.ZodString & SentAs<T>;
}

declare const sentAs: unique symbol;
/** Marks a parameter that the client takes in another type. */
export interface SentAs<T> {
  readonly [sentAs]?: T;
}

const moment = momentSchema as typeof momentSchema & SentAs<number | string>;

export const otherMoment = z.string().refine((text) => text === 'now' || momentIn(text) !== undefined, {
  error: 'must be the number of a transaction, an ISO time, or "now"',
}) as typeof moment;

/** Added to every operation that reads the past. */
export const asOfShape = {
  asOf: moment.optional().describe('Reads the past: the number of the last transaction that is seen, or an ISO time.'),
};

export const forkParams = z.object({ fork: z.string().describe('Id of a fork; `main` always exists.') });

/** Options of a write. */
export const mutationQueryShape = {
  dryRun: flag('Responds as usual and rolls back.'),
  effects: flag("Includes every fact that changes, and the violations. Uses part of the request's time."),
  explain: flag('If checks refuse it: proves the first violations of details.diagnostics in details.explanations.'),
};

/** The optional body of a request without content: it only says where the operation runs. */
export const placeBody = z.strictObject({ context: membersSchema.optional(), fork: z.string().optional() }).nullish();

const PROOFS_MAX = 100;

export const proofsShape = {
  proofs: z
    .string()
    .refine((text) => /^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= PROOFS_MAX, {
      error: `must be a whole number from 1 to ${PROOFS_MAX}`,
    })
    .default('1')
    .describe('The most proofs to return.')
    .transform(Number),
};

const individualAndField = z.array(z.tuple([z.string(), z.string()]));

/** Conflicting fields that keep the parent's value: all of them, or pairs of an individual and a field. */
export const keepShape = {
  keep: z
    .string()
    .refine((text) => text === 'parent' || pairsIn(text) !== undefined, {
      error:
        'must be "parent" or a JSON array of pairs of an individual and a field, such as [["#i3", "lease::Lease.rent"]]',
    })
    .optional()
    .describe(
      "Conflicting fields that keep the parent's value: `parent` for all, or JSON pairs of an individual and a field.",
    ),
};

export function pairsIn(text: string): [string, string][] | undefined {
  try {
    return individualAndField.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export const sides = z
  .string()
  .refine((text) => sidesIn(text) !== undefined, { error: `must be of ${DIFF_SIDES.join(', ')}, with commas between` })
  .transform((text) => sidesIn(text) ?? [])
  .optional()
  .describe(
    'Which rows, separated by commas: `left` and `right` for facts that only one side has, `both` for fields with a different value on each side. All rows by default.',
  );

function sidesIn(text: string): readonly DiffSide[] | undefined {
  return z.array(z.enum(DIFF_SIDES)).safeParse(text.split(',')).data;
}
