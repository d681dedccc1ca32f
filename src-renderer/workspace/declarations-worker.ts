/** The declarations of an analysis, for the diagram. An error in one declaration must not hide the others. */

import { lowerType } from '../../src-runtime/compiler/index.js';
import type { Type } from '../../src-runtime/language/check/program/types.js';
import type { Analysis } from '../../src-runtime/language/service/index.js';
import type { Declarations, DeclaredField } from '../model/facts/declarations.js';
import { isWhole } from './adhoc-worker.js';

type Symbols = Analysis['program']['symbols'];
type SymbolOf<K extends Symbols[number]['kind']> = Extract<Symbols[number], { readonly kind: K }>;

export function declarationsOf({ program: { symbols } }: Analysis): Declarations {
  const of = <K extends Symbols[number]['kind']>(kind: K): SymbolOf<K>[] =>
    symbols.filter((symbol): symbol is SymbolOf<K> => symbol.kind === kind);
  return {
    concepts: of('concept').map((concept) => ({
      ...declared(concept),
      parent: concept.parent?.path ?? null,
      fields: concept.fields.map(({ name, type, unique, navigation, via }) => ({
        name,
        type: wireType(type),
        unique,
        via: navigation?.relation.path ?? via ?? undefined,
      })),
    })),
    relations: [
      ...of('relation').map((relation) => ({ ...declared(relation), kind: 'stored' as const, ...endpoints(relation) })),
      ...of('derive').map((derive) => ({ ...declared(derive), kind: 'derived' as const, ...endpoints(derive) })),
    ],
    defines: of('define').map((define) => ({ ...declared(define), class: define.base?.path })),
    enums: of('enum').map((item) => ({ ...declared(item), members: item.members.map(({ name }) => name.text) })),
  };
}

function declared({ path, doc, nameSpan }: Symbols[number]) {
  return { path, doc: doc ?? undefined, span: nameSpan };
}

function endpoints(relation: SymbolOf<'relation'> | SymbolOf<'derive'>) {
  return {
    endpoints: relation.endpoints.map(({ name, type, functional }) => ({ name, type: wireType(type), functional })),
  };
}

/** A type with an error is shown as `?`. */
function wireType(type: Type): DeclaredField['type'] {
  return isWhole(type) ? (lowerType(type) as DeclaredField['type']) : { kind: 'extern', path: '?' };
}
