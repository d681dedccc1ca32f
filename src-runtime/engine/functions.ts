/** Declared functions as JavaScript functions of values, compiled when they are first called. */

import type { FunctionDeclaration } from '../artifact/types.js';
import { EvaluationFault } from './errors.js';
import { wireBindings } from './plan/bindings.js';
import { compilePure } from './plan/pure.js';
import type { EngineProgram } from './program.js';
import type { Value } from './values/value.js';

export type DeclaredFunction = (...args: Value[]) => Value;

const COMPILED = new WeakMap<EngineProgram, Map<string, DeclaredFunction>>();

/** A function that compiles itself at its first call, so that a bad body fails only who reaches it. */
export function functionOf(program: EngineProgram, path: string): DeclaredFunction {
  const functions = COMPILED.get(program) ?? new Map<string, DeclaredFunction>();
  COMPILED.set(program, functions);
  const known = functions.get(path);
  if (known !== undefined) return known;
  const declaration = program.functions.get(path);
  if (declaration === undefined) throw new EvaluationFault('undecodable', `${path} is not declared`);
  let run: DeclaredFunction | undefined;
  const declared: DeclaredFunction = (...args) => {
    if (declaration.parameters.some(({ type }, index) => type.kind !== 'optional' && (args[index] ?? null) === null))
      return null;
    run ??= compile(program, declaration);
    try {
      return run(...args);
    } catch (error) {
      throw error instanceof EvaluationFault ? error.inCall(path, wireBindings(declaration.parameters, args)) : error;
    }
  };
  functions.set(path, declared);
  return declared;
}

function compile(program: EngineProgram, declaration: FunctionDeclaration): DeclaredFunction {
  const { body, path, parameters } = declaration;
  if (body.op === 'extern') {
    throw new EvaluationFault('extern', `${path} is provided by a host, and this runtime provides none`, { path });
  }
  try {
    const names = parameters.map((parameter) => parameter.name);
    const run = compilePure(program, body, parameters);
    return (...args) => run(Object.fromEntries(names.map((name, index) => [name, args[index] ?? null])));
  } catch (error) {
    throw error instanceof EvaluationFault ? error.at({ path }) : error;
  }
}
