/** Everything that has tuples, by path: relations, classes, fields and checks of the served schema in one form. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { WireType } from '../../../src-runtime/api/schemas/schemas.js';
import type { Span } from '../../../src-runtime/base/span.js';

export interface RelationInfo {
  readonly path: string;
  readonly kind: 'derived' | 'stored' | 'concept' | 'define' | 'field' | 'check';
  readonly endpoints: readonly {
    readonly name: string;
    readonly type: WireType;
    /** For a stored relation: it has one value per combination of the others. */
    readonly functional?: boolean;
  }[];
  readonly doc: string | undefined;
  readonly span: Span | undefined;
}

/** In order of relevance: derived, stored, classes, checks, fields. Empty until the schema is loaded. */
export function relationIndex(schema: ServedSchema | undefined): ReadonlyMap<string, RelationInfo> {
  if (schema === undefined) return new Map();
  const all: RelationInfo[] = [];
  for (const kind of ['derived', 'stored'] as const) {
    for (const relation of schema.relations) {
      if (relation.kind === kind) {
        all.push({ path: relation.path, kind, endpoints: relation.endpoints, doc: relation.doc, span: relation.span });
      }
    }
  }
  for (const define of schema.defines) {
    all.push(classInfo(define.path, 'define', define.doc, define.span));
  }
  for (const check of schema.checks) {
    all.push({ path: check.path, kind: 'check', endpoints: check.parameters, doc: check.doc, span: check.span });
  }
  for (const concept of schema.concepts) {
    all.push(classInfo(concept.path, 'concept', concept.doc, concept.span));
  }
  for (const concept of schema.concepts) {
    for (const field of concept.fields) {
      if (field.navigation !== undefined || !field.path.startsWith(`${concept.path}.`)) continue;
      all.push({
        path: field.path,
        kind: 'field',
        endpoints: [
          { name: 'of', type: { kind: 'class', path: concept.path } },
          { name: field.name, type: field.type.kind === 'optional' ? field.type.of : field.type },
        ],
        doc: field.doc,
        span: concept.span,
      });
    }
  }
  return new Map(all.map((info) => [info.path, info]));
}

function classInfo(
  path: string,
  kind: 'concept' | 'define',
  doc: string | undefined,
  span: Span | undefined,
): RelationInfo {
  return { path, kind, endpoints: [{ name: 'individual', type: { kind: 'class', path } }], doc, span };
}
