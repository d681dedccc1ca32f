/** The order of names in the lists of the page: as people count, so that q2 stands before q10. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';

const COLLATOR = new Intl.Collator('en', { numeric: true });

export function sortedByName<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  return items.toSorted((left, right) => COLLATOR.compare(nameOf(left), nameOf(right)));
}

/** The same declarations, by name; the server lists them by code units. */
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
