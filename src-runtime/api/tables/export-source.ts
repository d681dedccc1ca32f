/** What can be exported, by its path: a relation, the individuals of a class, or the result of a query. */

import type { ServedSchema } from '../schemas/module-schemas.js';

export interface ExportSource {
  readonly kind: 'relation' | 'class' | 'query';
  /** Of a query. */
  readonly parameters: ServedSchema['queries'][number]['parameters'];
}

/** Undefined for a path that cannot be exported. */
export function exportSource(schema: ServedSchema, path: string): ExportSource | undefined {
  if (schema.relations.some((each) => each.path === path)) return { kind: 'relation', parameters: [] };
  const query = schema.queries.find((each) => each.path === path && each.public);
  if (query !== undefined) return { kind: 'query', parameters: query.parameters };
  const isClass = [...schema.concepts, ...schema.defines].some((each) => each.path === path);
  return isClass ? { kind: 'class', parameters: [] } : undefined;
}

/** The paths of everything that can be exported. */
export function exportPaths({ relations, concepts, defines, queries }: ServedSchema): string[] {
  return [...relations, ...concepts, ...defines, ...queries.filter((query) => query.public)].map(({ path }) => path);
}
