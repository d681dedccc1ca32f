/** Reads a call's arguments: matches them to the signature, converts wire values, applies defaults and checks refinements. */

import { ApiError } from '../../api/errors.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { expressionText, localName } from '../../artifact/expression-text.js';
import type { Expression, Parameter, Type } from '../../artifact/types.js';
import { articleFor } from '../../base/articles.js';
import { bareRecord } from '../../base/bare-record.js';
import { jsonPath, jsonWords } from '../../base/json-words.js';
import { didYouMean } from '../../base/nearest.js';
import type { Deadline } from '../../base/ports.js';
import {
  type Bindings,
  evaluatePure,
  fromWire,
  mismatchText,
  type Program,
  type Value,
  type View,
  type WireEnvironment,
} from '../../engine/index.js';
import { conceptOf, requestEnvironment } from '../state/individuals.js';

/** Throws SIGNATURE_MISMATCH for missing or unknown names, and VALIDATION_FAILED for a value that does not fit. */
export function readArguments(
  view: View,
  callable: string,
  parameters: readonly Parameter[],
  args: Readonly<Record<string, JsonValue>>,
): Bindings {
  const environment = requestEnvironment(view);
  checkNames(callable, parameters, args);
  const bound = bareRecord<Bindings[string]>();
  for (const parameter of parameters) {
    const { name, type } = parameter;
    const given = Object.hasOwn(args, name) ? args[name] : undefined;
    bound[name] = { type, value: argumentValue(view.program, parameter, given, environment) };
  }
  return bound;
}

/** Throws SIGNATURE_MISMATCH for missing or unknown names. */
export function checkNames(
  callable: string,
  parameters: readonly Parameter[],
  args: Readonly<Record<string, JsonValue>>,
): void {
  if (fits(parameters, args)) return;
  const names = parameters.map(({ name }) => name);
  const unknown = Object.keys(args).filter((name) => !names.includes(name));
  const missing = parameters
    .filter((parameter) => !Object.hasOwn(args, parameter.name) && isRequired(parameter))
    .map(({ name }) => name);
  const [firstUnknown] = unknown;
  const signature = names.length === 0 ? 'It takes no arguments.' : `It takes ${names.join(', ')}.`;
  const surplus =
    firstUnknown !== undefined && `has no parameter "${firstUnknown}"${didYouMean(firstUnknown, names) || '.'}`;
  const lacking = missing.length > 0 && `needs the argument ${missing.map((name) => `"${name}"`).join(' and ')}.`;
  const problem = [surplus, lacking].filter((text) => text !== false).join(' It ');
  throw new ApiError('SVC_RUNTIME_SIGNATURE_MISMATCH', `"${callable}" ${problem} ${signature}`, {
    path: jsonPath([firstUnknown ?? missing[0] ?? ''], '$.args'),
    missing,
    unknown,
    parameters: names,
  });
}

function fits(parameters: readonly Parameter[], args: Readonly<Record<string, JsonValue>>): boolean {
  let given = 0;
  for (const parameter of parameters) {
    if (Object.hasOwn(args, parameter.name)) given += 1;
    else if (isRequired(parameter)) return false;
  }
  return given === Object.keys(args).length;
}

function isRequired(parameter: Parameter): boolean {
  return parameter.default === undefined && parameter.type.kind !== 'optional';
}

function argumentValue(
  program: Program,
  parameter: Parameter,
  given: JsonValue | undefined,
  environment: WireEnvironment,
): Value {
  if (given === undefined) return parameter.default ? evaluatePure(program, parameter.default, {}) : null;
  const read = fromWire(parameter.type, given, environment);
  if (!read.ok) {
    const path = `$.args.${parameter.name}${read.path}`;
    throw new ApiError('SVC_RUNTIME_VALIDATION_FAILED', mismatchText(read, path), {
      path,
      parameter: parameter.name,
      expected: read.expected,
      received: read.received,
      ...(read.classPath !== undefined && { class: read.classPath }),
      ...(read.nearest !== undefined && { nearest: read.nearest }),
      ...(read.absent !== undefined && { absent: read.absent }),
    });
  }
  if (!parameter.refinement || read.value === null) return read.value;
  const broken = brokenRefinement(program, parameter.refinement, parameter.type, read.value);
  if (broken !== undefined) {
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `Expected "${parameter.name}" to satisfy ${broken}, got ${jsonWords(given)} ($.args.${parameter.name}).`,
      { path: `$.args.${parameter.name}`, parameter: parameter.name, refinement: broken },
    );
  }
  return read.value;
}

/** Throws VALIDATION_FAILED if an argument for a define is not one of its members. */
export function requireMembers(
  view: View,
  parameters: readonly Parameter[],
  bound: Bindings,
  deadline: Deadline,
): Promise<void> | undefined {
  const needed: Membership[] = [];
  for (const { name, type } of parameters) {
    const value = bound[name]?.value ?? null;
    if (type.kind === 'scalar' || value === null) continue;
    const isDefine = (path: string) => view.program.classes.get(path)?.kind === 'define';
    for (const { path, id } of individualsIn(type, value, isDefine)) needed.push({ name, define: path, id });
  }
  return needed.length === 0 ? undefined : checkMembers(view, needed, deadline);
}

/** Throws VALIDATION_FAILED if an argument that is not from the wire is a deleted individual. */
export function requireIndividuals(
  view: View,
  callable: string,
  parameters: readonly Parameter[],
  bound: Bindings,
): void {
  for (const { name, type } of parameters) {
    for (const { id } of individualsIn(type, bound[name]?.value ?? null, () => true)) {
      if (conceptOf(view, view.interner.encodeIndividual(id)) !== undefined) continue;
      throw new ApiError(
        'SVC_RUNTIME_VALIDATION_FAILED',
        `Expected an existing individual, got ${id}, which does not exist (argument "${name}" of "${callable}").`,
        { path: `$.args.${name}`, parameter: name, individual: id },
      );
    }
  }
}

interface Membership {
  /** The name of the parameter. */
  readonly name: string;
  readonly define: string;
  readonly id: string;
}

async function checkMembers(view: View, needed: readonly Membership[], deadline: Deadline): Promise<void> {
  for (const { name, define, id } of needed) {
    const members = await view.materialise(define, deadline);
    if (members.has([view.interner.encodeIndividual(id)])) continue;
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `Expected ${articleFor(localName(define))} ${localName(define)}, got ${id}, which is not one now ($.args.${name}).`,
      { path: `$.args.${name}`, parameter: name, class: define, individual: id },
    );
  }
}

/** The individuals in a value whose declared class is wanted, each with the path of that class. */
function individualsIn(type: Type, value: Value, isWanted: (path: string) => boolean): { path: string; id: string }[] {
  if (value === null) return [];
  switch (type.kind) {
    case 'optional':
      return individualsIn(type.of, value, isWanted);
    case 'list':
      return (value as readonly Value[]).flatMap((item) => individualsIn(type.of, item, isWanted));
    case 'record': {
      const record = value as { readonly [key: string]: Value };
      return type.fields.flatMap((field) => individualsIn(field.type, record[field.name] ?? null, isWanted));
    }
    case 'class':
      return isWanted(type.path) ? [{ path: type.path, id: value as string }] : [];
    default:
      return [];
  }
}

/** The text of the refinement that the value breaks; undefined if it fits. Throws EvaluationFault. */
export function brokenRefinement(
  program: Program,
  refinement: Expression,
  type: Type,
  value: Value,
): string | undefined {
  const holds = evaluatePure(program, refinement, { value: { type, value } });
  return holds === true ? undefined : expressionText(refinement);
}
