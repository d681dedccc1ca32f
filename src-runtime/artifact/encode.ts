/** Encodes declarations as artifact bytes. The order of the declarations does not change the bytes. */

import { canonicalBytes, canonicalText, inCanonicalOrder } from '../base/canonical.js';
import { byPath, compareText, integrityOf, schemaHashOf } from './identity.js';
import type { Artifact, FactDeclaration } from './types.js';
import { ARTIFACT_FORMAT, ARTIFACT_FORMAT_VERSION } from './types.js';

/** An artifact as the compiler produces it; `encodeArtifact` adds format, identities and order. */
export type ArtifactDraft = Omit<Artifact, 'format' | 'formatVersion' | 'schemaHash' | 'integrity'>;

/**
 * Sorts the declarations into the order of a decoded artifact and computes both identities. A fact that is declared twice is stored
 * once.
 */
export function sealArtifact(draft: ArtifactDraft): Artifact {
  const schema = {
    enums: byPath(draft.schema.enums),
    concepts: byPath(draft.schema.concepts),
    relations: byPath(draft.schema.relations),
    externTypes: byPath(draft.schema.externTypes),
    context: [...draft.schema.context].sort((a, b) => compareText(a.name, b.name)),
  };
  const individuals = byPath(draft.individuals).map((individual) => ({
    ...individual,
    fields: [...individual.fields].sort((a, b) => compareText(a.field, b.field)),
  }));
  const unsigned: Omit<Artifact, 'integrity'> = inCanonicalOrder({
    format: ARTIFACT_FORMAT,
    formatVersion: ARTIFACT_FORMAT_VERSION,
    compiler: draft.compiler,
    modules: [...draft.modules].sort((a, b) => compareText(a.name, b.name)),
    schemaHash: schemaHashOf(schema, individuals),
    schema,
    individuals,
    facts: sortedFacts(draft.facts),
    rules: byPath(draft.rules),
    defines: byPath(draft.defines),
    checks: byPath(draft.checks),
    queries: byPath(draft.queries),
    mutations: byPath(draft.mutations),
    functions: byPath(draft.functions),
    ...(draft.sources === undefined ? {} : { sources: [...draft.sources].sort((a, b) => compareText(a.file, b.file)) }),
  });
  const members = Object.entries({ ...unsigned, integrity: integrityOf(unsigned) });
  return Object.fromEntries(members.sort(([a], [b]) => compareText(a, b))) as unknown as Artifact;
}

/** The bytes of an artifact file: canonical JSON in UTF-8. */
export function encodeArtifact(artifact: Artifact): Uint8Array {
  return canonicalBytes(artifact);
}

function sortedFacts(facts: readonly FactDeclaration[]): FactDeclaration[] {
  const keyed = facts.map((fact) => ({ fact, key: canonicalText([fact.relation, fact.tuple]) }));
  keyed.sort(
    (a, b) =>
      compareText(a.fact.relation, b.fact.relation) ||
      compareText(a.key, b.key) ||
      compareText(a.fact.span.file, b.fact.span.file) ||
      a.fact.span.start.offset - b.fact.span.start.offset,
  );
  return keyed.filter((entry, index) => entry.key !== keyed[index - 1]?.key).map((entry) => entry.fact);
}
