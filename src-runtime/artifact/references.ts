/** Whether all that the signatures and the ground truth of an artifact name is declared in it, once. */

import type { Artifact, FieldDeclaration, Type } from './types.js';

/** A sentence about the first name that is undeclared or declared twice, or undefined if none exists. */
export function referenceFault(artifact: Artifact): string | undefined {
  for (const fault of faultsOf(artifact)) return fault;
  return undefined;
}

/** Declared paths, by the kind of reference that can name them. */
interface Declared {
  /** With their parents. */
  readonly concepts: ReadonlyMap<string, string | null>;
  readonly classes: ReadonlySet<string>;
  readonly enums: ReadonlySet<string>;
  readonly externTypes: ReadonlySet<string>;
  readonly fields: ReadonlyMap<string, FieldDeclaration>;
  /** How many endpoints, by path: of stored relations, and of these and derived ones. */
  readonly stored: ReadonlyMap<string, number>;
  readonly relations: ReadonlyMap<string, number>;
}

function* faultsOf(artifact: Artifact): Generator<string> {
  yield* repeatedPaths(artifact);
  const declared = declaredIn(artifact);
  for (const { path, parent } of artifact.schema.concepts) {
    if (parent !== null && !declared.concepts.has(parent)) yield unknown(path, 'concept', parent);
    else if (isBelowItself(declared, path)) yield `the concept "${path}" is below itself`;
  }
  for (const { name, types } of signaturesOf(artifact)) {
    for (const type of types) yield* unknownTypes(declared, name, type);
  }
  yield* faultsOfNavigation(declared);
  yield* faultsOfGroundTruth(artifact, declared);
}

function declaredIn({ schema, rules, defines }: Artifact): Declared {
  const pathsOf = (declarations: readonly { readonly path: string }[]) => new Set(declarations.map(({ path }) => path));
  const stored = schema.relations.map(({ path, endpoints }) => [path, endpoints.length] as const);
  const derived = rules.map(({ path, parameters }) => [path, parameters.length] as const);
  return {
    concepts: new Map(schema.concepts.map(({ path, parent }) => [path, parent])),
    classes: pathsOf([...schema.concepts, ...defines]),
    enums: pathsOf(schema.enums),
    externTypes: pathsOf(schema.externTypes),
    fields: new Map(schema.concepts.flatMap(({ fields }) => fields.map((field) => [field.path, field] as const))),
    stored: new Map(stored),
    relations: new Map([...stored, ...derived]),
  };
}

function* repeatedPaths({ schema, ...artifact }: Artifact): Generator<string> {
  const groups = [
    [...schema.concepts, ...schema.relations, ...schema.enums, ...artifact.rules, ...artifact.defines],
    artifact.individuals,
    artifact.checks,
    artifact.queries,
    artifact.mutations,
    artifact.functions,
    schema.concepts.flatMap(({ fields }) => fields),
  ];
  for (const group of groups) {
    const seen = new Set<string>();
    for (const { path } of group) {
      if (seen.has(path)) yield `"${path}" is declared twice`;
      seen.add(path);
    }
  }
}

/** Every declaration that has types, with them. */
function* signaturesOf({ schema, ...artifact }: Artifact): Generator<{ name: string; types: readonly Type[] }> {
  for (const { fields } of schema.concepts) {
    for (const { path, type } of fields) yield { name: path, types: [type] };
  }
  for (const { path, endpoints } of schema.relations) yield { name: path, types: endpoints.map(({ type }) => type) };
  for (const { name, type } of schema.context) yield { name: `context.${name}`, types: [type] };
  for (const { path, parameters } of [...artifact.rules, ...artifact.defines, ...artifact.checks]) {
    yield { name: path, types: parameters.map(({ type }) => type) };
  }
  for (const { path, parameters, result } of [...artifact.queries, ...artifact.mutations, ...artifact.functions]) {
    const types = parameters.map(({ type }) => type);
    yield { name: path, types: result === null ? types : [...types, result] };
  }
}

function* unknownTypes(declared: Declared, name: string, type: Type): Generator<string> {
  switch (type.kind) {
    case 'scalar':
      return;
    case 'enum':
      if (!declared.enums.has(type.path)) yield unknown(name, 'enum', type.path);
      return;
    case 'class':
      if (!declared.classes.has(type.path)) yield unknown(name, 'concept or define', type.path);
      return;
    case 'extern':
      if (!declared.externTypes.has(type.path)) yield unknown(name, 'extern type', type.path);
      return;
    case 'optional':
    case 'list':
      yield* unknownTypes(declared, name, type.of);
      return;
    case 'record':
      for (const field of type.fields) yield* unknownTypes(declared, name, field.type);
  }
}

function* faultsOfNavigation({ fields, relations }: Declared): Generator<string> {
  for (const { path, navigation } of fields.values()) {
    if (navigation === undefined) continue;
    const { relation, own, read } = navigation;
    const endpoints = relations.get(relation);
    if (endpoints === undefined) yield unknown(path, 'relation', relation);
    else if (Math.max(own, read) >= endpoints) yield `"${path}" reads an endpoint that "${relation}" does not have`;
  }
}

function* faultsOfGroundTruth({ individuals, facts }: Artifact, declared: Declared): Generator<string> {
  for (const { path, concept, fields } of individuals) {
    if (!declared.concepts.has(concept)) yield unknown(path, 'concept', concept);
    for (const { field } of fields) {
      const found = declared.fields.get(field);
      if (found === undefined || found.navigation !== undefined) yield unknown(path, 'stored field', field);
    }
  }
  for (const [index, { relation, tuple }] of facts.entries()) {
    const endpoints = declared.stored.get(relation);
    if (endpoints === undefined) yield unknown(`facts[${index}]`, 'stored relation', relation);
    else if (endpoints !== tuple.length)
      yield `"facts[${index}]" has ${tuple.length} elements, and "${relation}" ${endpoints}`;
  }
}

function isBelowItself({ concepts }: Declared, path: string): boolean {
  const seen = new Set<string>();
  for (let at: string | null = path; at !== null; at = concepts.get(at) ?? null) {
    if (seen.has(at)) return true;
    seen.add(at);
  }
  return false;
}

function unknown(name: string, kind: string, path: string): string {
  return `"${name}" names the ${kind} "${path}", which is not declared`;
}
