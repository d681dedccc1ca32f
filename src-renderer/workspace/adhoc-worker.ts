/** Diagnostics and parameters of an ad-hoc text, which is analysed behind the declarations of the loaded module. */

import { lowerType } from '../../src-runtime/compiler/index.js';
import type { Type } from '../../src-runtime/language/check/program/types.js';
import type { Analysis } from '../../src-runtime/language/service/index.js';
import type { AdhocAnalysis } from './compile-messages.js';

/** An ad-hoc text runs once, so nothing else uses its declaration. */
const UNUSED = 'W0302';

/** Analyses the part of `file` from offset `start` on. */
export function adhocAnalysis({ diagnostics, program }: Analysis, file: string, start: number): AdhocAnalysis {
  const stands = ({
    span,
  }: {
    readonly span: { readonly file: string; readonly start: { readonly offset: number } };
  }) => span.file === file && span.start.offset >= start;
  const [item] = program.symbols.filter(stands);
  const parameters = item?.kind === 'query' || item?.kind === 'mutation' ? item.parameters : [];
  return {
    diagnostics: diagnostics.filter((diagnostic) => stands(diagnostic) && diagnostic.code !== UNUSED),
    parameters: parameters
      .filter(({ type }) => isWhole(type))
      .map(({ name, type, default: value }) => ({
        name,
        type: lowerType(type) as AdhocAnalysis['parameters'][number]['type'],
        required: type.kind !== 'optional' && value === null,
      })),
  };
}

/** False if the type contains an error. The diagnostics report it, and a form cannot show it. */
export function isWhole(type: Type): boolean {
  if (type.kind === 'optional' || type.kind === 'list') return isWhole(type.of);
  if (type.kind === 'record') return type.fields.every((field) => isWhole(field.type));
  return type.kind !== 'error' && type.kind !== 'none';
}
