/** Lets the rows of an import refer to individuals by the value of a field, such as a code, instead of by id. */

import { ApiError } from '../../api/errors.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { localName } from '../../artifact/expression-text.js';
import type { MutationDeclaration, Type } from '../../artifact/types.js';
import { articleFor } from '../../base/articles.js';
import { jsonPath, jsonWords } from '../../base/json-words.js';
import { didYouMean } from '../../base/nearest.js';
import type { Deadline } from '../../base/ports.js';
import { bare, type FieldInfo, fromWire, mismatchText, type Program, type View } from '../../engine/index.js';
import { conceptOf, isInstance, requestEnvironment } from '../state/individuals.js';

/** How to look up the individuals of one parameter. */
export interface ImportKey {
  readonly parameter: string;
  readonly classPath: string;
  readonly field: FieldInfo;
}

/** The key fields, by parameter. Throws VALIDATION_FAILED for an unknown parameter, and for a field that cannot be a key. */
export function importKeys(
  program: Program,
  { path, parameters }: MutationDeclaration,
  keys: Readonly<Record<string, string>>,
): readonly ImportKey[] {
  return Object.entries(keys).map(([name, fieldName]) => {
    const refuse = (problem: string): never => {
      throw new ApiError('SVC_RUNTIME_VALIDATION_FAILED', problem, { path: jsonPath([name], '$.keys') });
    };
    const parameter = parameters.find((each) => each.name === name);
    if (parameter === undefined) {
      const names = parameters.map((each) => each.name);
      return refuse(`"${path}" has no parameter "${name}"${didYouMean(name, names) || '.'}`);
    }
    const classPath = classOf(parameter.type);
    if (classPath === undefined) return refuse(`The parameter "${name}" of "${path}" takes no individuals.`);
    const fields = program.classes.get(classPath)?.fields.filter(isKey) ?? [];
    const field = fields.find((each) => each.name === fieldName);
    if (field !== undefined) return { parameter: name, classPath, field };
    const known = fields.map((each) => each.name);
    const way = didYouMean(fieldName, known) || `; there are: ${known.join(', ') || 'none'}.`;
    return refuse(`${classPath} has no field "${fieldName}" to find an individual by${way}`);
  });
}

/** The row with ids in place of keys. Throws VALIDATION_FAILED for a key that matches no individual, or several. */
export async function withoutKeys(
  view: View,
  keys: readonly ImportKey[],
  row: Readonly<Record<string, JsonValue>>,
  deadline: Deadline,
): Promise<Readonly<Record<string, JsonValue>>> {
  if (keys.length === 0) return row;
  const args: Record<string, JsonValue> = { ...row };
  for (const key of keys) {
    const given = Object.hasOwn(row, key.parameter) ? row[key.parameter] : undefined;
    if (given === undefined || given === null) continue;
    await view.stored(key.field.path).prepare([1], deadline);
    args[key.parameter] = Array.isArray(given)
      ? given.map((item, at) => idOf(view, key, item, [key.parameter, at]))
      : idOf(view, key, given, [key.parameter]);
  }
  return args;
}

/** The id of the individual with this key. The index of the field must be prepared. Throws what `withoutKeys` throws. */
export function idOf(
  view: View,
  { parameter, classPath, field }: ImportKey,
  given: JsonValue,
  at: readonly (string | number)[],
): string {
  const path = jsonPath(at, '$.args');
  const className = localName(classPath);
  const expected = `the ${field.name} of ${articleFor(className)} ${className}`;
  const refuse = (why = ''): never => {
    const received = `${jsonWords(given)}${why}`;
    const details = { path, parameter, key: field.path, expected, received };
    throw new ApiError('SVC_RUNTIME_VALIDATION_FAILED', mismatchText({ expected, received }, path), details);
  };
  const type = bare(field.type);
  const read = fromWire(type, given, requestEnvironment(view));
  if (!read.ok || read.value === null) return refuse();
  const found: number[] = [];
  for (const [individual] of view.stored(field.path).match([null, view.interner.encode(type, read.value)])) {
    const concept = individual === undefined ? undefined : conceptOf(view, individual);
    if (individual === undefined || concept === undefined) continue;
    if (isInstance(view.program, concept, classPath)) found.push(individual);
  }
  const [individual] = found;
  if (individual === undefined) return refuse(`, which no ${className} has`);
  const id = view.interner.decodeIndividual(individual);
  if (found.length > 1) {
    const [, other = 0] = found;
    return refuse(`, which both ${id} and ${view.interner.decodeIndividual(other)} have`);
  }
  return id;
}

/** The class of an individual, an optional individual or a list of them. */
function classOf(type: Type): string | undefined {
  const plain = type.kind === 'list' ? type.of : bare(type);
  return plain.kind === 'class' ? plain.path : undefined;
}

/** A stored field with a plain value. A reference would need another lookup. */
function isKey({ navigation, type }: FieldInfo): boolean {
  const plain = bare(type);
  return navigation === undefined && (plain.kind === 'scalar' || plain.kind === 'enum');
}
