/** Declared names by module, and how a name or path is resolved from inside a module. */

import { isWithin, type Span } from '../../../base/span.js';
import type { ModuleSyntax, Name, Path } from '../../ast.js';
import { pathText } from '../../ast.js';
import { type FindingDetails, suggestion } from '../../finding.js';
import { FOREIGN_FUNCTIONS, FOREIGN_TYPE_NAMES, FOREIGN_TYPES, foreignHint, foreignName } from '../../foreign-words.js';
import type { LinkTarget } from '../program/checked.js';
import type { ClassSymbol, DeclaredSymbol } from '../program/symbols.js';
import { classChain, fieldsOf, hasLostParent, KIND_TEXT } from '../program/symbols.js';
import type { Session } from './environment.js';
import { report } from './environment.js';

export interface ModuleTable {
  readonly name: string;
  readonly syntax: ModuleSyntax;
  readonly declared: Map<string, DeclaredSymbol>;
  readonly imported: Map<string, DeclaredSymbol>;
  /** Imports that were reported as unknown. Their uses are not reported as well. */
  readonly missing: Set<string>;
}

export interface NameTable {
  readonly modules: Map<string, ModuleTable>;
}

/** The declaration that a name means here, or undefined. Reports nothing. */
export function lookup(session: Session, module: ModuleTable, path: Path): DeclaredSymbol | undefined {
  const last = path.segments[path.segments.length - 1];
  if (last === undefined) return undefined;
  if (path.segments.length === 1) return module.declared.get(last.text) ?? module.imported.get(last.text);
  const other = session.names.modules.get(prefixText(path));
  const symbol = other?.declared.get(last.text);
  return symbol !== undefined && (symbol.public || symbol.module === module.name) ? symbol : undefined;
}

/**
 * Resolves a path to a declaration that `accept` takes, links it, and reports failures. `wanted` names the kind in messages: "a
 * concept".
 */
export function resolve<T extends DeclaredSymbol>(
  session: Session,
  module: ModuleTable,
  path: Path,
  accept: (symbol: DeclaredSymbol) => symbol is T,
  wanted: string,
  hintFor: (symbol: DeclaredSymbol) => string | undefined = () => undefined,
): T | undefined {
  const symbol = lookup(session, module, path);
  if (symbol === undefined) {
    reportUnknown(session, module, path, accept, wanted);
    return undefined;
  }
  linkPath(session, path, symbol);
  if (accept(symbol)) return symbol;
  report(session, 'E0108', path.span, `expected ${wanted}, but "${pathText(path)}" is ${KIND_TEXT[symbol.kind]}`, {
    notes: [{ message: `"${symbol.name}" is declared here`, span: symbol.nameSpan }],
    hint: hintFor(symbol) ?? `Use ${wanted}.`,
  });
  return undefined;
}

/** Links the last word of a path to `target`, and the words before it to a module. */
export function linkPath(session: Session, path: Path, target: LinkTarget): void {
  const last = path.segments[path.segments.length - 1];
  session.links.push({ span: last?.span ?? path.span, target });
  const before = path.segments[path.segments.length - 2];
  if (before === undefined) return;
  const span = { ...path.span, end: before.span.end };
  session.links.push({ span, target: { kind: 'module', name: prefixText(path) } });
}

/** Reports why a path is not resolved: unknown module, not public, or unknown name. */
export function reportUnknown(
  session: Session,
  module: ModuleTable,
  path: Path,
  accept: (symbol: DeclaredSymbol) => boolean,
  wanted: string,
  moreNames: Iterable<string> = [],
): void {
  if (path.segments.length === 0) return;
  const text = pathText(path);
  const last = path.segments[path.segments.length - 1]?.text ?? text;
  if (path.segments.length === 1) {
    if (module.missing.has(text)) return;
    const known = [...module.declared.values(), ...module.imported.values()]
      .filter(accept)
      .map((symbol) => symbol.name);
    const foreign =
      wanted === 'a concept' ? undefined : foreignHint(wanted === 'a type' ? FOREIGN_TYPES : FOREIGN_FUNCTIONS, text);
    const details: FindingDetails | undefined =
      (wanted === 'a type' ? foreignName(FOREIGN_TYPE_NAMES, text) : undefined) ??
      (foreign === undefined ? suggestion(text, [...known, ...moreNames]) : { hint: foreign });
    report(
      session,
      'E0101',
      path.span,
      `${wanted} "${text}" is not declared here`.replace(/^an? /, ''),
      details ?? {
        hint: importHint(session, module, last, accept) ?? 'Declare it in this module, or import it with `use`.',
      },
    );
    return;
  }
  const prefix = prefixText(path);
  const other = session.names.modules.get(prefix);
  if (other === undefined) {
    reportUnknownModule(session, prefix, path.span);
    return;
  }
  reportNotThere(session, other, last, path.span);
}

/** A module with a malformed `module` line may have any name. */
export function reportUnknownModule(session: Session, name: string, span: Span): void {
  if ([...session.names.modules.values()].some(({ syntax }) => syntax.name === null)) return;
  const known = [...session.names.modules.keys()];
  report(session, 'E0102', span, `module "${name}" is not in this build`, {
    hint: 'Add its file to the build.',
    ...suggestion(name, known),
  });
}

/** Reports that `name` is private or unknown in `other`, unless a damaged item of `other` may declare it. */
export function reportNotThere(session: Session, other: ModuleTable, name: string, span: Span): void {
  const hidden = other.declared.get(name);
  if (hidden !== undefined) {
    report(session, 'E0103', span, `"${hidden.path}" is not public`, {
      hint: 'Write `pub` before its declaration.',
      notes: [{ message: `"${name}" is declared here`, span: hidden.nameSpan }],
    });
    return;
  }
  if (other.syntax.unread.includes(name)) return;
  const known = [...other.declared.values()].filter((symbol) => symbol.public).map((symbol) => symbol.name);
  report(session, 'E0101', span, `module "${other.name}" does not declare "${name}"`, {
    hint: choices('Its public names are', known),
    ...suggestion(name, known),
  });
}

/** The alternatives for a hint: `Its fields are name, email.` Twelve at most. */
export function choices(beginning: string, names: readonly string[]): string {
  if (names.length === 0) return `${beginning} none.`;
  return `${beginning} ${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}.`;
}

/** Adds a name to a module unless it is taken there. */
export function addName(
  session: Session,
  module: ModuleTable,
  into: 'declared' | 'imported',
  name: Name,
  symbol: DeclaredSymbol,
): boolean {
  const before = module.declared.get(name.text) ?? module.imported.get(name.text);
  if (before !== undefined) {
    const own = module.declared.has(name.text);
    report(session, 'E0301', name.span, `"${name.text}" is already ${own ? 'declared' : 'imported'} in this module`, {
      notes: [{ message: `first declared here, as ${KIND_TEXT[before.kind]}`, span: before.nameSpan }],
      hint: 'Rename one of them.',
    });
    return false;
  }
  module[into].set(name.text, symbol);
  return true;
}

function importHint(
  session: Session,
  module: ModuleTable,
  name: string,
  accept: (symbol: DeclaredSymbol) => boolean,
): string | undefined {
  for (const other of session.names.modules.values()) {
    const symbol = other.declared.get(name);
    if (other !== module && symbol?.public && accept(symbol)) {
      return `Import it with \`use ${other.name}::{${name}}\`, or write \`${other.name}::${name}\`.`;
    }
  }
  return undefined;
}

function prefixText(path: Path): string {
  return path.segments
    .slice(0, -1)
    .map((segment) => segment.text)
    .join('::');
}

/** A syntax error may hide a part of the declaration. */
export function isDamaged(session: Session, { module, nameSpan }: DeclaredSymbol): boolean {
  const { damaged = [] } = session.names.modules.get(module)?.syntax ?? {};
  return damaged.some((place) => isWithin(nameSpan, place));
}

/** Reports an unknown field, unless an unknown parent, which is reported, may have it. */
export function reportUnknownField(session: Session, owner: ClassSymbol, name: Name): void {
  if (hasLostParent(owner) || classChain(owner).some((at) => isDamaged(session, at))) return;
  const names = fieldsOf(owner).map((field) => field.name);
  const predicate = session.names.modules.get(owner.module)?.declared.get(name.text);
  const isTuple = predicate?.kind === 'relation' || predicate?.kind === 'derive';
  report(session, 'E0105', name.span, `${owner.name} has no field "${name.text}"`, {
    ...(isTuple
      ? { hint: `"${name.text}" is a relation. Write its tuple as a condition: \`${name.text}(…)\`.` }
      : { hint: choices('Its fields are', names), ...suggestion(name.text, names) }),
    notes: [{ message: `${owner.name} is declared here`, span: owner.nameSpan }],
  });
}
