/** Changes that would make a fact true or false, in wire form, each with the violations of blocking checks that it would add. */

import { ApiError } from '../../api/errors.js';
import type { Suggestions } from '../../api/schemas/explanation-schemas.js';
import type { Firing, JsonValue } from '../../api/schemas/schemas.js';
import type { Deadline } from '../../base/ports.js';
import {
  type Change,
  holdsIndividuals,
  individualsIn,
  NONE,
  type Program,
  suggest,
  toWire,
  type View,
} from '../../engine/index.js';
import { blockingViolations } from '../read/guard.js';
import { conceptOf } from '../state/individuals.js';
import { factKey } from '../state/scope.js';

export interface SuggestionSite {
  readonly view: View;
  readonly declared: ReadonlySet<string>;
  /** The state before the explained call. Only facts and individuals that it has are changed then. */
  readonly before?: View;
  /** An earlier deadline, for work with a useful partial result. */
  shorten(deadline: Deadline): Deadline;
}

export interface SuggestionOptions {
  /** The fact holds and should end. */
  readonly ending?: boolean;
  /** See `suggest`. */
  readonly extended?: Program;
}

/** Rolls back everything that it tries. Returns the sets found when the time is up. */
export async function suggestionsFor(
  { view, declared, before: known, shorten }: SuggestionSite,
  relation: string,
  codes: readonly number[],
  deadline: Deadline,
  { ending = false, extended }: SuggestionOptions = {},
): Promise<Suggestions> {
  const shortened = shorten(deadline);
  const options = {
    ending,
    extended,
    isDeclared: (path: string, row: readonly number[]) => declared.has(factKey(path, row)),
    inspect: async (before: View, after: View, changes: readonly Change[]) =>
      known !== undefined && !changes.every((change) => isPossibleIn(known, change))
        ? undefined
        : violationsOf(before, after, changes, shortened),
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

/** A fact can be deleted if it exists, and added or set for individuals that exist. */
function isPossibleIn(view: View, { op, path, codes }: Change): boolean {
  const reader = view.stored(path);
  if (op === 'delete') return reader.has(codes);
  return reader.info.endpoints.every(({ type }, column) => {
    const code = codes[column] ?? NONE;
    if (type.kind === 'class') return conceptOf(view, code) !== undefined;
    const found = holdsIndividuals(type) ? [...individualsIn(type, view.interner.decode(type, code))] : [];
    return found.every(({ id }) => conceptOf(view, view.interner.encodeIndividual(id)) !== undefined);
  });
}

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
