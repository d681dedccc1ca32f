/** Full ids of declared individuals, as in responses: `@saca` becomes `@trials::saca` if it is unique. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { idLabel } from './labels.js';
import type { RelationInfo } from './relation-index.js';
import type { NamedFact } from './together.js';

export type CanonicalId = (id: string) => string;

/** Unknown and ambiguous ids are kept. */
export function canonicalIds({ individuals }: Pick<ServedSchema, 'individuals'>): CanonicalId {
  const byName = new Map<string, string | undefined>();
  for (const { path } of individuals) {
    const name = idLabel(`@${path}`);
    byName.set(name, byName.has(name) ? undefined : `@${path}`);
  }
  return (id) => (id.startsWith('@') && !id.includes('::') ? (byName.get(id.slice(1)) ?? id) : id);
}

/** Text that looks like an id is kept. */
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
