/** What the page reads from an analysis: the findings and parameters of an ad-hoc text, and all declarations. */

import { lowerType } from '../../src-runtime/compiler/index.js';
import type { Type } from '../../src-runtime/language/check/program/types.js';
import { type Analysis, quickFixes } from '../../src-runtime/language/service/index.js';
import type { Declarations, DeclaredField } from '../model/facts/declarations.js';
import type { AdhocAnalysis } from './compiler-protocol.js';

/** Diagnostics and parameters of the ad-hoc text that starts at `start`, behind the declarations of its module. */
export function adhocAnalysis(analysis: Analysis, file: string, start: number): AdhocAnalysis {
  const { diagnostics, program } = analysis;
  const isInText = ({
    span,
  }: {
    readonly span: { readonly file: string; readonly start: { readonly offset: number } };
  }) => span.file === file && span.start.offset >= start;
  const [item] = program.symbols.filter(isInText);
  const parameters = item?.kind === 'query' || item?.kind === 'mutation' ? item.parameters : [];
  return {
    diagnostics: diagnostics.filter((diagnostic) => isInText(diagnostic) && diagnostic.code !== UNUSED_DECLARATION),
    fixes: quickFixes(analysis, file, start, Number.POSITIVE_INFINITY).filter(({ edits }) => edits.every(isInText)),
    parameters: parameters
      .filter(({ type }) => hasNoError(type))
      .map(({ name, type, default: value }) => ({
        name,
        type: lowerType(type) as AdhocAnalysis['parameters'][number]['type'],
        required: type.kind !== 'optional' && value === null,
      })),
  };
}

/** An ad-hoc text runs once, so nothing else uses its declaration. */
const UNUSED_DECLARATION = 'W0302';

/** For the diagram. An error in one declaration must not hide the others. */
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
  return hasNoError(type) ? (lowerType(type) as DeclaredField['type']) : { kind: 'extern', path: '?' };
}

/** False if the type contains an error. The diagnostics report it, and a form cannot show it. */
function hasNoError(type: Type): boolean {
  if (type.kind === 'optional' || type.kind === 'list') return hasNoError(type.of);
  if (type.kind === 'record') return type.fields.every((field) => hasNoError(field.type));
  return type.kind !== 'error' && type.kind !== 'none';
}

type Symbols = Analysis['program']['symbols'];
type SymbolOf<K extends Symbols[number]['kind']> = Extract<Symbols[number], { readonly kind: K }>;
