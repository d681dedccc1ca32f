/** Natural sort order for names: q2 before q10. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';

const COLLATOR = new Intl.Collator('en', { numeric: true });

export function sortedByName<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  return items.toSorted((left, right) => COLLATOR.compare(nameOf(left), nameOf(right)));
}

/** The declarations sorted by name; the server sorts them by code units. */
export function withNaturalOrder(schema: ServedSchema): ServedSchema {
  return {
    ...schema,
    enums: byPath(schema.enums),
    concepts: byPath(schema.concepts),
    relations: byPath(schema.relations),
    defines: byPath(schema.defines),
    individuals: byPath(schema.individuals),
    rules: byPath(schema.rules),
    checks: byPath(schema.checks),
    queries: byPath(schema.queries),
    mutations: byPath(schema.mutations),
    functions: byPath(schema.functions),
  };
}

function byPath<T extends { readonly path: string }>(declarations: readonly T[]): T[] {
  return sortedByName(declarations, ({ path }) => path);
}
