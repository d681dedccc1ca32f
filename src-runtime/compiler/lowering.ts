/** Shared by all lowering passes: source texts for proofs, fresh variables, and types in the artifact's form. */

import type * as ir from '../artifact/index.js';
import { invariant } from '../base/invariant.js';
import type { Span } from '../base/span.js';
import type { Type } from '../language/check/index.js';
import { oneLine } from './sources.js';

/** The state of lowering one declaration: names that it makes up are unique inside it. */
export interface Lowering {
  readonly texts: ReadonlyMap<string, string>;
  fresh: number;
}

/** A variable that no source can name. */
export function freshName(lowering: Lowering): string {
  lowering.fresh += 1;
  return `$${lowering.fresh}`;
}

export function sourceText(lowering: Lowering, span: Span): string {
  return oneLine(lowering.texts.get(span.file) ?? '', span);
}

/** A doc comment as an optional member. */
export function docOf(doc: string | null): { doc?: string } {
  return doc === null ? {} : { doc };
}

export function lowerType(type: Type): ir.Type {
  switch (type.kind) {
    case 'scalar':
      return { kind: 'scalar', name: type.name };
    case 'enum':
    case 'class':
    case 'extern':
      return { kind: type.kind, path: type.symbol.path };
    case 'optional':
    case 'list':
      return { kind: type.kind, of: lowerType(type.of) };
    case 'record':
      return { kind: 'record', fields: type.fields.map(({ name, type: of }) => ({ name, type: lowerType(of) })) };
    case 'none':
    case 'error':
      invariant(false, `a program without errors has no expression of type ${type.kind}`);
  }
}
