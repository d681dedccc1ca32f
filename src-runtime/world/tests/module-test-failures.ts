/** Explains why an expectation of a `test` block fails: the values that the condition reached, and a proof or why-not of each fact. */

import { ApiError } from '../../api/errors.js';
import type { Explanation, Suggestions } from '../../api/schemas/explanation-schemas.js';
import type { Firing, JsonValue } from '../../api/schemas/schemas.js';
import { expressionText } from '../../artifact/expression-text.js';
import type { Condition, Expression, Literal, Type } from '../../artifact/types.js';
import { type Deadline, DeadlineExceeded } from '../../base/ports.js';
import {
  type Bindings,
  bare,
  branchesOf,
  constantValue,
  type ExpressionContext,
  evaluateExpression,
  firstSolution,
  toWire,
  type Value,
  type View,
} from '../../engine/index.js';
import { type ExplanationSite, explainTuple } from '../explain/explanations.js';
import { explainRequirement, type UnmetRequirement } from '../explain/requirements.js';
import type { Scope } from '../state/scope.js';
import { namesIn } from '../wire/labels.js';

export interface BrokenExpectation {
  readonly message: string;
  /** The values of names and of both sides of the comparison, where the expectation stops. */
  readonly values?: Record<string, JsonValue>;
  readonly facts: Explanation[];
  readonly suggestions?: Suggestions;
}

/** The refusal of a call by a check, with the proof of each violation in the state that was rolled back. */
export class RefusedCall extends ApiError {
  readonly facts: readonly Explanation[];

  /** `names` includes those of individuals that the call created. */
  constructor(refusal: ApiError, facts: readonly Explanation[], names: Readonly<Record<string, string>>) {
    super(refusal.code, refusal.message, { ...refusal.details, names }, { cause: refusal });
    this.facts = facts;
  }
}

const EXPLAINED_VIOLATIONS_MAX = 3;

/** Includes changes that would end each violation. Without proofs if they cannot be found in time. */
export async function explainRefusal(
  scope: Scope,
  view: View,
  refusal: ApiError,
  deadline: Deadline,
): Promise<RefusedCall> {
  const { diagnostics = [] } = refusal.details as { readonly diagnostics?: readonly Firing[] };
  const facts: Explanation[] = [];
  let names: Record<string, string> = {};
  try {
    for (const { check, tuple } of diagnostics.slice(0, EXPLAINED_VIOLATIONS_MAX)) {
      facts.push(await explainTuple(siteIn(scope, view), check, Object.values(tuple), deadline, { ending: true }));
    }
    names = await namesIn([refusal.details, facts], view, deadline);
  } catch (error) {
    // The refusal itself matters more.
    if (!(error instanceof ApiError || error instanceof DeadlineExceeded)) throw error;
  }
  return new RefusedCall(refusal, facts, names);
}

/** Changes that would meet a condition, for a failure without a fact that has them. None if the search finds none. */
export async function repairsOf(
  scope: Scope,
  view: View,
  unmet: UnmetRequirement,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): Promise<{ readonly suggestions?: Suggestions }> {
  try {
    const explanation = await explainRequirement(siteIn(scope, view), unmet, expressionContext, deadline);
    const suggestions = explanation.holds ? undefined : explanation.suggestions;
    return suggestions === undefined || suggestions.sets.length === 0 ? {} : { suggestions };
  } catch (error) {
    // The failure itself matters more.
    if (error instanceof ApiError || error instanceof DeadlineExceeded) return {};
    throw error;
  }
}

/** `condition` has no solution. Skips the first literals that hold together; the next one fails. */
export async function explainBroken(
  scope: Scope,
  view: View,
  condition: Condition,
  bound: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): Promise<BrokenExpectation> {
  const branches = branchesOf(condition);
  if (branches.length > 1) {
    const broken: BrokenExpectation[] = [];
    for (const branch of branches) {
      broken.push(await explainBroken(scope, view, branch, bound, expressionContext, deadline));
    }
    const message = broken.map((each) => each.message).join('; ');
    return { message: `no alternative holds: ${message}`, facts: broken.flatMap(({ facts }) => facts) };
  }
  let known = bound;
  for (const [index, literal] of condition.literals.entries()) {
    const literals = condition.literals.slice(0, index + 1);
    const first = { variables: condition.variables.filter(({ name }) => isRead(literals, name)), literals };
    const found = await firstSolution(view, first, bound, expressionContext, deadline).catch(() => undefined);
    if (found === undefined) {
      const fact = await explainLiteral(scope, view, literal, known, expressionContext, deadline);
      const { text, facts } = fact;
      const values = {
        ...valuesOf(known, literal),
        ...(await sidesOf(view, literal, known, expressionContext, deadline)),
      };
      return { message: text, ...(Object.keys(values).length > 0 && { values }), facts };
    }
    const own = condition.variables.flatMap(({ name, type }) =>
      Object.hasOwn(found, name) ? [[name, { type, value: found[name] ?? null }] as const] : [],
    );
    known = { ...bound, ...Object.fromEntries(own) };
  }
  return { message: 'nothing satisfies all of it together', facts: [] };
}

async function explainLiteral(
  scope: Scope,
  view: View,
  literal: Literal,
  known: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): Promise<{ readonly text: string; readonly facts: Explanation[] }> {
  if (literal.op === 'either') return { text: 'none of the alternatives holds', facts: [] };
  if (literal.op !== 'atom' && literal.op !== 'absent') return { text: `\`${literal.text}\` is false`, facts: [] };
  const types = view.program.relations.get(literal.relation)?.endpoints.map(({ type }) => type) ?? [];
  const open = types.map((type, index) => ({ name: `$open${index}`, type }));
  const terms = open.map(({ name }, index) => {
    const term = literal.args[index] ?? null;
    const isFree = term === null || (term.op === 'variable' && !Object.hasOwn(known, term.name));
    return isFree ? ({ op: 'variable', name } as const) : term;
  });
  const atom: Literal & { op: 'atom' } = { ...literal, op: 'atom', args: terms };
  const found = await firstSolution(view, { variables: open, literals: [atom] }, known, expressionContext, deadline);
  const tuple = types.map((type, index): JsonValue | undefined => {
    const term = terms[index];
    if (term === undefined) return undefined;
    if (term.op === 'constant') return toWire(type, constantValue(type, term.value)) as JsonValue;
    const value: Value | undefined = known[term.name]?.value ?? found?.[term.name];
    return value === undefined ? undefined : (toWire(type, value) as JsonValue);
  });
  const said = (shown: readonly (JsonValue | undefined)[]): string =>
    `${literal.relation}(${shownTuple(shown, types, namedBy(known))})`;
  const last = types.at(-1);
  const other =
    found === undefined && literal.op === 'atom' && last !== undefined && types.length > 1
      ? await lastInstead(view, atom, last, known, expressionContext, deadline)
      : undefined;
  const but = other === undefined ? '' : `, but ${said([...tuple.slice(0, -1), other])} is true`;
  const text = `${said(tuple)} ${found === undefined ? 'is false' : 'is true'}${but}`;
  if (tuple.includes(undefined)) return { text, facts: [] };
  try {
    const options = { suggest: true, ending: true };
    return { text, facts: [await explainTuple(siteIn(scope, view), literal.relation, tuple, deadline, options)] };
  } catch (error) {
    if (error instanceof ApiError) return { text, facts: [] };
    throw error;
  }
}

function siteIn({ declared }: Scope, view: View): ExplanationSite {
  return { view, declared, nodesMax: 1_000, shorten: (each) => each, insertingEvents: async () => new Map() };
}

/** For a fact that does not hold: the last value of one that holds and agrees up to there. */
async function lastInstead(
  view: View,
  atom: Literal & { op: 'atom' },
  type: Type,
  known: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): Promise<JsonValue | undefined> {
  const open = { name: '$instead', type };
  const args = [...atom.args.slice(0, -1), { op: 'variable', name: open.name } as const];
  // No value was found for the other variables, and explaining them as if given would be wrong.
  if (args.some((term) => term?.op === 'variable' && term.name.startsWith('$open'))) return undefined;
  const other = await firstSolution(
    view,
    { variables: [open], literals: [{ ...atom, args }] },
    known,
    expressionContext,
    deadline,
  );
  const value = other?.[open.name];
  return value === undefined ? undefined : (toWire(type, value) as JsonValue);
}

function shownTuple(
  tuple: readonly (JsonValue | undefined)[],
  types: readonly Type[],
  names: ReadonlyMap<string, string>,
): string {
  const shown = tuple.map((value, index) => {
    if (value === undefined) return '_';
    if (typeof value !== 'string') return JSON.stringify(value);
    return (bare(types[index] as Type).kind === 'class' ? names.get(value) : undefined) ?? value;
  });
  return shown.join(', ');
}

/** The test's names for the individuals that it created, by id. */
function namedBy(known: Bindings): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(known).flatMap(([name, { type, value }]) =>
      bare(type).kind === 'class' && typeof value === 'string' && value.startsWith('#') ? [[value, name] as const] : [],
    ),
  );
}

/** The values of the names that the literal reads. */
function valuesOf(known: Bindings, literal: Literal): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, { type, value }]) =>
      !name.startsWith('$') && isRead(literal, name) ? [[name, toWire(type, value) as JsonValue]] : [],
    ),
  );
}

/** The values of both sides of a comparison, unless the test's text states them. A side that fails to evaluate is left out. */
async function sidesOf(
  view: View,
  literal: Literal,
  known: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): Promise<Record<string, JsonValue>> {
  if (literal.op !== 'test' || literal.condition.op !== 'compare') return {};
  const { left, right, type } = literal.condition;
  const sides: Record<string, JsonValue> = {};
  for (const side of [left, right]) {
    if (isPlain(side)) continue;
    const value = await evaluateExpression(view, side, known, expressionContext, deadline).catch(() => undefined);
    if (value !== undefined) sides[expressionText(side)] = toWire(type, value) as JsonValue;
  }
  return sides;
}

function isPlain({ op }: Expression): boolean {
  return op === 'constant' || op === 'variable' || op === 'none';
}

function isRead(node: unknown, name: string): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const own = node as { readonly op?: unknown; readonly name?: unknown; readonly variable?: unknown };
  if ((own.op === 'variable' && own.name === name) || own.variable === name) return true;
  return Object.values(node).some((child) => isRead(child, name));
}
