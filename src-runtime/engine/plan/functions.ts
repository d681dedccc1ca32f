/**
 * Declared functions, compiled on first call so that a broken body fails only its callers. A function that loops over
 * ranges or lists, or calls others many times, is a generator, so that it can pause. Others are plain functions.
 */

import { expressionText } from '../../artifact/expression-text.js';
import type { Expression, FunctionDeclaration } from '../../artifact/types.js';
import { EvaluationFault } from '../errors.js';
import { requireForm } from '../program/forms.js';
import type { EngineProgram } from '../program/program.js';
import { partsOf } from '../program/reads.js';
import type { Value } from '../values/value.js';
import { wireBindings } from './bindings.js';
import { countUnits } from './calls.js';
import { compileLong, compilePure, pureFunction } from './pure-functions.js';

export type DeclaredFunction = (...args: Value[]) => Value;

export type LongFunction = (...args: Value[]) => Generator<void, Value>;

/** A function that never pauses. */
export function functionOf(program: EngineProgram, path: string): DeclaredFunction {
  return cached(SHORT, program, path, (declaration) => {
    const run = lazy(() => compilePure(program, bodyOf(declaration), declaration.parameters));
    const refuse = lazy(() => refinementsOf(program, declaration));
    return (...args) => {
      if (lacksArgument(declaration, args)) return null;
      try {
        refuse()(args);
        return run()(named(declaration, args));
      } catch (error) {
        throw inCall(declaration, args, error);
      }
    };
  });
}

/** Cost of such a call, in units of text. */
const CALL_UNITS = 1024;

/** A function that yields between blocks of work. */
export function longFunctionOf(program: EngineProgram, path: string): LongFunction {
  return cached(LONG, program, path, (declaration) => {
    const run = lazy(() => compileLong(program, bodyOf(declaration), declaration.parameters));
    const refuse = lazy(() => refinementsOf(program, declaration));
    return function* (...args) {
      countUnits(CALL_UNITS);
      if (lacksArgument(declaration, args)) return null;
      try {
        refuse()(args);
        return yield* run()(named(declaration, args));
      } catch (error) {
        throw inCall(declaration, args, error);
      }
    };
  });
}

/** A function that evaluates more nodes in one go, those of its callees included, has to pause. */
const NODES_AT_ONCE = 1024;

/** True if the expression aggregates, itself or in a function that it calls, or calls long functions. */
export function isLong(program: EngineProgram, expression: Expression): boolean {
  if (expression.op === 'aggregate') return true;
  if (expression.op === 'call' && isLongFunction(program, expression.function)) return true;
  return partsOf(expression).some((part) => isLong(program, part));
}

export function isLongFunction(program: EngineProgram, path: string): boolean {
  const known = LENGTHS.get(program) ?? new Map<string, boolean>();
  LENGTHS.set(program, known);
  const answer = known.get(path);
  if (answer !== undefined) return answer;
  // For a recursive function the rest of the body decides.
  known.set(path, false);
  const body = program.functions.get(path)?.body;
  if (body === undefined || body.op === 'extern') return false;
  try {
    requireForm('expression', body);
    known.set(path, isLong(program, body) || nodesOfFunction(program, path) > NODES_AT_ONCE);
  } catch (error) {
    // A body that cannot be decoded fails when it is called.
    if (!(error instanceof EvaluationFault)) throw error;
  }
  return known.get(path) === true;
}

const NODES = new WeakMap<EngineProgram, Map<string, number>>();

/**
 * An upper bound of the nodes that a call evaluates, without aggregates. It doubles if each function calls the one
 * before it twice.
 */
function nodesOfFunction(program: EngineProgram, path: string): number {
  const known = NODES.get(program) ?? new Map<string, number>();
  NODES.set(program, known);
  const answer = known.get(path);
  if (answer !== undefined) return answer;
  known.set(path, 0);
  const body = program.functions.get(path)?.body;
  const nodes = body === undefined || body.op === 'extern' ? 0 : nodesIn(program, body);
  known.set(path, nodes);
  return nodes;
}

function nodesIn(program: EngineProgram, expression: Expression): number {
  const called = expression.op === 'call' ? nodesOfFunction(program, expression.function) : 0;
  return partsOf(expression).reduce((sum, part) => sum + nodesIn(program, part), 1 + called);
}

const SHORT = new WeakMap<EngineProgram, Map<string, DeclaredFunction>>();
const LONG = new WeakMap<EngineProgram, Map<string, LongFunction>>();
const LENGTHS = new WeakMap<EngineProgram, Map<string, boolean>>();

function cached<T>(
  cache: WeakMap<EngineProgram, Map<string, T>>,
  program: EngineProgram,
  path: string,
  make: (declaration: FunctionDeclaration) => T,
): T {
  const functions = cache.get(program) ?? new Map<string, T>();
  cache.set(program, functions);
  const known = functions.get(path);
  if (known !== undefined) return known;
  const declaration = program.functions.get(path);
  if (declaration === undefined) throw new EvaluationFault('undecodable', `${path} is not declared`);
  const made = make(declaration);
  functions.set(path, made);
  return made;
}

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function bodyOf({ body, path }: FunctionDeclaration): Expression {
  if (body.op !== 'extern') {
    requireForm('expression', body, { path });
    return body;
  }
  throw new EvaluationFault('extern', `${path} is provided by a host, and this runtime provides none`, { path });
}

/** An absent argument gives an absent result, unless the parameter is optional. */
function lacksArgument({ parameters }: FunctionDeclaration, args: readonly Value[]): boolean {
  return parameters.some(({ type }, index) => type.kind !== 'optional' && (args[index] ?? null) === null);
}

/** Throws if an argument breaks the refinement of its parameter. An absent argument breaks none. */
function refinementsOf(program: EngineProgram, { parameters }: FunctionDeclaration): (args: readonly Value[]) => void {
  const refined = parameters.flatMap(({ name, type, refinement }, index) =>
    refinement === undefined
      ? []
      : [{ name, index, refinement, holds: pureFunction(program, refinement, [{ name: 'value', type }]) }],
  );
  return (args) => {
    for (const { name, index, refinement, holds } of refined) {
      const value = args[index] ?? null;
      if (value === null || holds({ value }) === true) continue;
      throw new EvaluationFault('fault', `"${name}" does not satisfy ${expressionText(refinement)}`);
    }
  };
}

function named({ parameters }: FunctionDeclaration, args: readonly Value[]): Record<string, Value> {
  return Object.fromEntries(parameters.map(({ name }, index) => [name, args[index] ?? null]));
}

function inCall({ path, parameters }: FunctionDeclaration, args: readonly Value[], error: unknown): unknown {
  return error instanceof EvaluationFault ? error.inCall(path, wireBindings(parameters, args)) : error;
}
