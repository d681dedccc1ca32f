/** Changes that would make a fact true or false, in wire form, each with the violations of blocking checks that it would add. */

import { ApiError } from '../../api/errors.js';
import type { Suggestions } from '../../api/schemas/explanation-schemas.js';
import type { Firing, JsonValue } from '../../api/schemas/schemas.js';
import type { Deadline } from '../../base/ports.js';
import { type Change, suggest, toWire, type View } from '../../engine/index.js';
import { blockingViolations } from '../read/guard.js';
import { factKey } from '../state/scope.js';

export interface SuggestionSite {
  readonly view: View;
  readonly declared: ReadonlySet<string>;
  /** An earlier deadline, for work with a useful partial result. */
  shorten(deadline: Deadline): Deadline;
}

/** With `ending`, for a fact that holds. Rolls back everything that it tries. Returns what it has when the time is up. */
export async function suggestionsFor(
  { view, declared, shorten }: SuggestionSite,
  relation: string,
  codes: readonly number[],
  deadline: Deadline,
  ending = false,
): Promise<Suggestions> {
  const shortened = shorten(deadline);
  const options = {
    ending,
    isDeclared: (path: string, row: readonly number[]) => declared.has(factKey(path, row)),
    inspect: (before: View, after: View, changes: readonly Change[]) => violationsOf(before, after, changes, shortened),
    isAllowed: (violations: readonly Firing[]) => violations.length === 0,
  };
  const { sets, complete, declared: blocks } = await suggest(view, relation, codes, options, shortened);
  return {
    sets: sets.map(({ changes, inspected, examples }) => ({
      changes: changes.map(({ op, path, codes }, index) => {
        const columns = examples[index] ?? [];
        return { op, ...wireFact(view, path, codes), ...(columns.length > 0 && { examples: [...columns] }) };
      }),
      firings: [...inspected],
    })),
    complete,
    ...(sets.length === 0 &&
      blocks.length > 0 && {
        declared: blocks.slice(0, BLOCKS_MAX).map(({ path, codes }) => wireFact(view, path, codes)),
      }),
  };
}

/** The most blocking declarations that are returned. The search finds the most relevant first. */
const BLOCKS_MAX = 10;

/** Undefined if a check fails to evaluate, because such changes could not be written. */
async function violationsOf(
  before: View,
  after: View,
  changes: readonly Change[],
  deadline: Deadline,
): Promise<Firing[] | undefined> {
  try {
    return await blockingViolations(before, after, new Set(changes.map(({ path }) => path)), deadline);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

function wireFact(view: View, path: string, codes: readonly (number | null)[]) {
  const endpoints = view.program.relations.get(path)?.endpoints ?? [];
  const tuple = endpoints.map(({ type }, column): JsonValue => {
    const code = codes[column] ?? null;
    return code === null ? null : (toWire(type, view.interner.decode(type, code)) as JsonValue);
  });
  return { relation: path, tuple };
}
