/** Reads the order, the filter and the offset of a list from the query string. */

import { z } from 'zod';
import type { listingShape } from '../../api/operations/parameters.js';
import { alternativesOf, type ListCondition, listConditionSchema } from '../../api/schemas/schemas.js';
import type { ListOptions } from '../../world/contract/requests.js';
import { badRequest } from '../http/envelope.js';
import { withAllDigits } from '../http/json-text.js';

const SORT_MAX = 8;
const FILTERS_MAX = 16;

type ListQuery = z.output<z.ZodObject<typeof listingShape>>;

/** Throws VALIDATION_FAILED. `includes` is what this list can include. */
export function listOptionsOf(query: ListQuery, includes: readonly ('labels' | 'origin')[]): ListOptions {
  if (query.offset !== undefined && query.page !== undefined) {
    throw badRequest('"offset" and "page" both set the start; omit one of them.', { path: 'offset' });
  }
  const { sort = [], filter, offset, total, include = [] } = query;
  const unknown = include.find((name) => !includes.includes(name));
  if (unknown !== undefined) {
    throw badRequest(`"include" can be ${includes.join(' or ')}; "${unknown}" is not.`, { path: 'include' });
  }
  if (sort.length > SORT_MAX) {
    throw badRequest(`Expected at most ${SORT_MAX} columns to sort by, got ${sort.length} ($.sort).`, { path: 'sort' });
  }
  return {
    sort,
    filter: filter === undefined ? [] : readFilters(filter),
    offset,
    total,
    origin: include.includes('origin'),
    labels: include.includes('labels'),
  };
}

function readFilters(text: string): ListCondition[] {
  const read = z.array(listConditionSchema).safeParse(parsed(text));
  if (!read.success) {
    const { path, message } = furthestIssue(read.error.issues) ?? { path: [], message: '' };
    const where = path.map((step) => `[${String(step)}]`).join('');
    throw badRequest(
      `The filter is not a list of conditions like [["name", "contains", "ada"]]: ${where === '' ? '' : `at ${where}: `}${message}.`,
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

/** The issue at the longest path: it belongs to the alternative that is closest to the text. */
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
    throw badRequest('The filter is not JSON; send a list of conditions like [["name", "contains", "ada"]].', {
      path: 'filter',
    });
  }
  return withAllDigits(text, value, 'filter');
}
