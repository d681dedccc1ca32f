/** What can be exported, by its path: a relation, the individuals of a class, or the result of a query. */

import type { ServedSchema } from '../schemas/module-schemas.js';
import type { WireType } from '../schemas/schemas.js';

/** A column of a table, with its type if that is known. */
export interface TypedColumn {
  readonly name: string;
  readonly type: WireType | undefined;
}

export interface ExportSource {
  readonly kind: 'relation' | 'class' | 'query';
  /** The columns of its rows, with their types. */
  readonly columns: readonly TypedColumn[];
  /** Of a query. */
  readonly parameters: ServedSchema['queries'][number]['parameters'];
}

/** Undefined for a path that cannot be exported. */
export function exportSource(schema: ServedSchema, path: string): ExportSource | undefined {
  const relation = schema.relations.find((each) => each.path === path);
  if (relation !== undefined) return { kind: 'relation', columns: relation.endpoints, parameters: [] };
  const query = schema.queries.find((each) => each.path === path && each.public);
  if (query !== undefined) {
    const { result, parameters } = query;
    return { kind: 'query', columns: resultColumns(schema, result.kind === 'list' ? result.of : result), parameters };
  }
  const isClass = [...schema.concepts, ...schema.defines].some((each) => each.path === path);
  return isClass ? { kind: 'class', columns: classColumns(schema, path), parameters: [] } : undefined;
}

/** The paths of everything that can be exported. */
export function exportPaths({ relations, concepts, defines, queries }: ServedSchema): string[] {
  return [...relations, ...concepts, ...defines, ...queries.filter((query) => query.public)].map(({ path }) => path);
}

/** The columns that the server streams for values of this type. */
function resultColumns(schema: ServedSchema, type: WireType): readonly TypedColumn[] {
  if (type.kind === 'optional') return resultColumns(schema, type.of);
  if (type.kind === 'class') return classColumns(schema, type.path);
  return type.kind === 'record' ? type.fields : [{ name: 'value', type }];
}

/** Fields of subclasses come after those of the class. Two fields of one name in different subclasses may differ in type. */
function classColumns({ concepts, defines }: ServedSchema, path: string): readonly TypedColumn[] {
  const top = defines.find((define) => define.path === path)?.class ?? path;
  const isBelow = (concept: string | null): boolean =>
    concept === top || (concept !== null && isBelow(concepts.find((each) => each.path === concept)?.parent ?? null));
  const columns = new Map<string, TypedColumn>([['$id', { name: '$id', type: { kind: 'class', path: top } }]]);
  const own = concepts.filter((concept) => concept.path === top);
  for (const { fields } of [...own, ...concepts.filter((concept) => isBelow(concept.path))]) {
    for (const { name, type } of fields) {
      const known = columns.get(name);
      const isSame = known === undefined || JSON.stringify(known.type) === JSON.stringify(type);
      columns.set(name, { name, type: isSame ? type : undefined });
    }
  }
  return [...columns.values()];
}
