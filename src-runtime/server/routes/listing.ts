/** How a list is asked for in a query string, beside its page: order, filter, place, and what stands beside the rows. */

import { z } from 'zod';
import { alternativesOf, type ListCondition, listConditionSchema } from '../../api/schemas/schemas.js';
import type { ListWish } from '../../world/contract/requests.js';
import { badRequest } from '../http/envelope.js';
import { withAllDigits } from '../http/json-text.js';
import { pagingShape } from './server-context.js';

/** More would be no question that somebody asks. */
const SORT_MAX = 8;
const FILTERS_MAX = 16;

export const listingShape = {
  ...pagingShape,
  sort: z
    .string()
    .optional()
    .describe('Columns, the first counts most; `-` before one turns it round: `-rent,tenant.name`. None stands last.'),
  filter: z
    .string()
    .optional()
    .describe(
      'JSON, conditions that all hold: `[["rent", ">=", "900"], ["*", "contains", "ada"]]`, or in place of one `{"any": […]}`, several of which any has to hold. Operators are = != < <= > >= in notIn contains notContains startsWith; `*` is any column.',
    ),
  offset: z
    .string()
    .regex(/^[0-9]{1,15}$/, 'must be a whole number')
    .optional()
    .describe('Rows to pass over, in place of a page.'),
  total: z.enum(['true', 'false']).optional().describe('Also says how many rows the whole list has.'),
  include: z.string().optional().describe('`labels`, `origin` or both with a comma between them.'),
};

interface ListingQuery {
  readonly page?: string | undefined;
  readonly sort?: string | undefined;
  readonly filter?: string | undefined;
  readonly offset?: string | undefined;
  readonly total?: string | undefined;
  readonly include?: string | undefined;
}

/** Throws VALIDATION_FAILED. `includes` are the things that the list has to include. */
export function wishOf(query: ListingQuery, includes: readonly ('labels' | 'origin')[]): ListWish {
  if (query.offset !== undefined && query.page !== undefined) {
    throw badRequest('"offset" and "page" both say where to begin; leave one of them out.', { path: 'offset' });
  }
  const included = split(query.include);
  const unknown = included.find((name) => !(includes as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw badRequest(`"include" can be ${includes.join(' or ')}; "${unknown}" is not.`, { path: 'include' });
  }
  const sort = split(query.sort);
  if (sort.length > SORT_MAX) {
    throw badRequest(`Expected at most ${SORT_MAX} columns to sort by, got ${sort.length} ($.sort).`, { path: 'sort' });
  }
  return {
    sort,
    filter: query.filter === undefined ? [] : readFilters(query.filter),
    offset: query.offset === undefined ? undefined : Number(query.offset),
    total: query.total === 'true',
    origin: included.includes('origin'),
    labels: included.includes('labels'),
  };
}

function split(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.split(',');
}

function readFilters(text: string): ListCondition[] {
  const read = z.array(listConditionSchema).safeParse(parsed(text));
  if (!read.success) {
    const { path, message } = furthestIssue(read.error.issues) ?? { path: [], message: '' };
    const where = path.map((step) => `[${String(step)}]`).join('');
    throw badRequest(
      `The filter is no list of conditions like [["name", "contains", "ada"]]: ${where === '' ? '' : `at ${where}: `}${message}.`,
      { path: 'filter' },
    );
  }
  const count = read.data.flatMap(alternativesOf).length;
  if (count > FILTERS_MAX) {
    throw badRequest(`Expected at most ${FILTERS_MAX} conditions, got ${count} ($.filter).`, { path: 'filter' });
  }
  return read.data;
}

type Issue = z.core.$ZodIssue;

/** Of what was read as one thing or another, what is wrong where it came furthest as either. */
function furthestIssue(issues: readonly Issue[], before: readonly PropertyKey[] = []): Issue | undefined {
  const all = issues.map((issue): Issue => {
    const path = [...before, ...issue.path];
    const inner = issue.code === 'invalid_union' ? furthestIssue(issue.errors.flat(), path) : undefined;
    return inner ?? { ...issue, path };
  });
  return all.toSorted((left, right) => right.path.length - left.path.length)[0];
}

function parsed(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest('The filter is no JSON; send a list of conditions like [["name", "contains", "ada"]].', {
      path: 'filter',
    });
  }
  return withAllDigits(text, value, 'filter');
}
