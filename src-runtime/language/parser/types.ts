/** Types in source form. */

import type { TypeSyntax } from '../ast.js';
import type { Cursor } from './cursor.js';
import { anyWord, bracketed, path } from './names.js';

export function type(p: Cursor): TypeSyntax {
  return p.nested(() => {
    const start = p.index;
    const base = unmarkedType(p);
    if (p.at('<') || (p.at('[') && p.peekIs(1, ']'))) {
      p.fail('E0017', 'a list type is written `[T]`', { hint: 'Put the element type in brackets.' });
    }
    if (!p.accept('?')) return base;
    return { kind: 'optional', of: base, span: p.spanFrom(start) };
  });
}

function unmarkedType(p: Cursor): TypeSyntax {
  const start = p.index;
  if (p.at('[')) {
    const open = p.take();
    const of = type(p);
    if (p.atBody()) p.reportUnclosed(open, ']');
    else p.close(open, ']');
    return { kind: 'list', of, span: p.spanFrom(start) };
  }
  if (p.at('{') && !p.atBody()) {
    const { losses } = p;
    const fields = bracketed(p, ['{', '}'], 'before the fields of a record type', () => recordField(p), 'optional');
    if (p.losses > losses) return { kind: 'error', span: p.spanFrom(start) };
    return { kind: 'record', fields, span: p.spanFrom(start) };
  }
  if (p.atBody() || !p.atName() || p.atKey()) {
    const hint =
      'A type is `Text`, `Int`, `Decimal`, `Bool`, `Date`, `DateTime`, a declared name, `[T]`, `{ a: T }` or `T?`.';
    if (!p.at(',') && !p.at(')') && !p.at('}') && !p.atBody())
      p.fail('E0017', `expected a type, found ${p.found()}`, { hint });
    p.report('E0017', `expected a type, found ${p.found()}`, p.tokenSpan(p.current), { hint });
    return { kind: 'error', span: p.emptySpan() };
  }
  const named = path(p, 'a type');
  return { kind: 'named', path: named, span: named.span };
}

function recordField(p: Cursor) {
  const start = p.index;
  const doc = p.takeDoc();
  const name = anyWord(p, 'the name of a field');
  p.expect(':', 'after the name of a field');
  const fieldType = type(p);
  return { name, type: fieldType, doc, span: p.spanFrom(start) };
}
