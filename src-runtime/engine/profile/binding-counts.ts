/**
 * Counts, for each condition of a body in source order, the bindings that satisfy it and those before it: the condition
 * after which none is left is the one that empties the rule.
 */

import type { Condition, Expression, Literal, Type } from '../../artifact/types.js';
import { bareRecord } from '../../base/bare-record.js';
import type { Deadline } from '../../base/ports.js';
import { isWithin, type Span } from '../../base/span.js';
import { EvaluationFault } from '../errors.js';
import { literalVariables, variablesOf } from '../plan/variables.js';
import { firstSolution, solveCodes } from '../store/solve.js';
import type { Bindings, ExpressionContext, Solution, View } from '../types.js';
import type { Value } from '../values/value.js';

export interface BindingCount {
  /** Of the condition. */
  readonly span: Span;
  /** Undefined while the condition waits for a variable that a later one binds, and after a fault. */
  readonly bindings: number | undefined;
  /** There are more than `bindings`. */
  readonly isCut: boolean;
  /** The first bindings: values of the variables so far. */
  readonly examples: readonly Solution[];
  /** The condition cannot be evaluated. No further counts follow. */
  readonly fault?: string;
}

export interface CountLimits {
  /** More bindings of variables that depend on each other are not counted. */
  readonly bindingsMax: number;
  readonly examplesMax: number;
}

/**
 * The counts one by one, so that a caller keeps those before its deadline. `places` are the conditions as written, in
 * source order. Literals outside of them, as for the class of a parameter, count with the first that needs their
 * variables. Counts bindings of named variables, not rows: a wildcard makes none.
 */
export async function* countBindings(
  view: View,
  condition: Condition,
  places: readonly Span[],
  bound: Bindings,
  expressionContext: ExpressionContext,
  limits: CountLimits,
  deadline: Deadline,
): AsyncGenerator<BindingCount, void> {
  const types = new Map(condition.variables.map(({ name, type }) => [name, type]));
  const waiting = new Set<Literal>();
  const implied = new Set(condition.literals.filter(({ span }) => !places.some((place) => isWithin(span, place))));
  const known = new Set(Object.keys(bound));
  const taken: Literal[] = [];
  const counted = new Map<string, Part>();
  for (const place of places) {
    const own = condition.literals.filter((literal) => !implied.has(literal) && isWithin(literal.span, place));
    for (const literal of own) waiting.add(literal);
    for (const literal of implied) {
      if (![...literalVariables(literal)].some((name) => own.some((each) => literalVariables(each).has(name))))
        continue;
      implied.delete(literal);
      waiting.add(literal);
    }
    take(waiting, known, taken);
    const waits = own.some((literal) => waiting.has(literal));
    if (waits) {
      yield { span: place, bindings: undefined, isCut: false, examples: [] };
      continue;
    }
    try {
      const parts: Part[] = [];
      for (const literals of connected(taken, types)) {
        const key = literals.map((literal) => condition.literals.indexOf(literal)).join();
        const part =
          counted.get(key) ?? (await countPart(view, literals, types, bound, expressionContext, limits, deadline));
        counted.set(key, part);
        parts.push(part);
        if (part.bindings === 0) break;
      }
      yield { span: place, ...product(parts, limits.examplesMax) };
    } catch (error) {
      if (!(error instanceof EvaluationFault)) throw error;
      yield { span: place, bindings: undefined, isCut: false, examples: [], fault: error.message };
      return;
    }
  }
}

/** Takes each waiting literal whose variables are known, as often as that makes others known. */
function take(waiting: Set<Literal>, known: Set<string>, taken: Literal[]): void {
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const literal of waiting) {
      if (!isReady(literal, known)) continue;
      for (const name of literalVariables(literal)) known.add(name);
      waiting.delete(literal);
      taken.push(literal);
      isDone = false;
    }
  }
}

function isReady(literal: Literal, known: ReadonlySet<string>): boolean {
  const reads = (expression: Expression): boolean => [...variablesOf(expression)].every((name) => known.has(name));
  switch (literal.op) {
    case 'let':
      return reads(literal.value);
    case 'each':
      return reads(literal.in);
    case 'test':
      return reads(literal.condition);
    case 'absent':
      return [...literalVariables(literal)].every((name) => known.has(name));
    default:
      return true;
  }
}

/** Literals that share variables, directly or through others. Their bindings multiply with those of other groups. */
function connected(literals: readonly Literal[], types: ReadonlyMap<string, Type>): Literal[][] {
  let groups: { readonly names: Set<string>; readonly literals: Literal[] }[] = [];
  for (const literal of literals) {
    const names = new Set([...literalVariables(literal)].filter((name) => types.has(name)));
    const touching = groups.filter((group) => [...names].some((name) => group.names.has(name)));
    const joined = { names, literals: [...touching.flatMap((group) => group.literals), literal] };
    for (const group of touching) for (const name of group.names) names.add(name);
    groups = [...groups.filter((group) => !touching.includes(group)), joined];
  }
  return groups.map((group) => group.literals);
}

type Part = Pick<BindingCount, 'isCut' | 'examples'> & { readonly bindings: number };

async function countPart(
  view: View,
  literals: readonly Literal[],
  types: ReadonlyMap<string, Type>,
  bound: Bindings,
  expressionContext: ExpressionContext,
  { bindingsMax, examplesMax }: CountLimits,
  deadline: Deadline,
): Promise<Part> {
  const names = new Set(literals.flatMap((literal) => [...literalVariables(literal)]));
  const variables = [...names].flatMap((name) => {
    const type = types.get(name);
    return type === undefined ? [] : [{ name, type }];
  });
  const goal = { variables, literals };
  if (variables.length === 0) {
    const found = await firstSolution(view, goal, bound, expressionContext, deadline);
    return { bindings: found === undefined ? 0 : 1, isCut: false, examples: found === undefined ? [] : [bareRecord()] };
  }
  let bindings = 0;
  const examples: Solution[] = [];
  for (const found of solveCodes(view, goal, bound, expressionContext, deadline)) {
    if (found instanceof Promise) {
      await found;
      continue;
    }
    const { codes, interner } = found;
    bindings += codes.length / variables.length;
    for (let at = 0; at < codes.length && examples.length < examplesMax; at += variables.length) {
      const example = bareRecord<Value>();
      for (const [column, { name, type }] of variables.entries())
        example[name] = interner.decode(type, codes[at + column] as number);
      examples.push(example);
    }
    if (bindings > bindingsMax) return { bindings: bindingsMax, isCut: true, examples };
  }
  return { bindings, isCut: false, examples };
}

function product(parts: readonly Part[], examplesMax: number): Part {
  const bindings = parts.reduce((all, part) => all * part.bindings, 1);
  if (bindings === 0) return { bindings: 0, isCut: false, examples: [] };
  const most = Math.min(examplesMax, Math.max(...parts.map(({ examples }) => examples.length)));
  const examples = Array.from({ length: most }, (_, at) =>
    Object.assign(bareRecord<Value>(), ...parts.map((part) => part.examples[at % part.examples.length] ?? {})),
  );
  return { bindings, isCut: parts.some((part) => part.isCut), examples };
}
