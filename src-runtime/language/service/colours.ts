/** The colour of each word of a text, for editors that colour by meaning: by the symbol it names, otherwise by its spelling. */

import type { Analysis } from '../analyse.js';
import type { LinkTarget } from '../check/program/checked.js';
import { type HighlightKind, tokenKinds } from '../highlight.js';
import { indexOf } from './symbol-index.js';

/** Names that the Language Server Protocol has for kinds of tokens. */
export const COLOURS = [
  'namespace',
  'type',
  'class',
  'enum',
  'enumMember',
  'interface',
  'event',
  'function',
  'method',
  'property',
  'parameter',
  'variable',
  'keyword',
  'comment',
  'string',
  'number',
  'operator',
] as const;

export type Colour = (typeof COLOURS)[number];

export interface ColouredRange {
  readonly start: number;
  readonly end: number;
  readonly colour: Colour;
  readonly isDeclaration: boolean;
  /** Part of the language, or documentation rather than a comment. */
  readonly isStandard: boolean;
  readonly isDocumentation: boolean;
}

/** In order, within one line each, without overlaps. */
export function coloursOf(analysis: Analysis, file: string): readonly ColouredRange[] {
  const text = analysis.sources.find((source) => source.file === file)?.text ?? '';
  const named = new Map((indexOf(analysis).occurrences.get(file) ?? []).map((each) => [each.span.start.offset, each]));
  return tokenKinds(text).flatMap(({ kind, start, end }): ColouredRange[] => {
    // The name of an individual follows its `@`.
    const occurrence = named.get(start) ?? (kind === 'individual' ? named.get(start + 1) : undefined);
    const target = occurrence?.entity.target;
    const colour = target === undefined ? WRITTEN[kind] : colourOf(target);
    if (colour === undefined) return [];
    return [
      {
        start,
        end: text[end - 1] === '\r' ? end - 1 : end,
        colour,
        isDeclaration: occurrence?.isDeclaration ?? false,
        isStandard: target?.kind === 'builtIn',
        isDocumentation: kind === 'documentation',
      },
    ];
  });
}

/** Names without a known symbol are omitted, since any colour would be a guess. */
const WRITTEN: Readonly<Record<HighlightKind, Colour | undefined>> = {
  keyword: 'keyword',
  contextual: 'keyword',
  constant: 'keyword',
  type: undefined,
  name: undefined,
  function: undefined,
  property: 'property',
  individual: 'variable',
  number: 'number',
  text: 'string',
  comment: 'comment',
  documentation: 'comment',
  operator: 'operator',
  punctuation: undefined,
  invalid: undefined,
};

function colourOf(target: LinkTarget): Colour {
  switch (target.kind) {
    case 'concept':
    case 'define':
      return 'class';
    case 'enum':
      return 'enum';
    case 'member':
      return 'enumMember';
    case 'relation':
    case 'derive':
      return 'interface';
    case 'check':
      return 'event';
    case 'query':
    case 'mutation':
      return 'method';
    case 'fn':
      return 'function';
    case 'externType':
      return 'type';
    case 'builtIn':
      return target.form === 'type' ? 'type' : 'function';
    case 'endpoint':
    case 'parameter':
      return 'parameter';
    case 'individual':
    case 'variable':
      return 'variable';
    case 'module':
      return 'namespace';
    default:
      return 'property';
  }
}
