/** What the language service knows of an ad-hoc text that stands behind the declarations of the loaded module. */

import { lowerType } from '../../src-runtime/compiler/index.js';
import type { Type } from '../../src-runtime/language/check/program/types.js';
import type { Analysis } from '../../src-runtime/language/service/index.js';
import type { AdhocAnalysis } from './compile-messages.js';

/** Nothing else uses what is sent once and forgotten. */
const UNUSED = 'W0302';

/** Of the text from `start` on. */
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

/** Nothing in it is in error; what is has been found, and has no form. */
export function isWhole(type: Type): boolean {
  if (type.kind === 'optional' || type.kind === 'list') return isWhole(type.of);
  if (type.kind === 'record') return type.fields.every((field) => isWhole(field.type));
  return type.kind !== 'error' && type.kind !== 'none';
}
