/** The two identities of an artifact: one of the whole document, one of the declarations that stored data depends on. */

import { canonicalHash } from '../base/canonical.js';
import type { Artifact, ConceptDeclaration, FieldDeclaration, IndividualDeclaration, Schema } from './types.js';

/** The module hash: SHA-256 of the canonical document without `integrity`. */
export function integrityOf(document: Omit<Artifact, 'integrity'> | Artifact): string {
  const { integrity: _, ...rest } = document as Artifact;
  return canonicalHash(rest);
}

/**
 * SHA-256 of the declarations that stored data depends on: concepts with their stored fields, stored relations, enums
 * and declared individuals. Docs, spans, defaults and navigation fields do not count, nor does any order but that of
 * enum members and endpoints.
 */
export function schemaHashOf(schema: Schema, individuals: readonly IndividualDeclaration[]): string {
  return canonicalHash({
    concepts: byPath(schema.concepts).map(conceptIdentity),
    relations: byPath(schema.relations).map((relation) => ({
      path: relation.path,
      endpoints: relation.endpoints.map(({ name, type, functional }) => ({ name, type, functional })),
    })),
    enums: byPath(schema.enums).map(({ path, members }) => ({ path, members: members.map((member) => member.name) })),
    individuals: byPath(individuals).map(({ path, concept, fields }) => ({
      path,
      concept,
      fields: [...fields].sort((a, b) => compareText(a.field, b.field)),
    })),
  });
}

/** Orders texts by UTF-16 code units, the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A sorted copy. */
export function byPath<T extends { readonly path: string }>(declarations: readonly T[]): T[] {
  return [...declarations].sort((a, b) => compareText(a.path, b.path));
}

function conceptIdentity(concept: ConceptDeclaration) {
  const stored = concept.fields.filter((field) => field.navigation === undefined);
  return { path: concept.path, parent: concept.parent, fields: byPath(stored).map(fieldIdentity) };
}

function fieldIdentity(field: FieldDeclaration) {
  const refinement = field.refinement === undefined ? null : withoutPlaces(field.refinement);
  return { path: field.path, type: field.type, unique: field.unique, refinement };
}

/** A copy of an expression without spans and source texts, which do not change its meaning. */
function withoutPlaces(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutPlaces);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => key !== 'span' && key !== 'text')
      .map(([key, value]) => [key, withoutPlaces(value)]),
  );
}
