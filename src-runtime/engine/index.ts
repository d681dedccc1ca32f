/** The engine's edge: program and facts in, derived facts, solutions and proofs out. */

import type { Artifact, Condition, Expression, Json, Type } from '../artifact/types.js';
import type { Pacer } from '../base/ports.js';
import type {
  Bindings,
  EngineExplanation,
  ExplainOptions,
  Program,
  Solution,
  Surroundings,
  Transaction,
  View,
} from './types.js';
import type { Interner } from './values/codec.js';
import type { Value } from './values/value.js';

export { EvaluationFault, type FaultKind, type FaultPlace } from './errors.js';
export type {
  Bindings,
  ClassInfo,
  EndpointInfo,
  EngineExplanation,
  EngineProofNode,
  EngineProofPremise,
  EngineWhyNot,
  EngineWhyNotClause,
  ExplainOptions,
  FactProvenance,
  FieldInfo,
  Program,
  RelationInfo,
  RelationKind,
  RelationReader,
  Solution,
  Surroundings,
  Transaction,
  View,
} from './types.js';
export { Interner, NONE } from './values/codec.js';
export { Decimal, decimalText, type DecimalValue } from './values/decimal.js';
export { bare, type Value, typeText } from './values/value.js';

/** Never throws on a decoded artifact: a body that it does not know fails when it is needed. */
export declare function loadProgram(artifact: Artifact): Program;

/** The facts of one scope (and fork) in memory. Ground truth is inserted by whoever makes it. */
export declare class FactStore {
  constructor(program: Program, interner: Interner, options?: { readonly factsMax?: number });
  /** The last committed state. */
  view(): View;
  /** One writer at a time. */
  begin(): Transaction;
}

/** How the caller resolves and checks individuals that come in. */
export interface WireEnvironment {
  readonly program: Program;
  /**
   * Resolves `#i3`, `@m::n`, `m::n`, `@n` or `n` to the id as values carry it and checks that it is an instance of the
   * class; otherwise says what came, for the message.
   */
  resolveIndividual(reference: string, classPath: string): { readonly id: string } | { readonly came: string };
}

export type FromWire =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly path: string; readonly expected: string; readonly came: string };

/** Reads a wire value strictly. `path` is a JSON path from the value down (`""`, `.tenants[2]`). */
export declare function fromWire(type: Type, json: unknown, environment: WireEnvironment): FromWire;

/** The wire form of a value; individuals as references. */
export declare function toWire(type: Type, value: Value): Json;

/** A constant of the artifact (`ConstantExpression.value`, a declared field or tuple) as a value. */
export declare function constantValue(type: Type, json: Json): Value;

/** The language's total order: none last, false first, declared individuals by path and then `#i` by number. */
export declare function compareValues(program: Program, type: Type, left: Value, right: Value): number;

/** Finds every solution of a condition, in natural order, distinct, in batches. */
export declare function solve(
  view: View,
  condition: Condition,
  bound: Bindings,
  surroundings: Surroundings,
  pacer: Pacer,
): AsyncIterable<readonly Solution[]>;

export declare function firstSolution(
  view: View,
  condition: Condition,
  bound: Bindings,
  surroundings: Surroundings,
  pacer: Pacer,
): Promise<Solution | undefined>;

/** Evaluates an expression outside rules: fn bodies, defaults, refinements, select, order by, arguments. Throws EvaluationFault. */
export declare function evaluateExpression(
  view: View,
  expression: Expression,
  bound: Bindings,
  surroundings: Surroundings,
  pacer: Pacer,
): Promise<Value>;

/** As evaluateExpression, many times over: rules are materialised once. Each call must be awaited before the next. */
export declare function prepareExpression(
  view: View,
  expression: Expression,
  variables: Readonly<Record<string, Type>>,
  surroundings: Surroundings,
  pacer: Pacer,
): Promise<(values: Readonly<Record<string, Value>>) => Value | Promise<Value>>;

/** An expression that reads neither facts nor context (refinements, constant defaults). Throws EvaluationFault. */
export declare function evaluatePure(program: Program, expression: Expression, bound: Bindings): Value;

/** The Text of a check's, require's message: a part that is none prints nothing. */
export declare function evaluateMessage(
  view: View,
  message: Expression,
  bound: Bindings,
  surroundings: Surroundings,
  pacer: Pacer,
): Promise<string>;

/** Calls a declared function by path. Throws EvaluationFault. */
export declare function callFunction(program: Program, path: string, args: readonly Value[]): Value;

/** Why a fact holds, or why not. Codes as the interner makes them. Throws EvaluationFault. */
export declare function explain(
  view: View,
  path: string,
  codes: readonly number[],
  options: ExplainOptions,
  pacer: Pacer,
): Promise<EngineExplanation>;

/** Depends on the path and the wire tuple only; reversible where that is short. */
export declare function factId(path: string, tuple: readonly Json[]): string;

/** Undefined where the id is malformed; `hash` where only the digest is known. */
export declare function parseFactId(
  id: string,
): { readonly path: string; readonly tuple: readonly Json[] } | { readonly hash: string } | undefined;
