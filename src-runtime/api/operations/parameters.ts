/** Parameters that several operations take, in the path, the query string or the body. */

import { z } from 'zod';
import { type ListCondition, membersSchema } from '../schemas/schemas.js';
import { DIFF_SIDES, type DiffSide } from '../schemas/wire-constants.js';

export const wholeNumber = z
  .string()
  .regex(/^[0-9]{1,15}$/, 'must be a whole number')
  .transform(Number);

/** `true` or `false`; false if it is left out. */
export function flag(description?: string) {
  const texts = z.enum(['true', 'false']).default('false');
  return (description === undefined ? texts : texts.describe(description)).transform((text) => text === 'true');
}

export const pagingShape = {
  limit: wholeNumber.optional().describe('Rows in one page.'),
  page: z.string().optional().describe('The nextCursor of the page before.'),
};

/** Names with commas between them. */
function names<Name extends string>() {
  return z.string().transform((text) => (text === '' ? [] : text.split(',')) as readonly string[] as readonly Name[]);
}

/** How a list is asked for, beside its page: order, filter, place, and what the response has beside the rows. */
export const listingShape = {
  ...pagingShape,
  sort: names()
    .optional()
    .describe('Columns, the first counts most; `-` before one turns it round: `-rent,tenant.name`. None stands last.'),
  filter: jsonText<readonly ListCondition[]>()
    .optional()
    .describe(
      'JSON, conditions that all hold: `[["rent", ">=", "900"], ["*", "contains", "ada"]]`, or in place of one `{"any": […]}`, several of which any has to hold. Operators are = != < <= > >= in notIn contains notContains startsWith; `*` is any column.',
    ),
  offset: wholeNumber.optional().describe('Rows to pass over, in place of a page.'),
  total: z
    .enum(['true', 'false'])
    .optional()
    .transform((text) => text === 'true')
    .describe('Also says how many rows the whole list has.'),
  include: names<'labels' | 'origin'>().optional().describe('`labels`, `origin` or both with a comma between them.'),
};

/** JSON in a query string, which the handler reads. The client takes the value. */
function jsonText<T>() {
  return z.string() as z.ZodString & SentAs<T>;
}

declare const sentAs: unique symbol;
/** Marks a schema whose parameter the client takes in another type. */
export interface SentAs<T> {
  readonly [sentAs]?: T;
}

export const forkParams = z.object({ fork: z.string().describe('Id of a fork; `main` always is one.') });

/** How a write is run. */
export const mutationQueryShape = {
  dryRun: flag('Answers as usual and keeps nothing.'),
  effects: flag("Tell every fact that changes, and the firings. It takes its part of the request's time."),
  explain: flag(
    'Where checks refuse it: prove in details.explanations the first firings of details.diagnostics, as they would have been.',
  ),
};

/** The body of a request that needs none, but may say there where it runs. */
export const placeBody = z.strictObject({ context: membersSchema.optional(), fork: z.string().optional() }).nullish();

const PROOFS_MAX = 100;

export const proofsShape = {
  proofs: z
    .string()
    .refine((text) => /^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= PROOFS_MAX, {
      error: `must be a whole number from 1 to ${PROOFS_MAX}`,
    })
    .default('1')
    .describe('Different proofs to give, at most.')
    .transform(Number),
};

const individualAndField = z.array(z.tuple([z.string(), z.string()]));

/** Conflicts in which the value of the parent is kept: all of them, or pairs of an individual and a field. */
export const keepShape = {
  keep: z
    .string()
    .refine((text) => text === 'parent' || pairsIn(text) !== undefined, {
      error:
        'must be "parent" or a JSON array of pairs of an individual and a field, such as [["#i3", "lease::Lease.rent"]]',
    })
    .optional()
    .describe(
      'Conflicts in which the value of the parent is kept: `parent` for all of them, or as JSON pairs of an individual and a field.',
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
    'Which rows, with commas between: `left` and `right` for what one side has and the other has nothing in place of, `both` for the values of a field that has one on each side. All of them where it is absent.',
  );

function sidesIn(text: string): readonly DiffSide[] | undefined {
  return z.array(z.enum(DIFF_SIDES)).safeParse(text.split(',')).data;
}
