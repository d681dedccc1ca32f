/** Declared individuals by the one id that the server answers with: `@saca` is taken for `@trials::saca` where that is the only one. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { idLabel } from './labels.js';
import type { RelationInfo } from './relation-index.js';
import type { NamedFact } from './together.js';

export type CanonicalId = (id: string) => string;

/** What no individual of the module is meant by, or several may be, stays as it is. */
export function canonicalIds({ individuals }: Pick<ServedSchema, 'individuals'>): CanonicalId {
  const byName = new Map<string, string | undefined>();
  for (const { path } of individuals) {
    const name = idLabel(`@${path}`);
    byName.set(name, byName.has(name) ? undefined : `@${path}`);
  }
  return (id) => (id.startsWith('@') && !id.includes('::') ? (byName.get(id.slice(1)) ?? id) : id);
}

/** A text that looks like an id stays a text. */
export function canonicalFact<Fact extends NamedFact>(
  fact: Fact,
  index: ReadonlyMap<string, RelationInfo>,
  idOf: CanonicalId,
): Fact {
  const endpoints = index.get(fact.relation)?.endpoints ?? [];
  const tuple = fact.tuple.map((value, at) =>
    typeof value === 'string' && endpoints[at]?.type.kind === 'class' ? idOf(value) : value,
  );
  return { ...fact, tuple };
}
