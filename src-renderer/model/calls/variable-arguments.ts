/** Resolves variables in arguments: their values are text, read as the type of the input. */

import type { JsonValue, WireType } from '../../../src-runtime/api/schemas/schemas.js';
import { bareRecord } from '../../../src-runtime/base/bare-record.js';
import { type FormParameter, readValue } from './form-model.js';
import { type GenerateValue, generatedVariable, generatorAt, misfitWords } from './generated-variables.js';
import { hasVariables, nameThatIs, resolvedText, unknownWords, type Variables } from './variables.js';

const examples: GenerateValue = (name) => generatedVariable(name)?.example;

/** How variables are resolved. */
export interface VariableScope {
  readonly variables: Variables;
  /** The environment; empty if none is selected. */
  readonly environment: string;
  /** Generates values when a call is sent; for display, examples are used. */
  readonly made?: GenerateValue;
}

/** For one call or batch that is sent now. */
export function sendingScope(scope: VariableScope): VariableScope {
  return { ...scope, made: generatorAt(new Date()) };
}

export interface ResolvedArguments {
  readonly args: Record<string, JsonValue>;
  /** By input path, such as `lines.0.amount`. */
  readonly errors: Readonly<Record<string, string>>;
}

export function resolvedArguments(
  parameters: readonly Pick<FormParameter, 'name' | 'type'>[],
  typed: Readonly<Record<string, JsonValue>>,
  scope: VariableScope,
): ResolvedArguments {
  const errors = bareRecord<string>();
  const types = new Map(parameters.map(({ name, type }) => [name, type]));
  const args = Object.entries(typed).map(([name, value]) => [
    name,
    resolved(types.get(name), value, name, scope, errors),
  ]);
  return { args: Object.fromEntries(args), errors };
}

/** Errors in the variables of a text for a value of the type, before their values are read. */
export function variableProblem(
  type: WireType | undefined,
  typed: string,
  { variables, environment }: VariableScope,
): string | undefined {
  const unknown = unknownWords(typed, variables, environment);
  const name = nameThatIs(typed);
  return unknown ?? (type === undefined || name === undefined ? undefined : misfitWords(name, type));
}

function resolved(
  type: WireType | undefined,
  value: JsonValue,
  path: string,
  scope: VariableScope,
  errors: Record<string, string>,
): JsonValue {
  if (type?.kind === 'optional') return resolved(type.of, value, path, scope, errors);
  if (typeof value === 'string') return resolvedLeaf(type, value, path, scope, errors);
  if (Array.isArray(value)) {
    const of = type?.kind === 'list' ? type.of : undefined;
    return value.map((item, index) => resolved(of, item, `${path}.${index}`, scope, errors));
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = type?.kind === 'record' ? type.fields : [];
  const members = Object.entries(value).map(([key, member]) => {
    const of = fields.find((field) => field.name === key)?.type;
    return [key, resolved(of, member, `${path}.${key}`, scope, errors)];
  });
  return Object.fromEntries(members);
}

function resolvedLeaf(
  type: WireType | undefined,
  typed: string,
  path: string,
  scope: VariableScope,
  errors: Record<string, string>,
): JsonValue {
  if (!hasVariables(typed)) return typed;
  const problem = variableProblem(type, typed, scope);
  if (problem !== undefined) {
    errors[path] = problem;
    return typed;
  }
  const text = resolvedText(typed, scope.variables, scope.made ?? examples);
  if (type === undefined || type.kind === 'list' || type.kind === 'record') return text;
  const isBool = type.kind === 'scalar' && type.name === 'Bool';
  if (isBool && !/^(true|false)$/.test(text.trim())) {
    errors[path] = `Expected true or false, got "${text}".`;
    return typed;
  }
  const reading = readValue(type, text, path);
  if (reading.ok) return reading.value;
  Object.assign(errors, reading.errors);
  return typed;
}
