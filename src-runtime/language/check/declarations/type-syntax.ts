/** Resolves types in source form, and checks which types are allowed where. */

import type { Span } from '../../../base/span.js';
import type { Path, TypeSyntax } from '../../ast.js';
import { pathText } from '../../ast.js';
import type { Session } from '../names/environment.js';
import { report } from '../names/environment.js';
import type { ModuleTable } from '../names/names.js';
import { linkPath, lookup, reportUnknown } from '../names/names.js';
import type { DeclaredSymbol } from '../program/symbols.js';
import { KIND_TEXT } from '../program/symbols.js';
import type { Type } from '../program/types.js';
import { ERROR, SCALARS, typeText } from '../program/types.js';

/** Resolves a written type; reports unknown names and types that make no sense anywhere. */
export function resolveType(session: Session, module: ModuleTable, syntax: TypeSyntax): Type {
  switch (syntax.kind) {
    case 'named':
      return namedType(session, module, syntax.path);
    case 'optional': {
      const of = resolveType(session, module, syntax.of);
      if (of.kind === 'optional') {
        report(session, 'E0303', syntax.span, 'a type cannot be optional twice', { hint: 'Write one `?`.' });
        return of;
      }
      return of.kind === 'error' ? of : { kind: 'optional', of };
    }
    case 'list': {
      const of = resolveType(session, module, syntax.of);
      return of.kind === 'error' ? of : { kind: 'list', of };
    }
    case 'record':
      return recordType(session, module, syntax);
    case 'error':
      return ERROR;
  }
}

/** The types of fields and endpoints: scalars, enums, concepts, and lists and records of them. Fields may also be optional. */
export function requireStorable(session: Session, type: Type, span: Span, what: string): Type {
  const part = unstorablePart(type);
  if (part === undefined) return type;
  const reason =
    part.kind === 'class'
      ? `"${typeText(part)}" is a define, which cannot be stored`
      : `values of type ${typeText(part)} cannot be stored`;
  report(session, 'E0303', span, `${what} cannot have this type: ${reason}`, {
    hint:
      part.kind === 'class'
        ? 'Use the concept of the define.'
        : 'Use a scalar, an enum, a concept, or a list or record of them.',
  });
  return ERROR;
}

/** The part of the type of which no values can be stored. */
function unstorablePart(type: Type): Type | undefined {
  switch (type.kind) {
    case 'optional':
    case 'list':
      return unstorablePart(type.of);
    case 'record':
      return type.fields.map((field) => unstorablePart(field.type)).find((part) => part !== undefined);
    case 'class':
      return type.symbol.kind === 'concept' ? undefined : type;
    case 'extern':
      return type;
    default:
      return undefined;
  }
}

function namedType(session: Session, module: ModuleTable, path: Path): Type {
  const symbol = lookup(session, module, path);
  const text = pathText(path);
  if (symbol === undefined) {
    const scalar = SCALARS.find((name) => name === text);
    if (scalar !== undefined) {
      session.links.push({ span: path.span, target: { kind: 'builtIn', form: 'type', name: scalar } });
      return { kind: 'scalar', name: scalar };
    }
    reportUnknown(session, module, path, isTypeSymbol, 'a type', SCALARS);
    return ERROR;
  }
  linkPath(session, path, symbol);
  if (symbol.kind === 'enum') return { kind: 'enum', symbol };
  if (symbol.kind === 'concept' || symbol.kind === 'define') return { kind: 'class', symbol };
  if (symbol.kind === 'externType') return { kind: 'extern', symbol };
  report(session, 'E0108', path.span, `expected a type, but "${text}" is ${KIND_TEXT[symbol.kind]}`, {
    notes: [{ message: `"${symbol.name}" is declared here`, span: symbol.nameSpan }],
    hint: 'Use a scalar, an enum, a concept or a define.',
  });
  return ERROR;
}

function isTypeSymbol(symbol: DeclaredSymbol): boolean {
  return (
    symbol.kind === 'enum' || symbol.kind === 'concept' || symbol.kind === 'define' || symbol.kind === 'externType'
  );
}

function recordType(session: Session, module: ModuleTable, syntax: TypeSyntax & { kind: 'record' }): Type {
  const fields: { name: string; type: Type }[] = [];
  for (const field of syntax.fields) {
    if (fields.some((other) => other.name === field.name.text)) {
      report(session, 'E0301', field.name.span, `the record has two fields "${field.name.text}"`, {
        hint: 'Rename one of them.',
      });
      continue;
    }
    fields.push({ name: field.name.text, type: resolveType(session, module, field.type) });
  }
  return { kind: 'record', fields };
}
