/** The declarations of a module: concepts, relations, defines and enums, from source text or the served schema. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { WireType } from '../../../src-runtime/api/schemas/schemas.js';
import type { Span } from '../../../src-runtime/base/span.js';

interface Declared {
  readonly path: string;
  readonly doc: string | undefined;
  readonly span: Span;
}

export interface DeclaredConcept extends Declared {
  readonly parent: string | null;
  /** Own fields, without inherited ones. */
  readonly fields: readonly DeclaredField[];
}

export interface DeclaredField {
  readonly name: string;
  readonly type: WireType;
  readonly unique: boolean;
  /** The relation of a navigation field. */
  readonly via: string | undefined;
}

export interface DeclaredRelation extends Declared {
  readonly kind: 'stored' | 'derived';
  readonly endpoints: readonly { readonly name: string; readonly type: WireType; readonly functional: boolean }[];
}

export interface Declarations {
  readonly concepts: readonly DeclaredConcept[];
  readonly relations: readonly DeclaredRelation[];
  readonly defines: readonly (Declared & { readonly class: string | undefined })[];
  readonly enums: readonly (Declared & { readonly members: readonly string[] })[];
}

export function declarationsOfSchema({ concepts, relations, defines, enums }: ServedSchema): Declarations {
  return {
    concepts: concepts.map(({ path, doc, span, parent, fields }) => ({
      path,
      doc,
      span,
      parent,
      fields: fields
        .filter((field) => field.path === `${path}.${field.name}`)
        .map(({ name, type, unique, navigation }) => ({ name, type, unique, via: navigation?.relation })),
    })),
    relations: relations.map(({ path, doc, span, kind, endpoints }) => ({
      path,
      doc,
      span,
      kind,
      endpoints: endpoints.map(({ name, type, functional }) => ({ name, type, functional })),
    })),
    defines: defines.map(({ path, doc, span, class: of }) => ({ path, doc, span, class: of })),
    enums: enums.map(({ path, doc, span, members }) => ({ path, doc, span, members: members.map(({ name }) => name) })),
  };
}
