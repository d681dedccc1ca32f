/** First pass: makes a symbol for every declaration, and resolves imports. No types yet. */

import type { Span } from '../../../base/span.js';
import type { DefineItem, Item, ModuleSyntax, Name, UseItem } from '../../ast.js';
import { pathText } from '../../ast.js';
import type { DeclaredSymbol, DefineSymbol, Sourced } from '../program/symbols.js';
import { ERROR, SCALARS } from '../program/types.js';
import type { ExternalDeclarations, Session } from './environment.js';
import { report } from './environment.js';
import type { ModuleTable } from './names.js';
import { addName, reportNotThere, reportUnknownModule } from './names.js';

/**
 * Fills the session's name table, on top of `around`. Returns the symbols of the modules in source order, also those with a name
 * taken twice.
 */
export function declareModules(
  session: Session,
  modules: readonly ModuleSyntax[],
  external: ExternalDeclarations,
): Sourced<DeclaredSymbol>[] {
  const symbols: Sourced<DeclaredSymbol>[] = [];
  for (const syntax of modules) {
    const module = declareModule(session, syntax, external);
    for (const item of syntax.items) {
      const symbol = symbolOf(session, module, item);
      if (symbol !== undefined) symbols.push(symbol);
    }
  }
  for (const module of session.names.modules.values()) {
    for (const item of module.syntax.items) if (item.kind === 'use') resolveUse(session, module, item);
  }
  return symbols;
}

function declareModule(session: Session, syntax: ModuleSyntax, external: ExternalDeclarations): ModuleTable {
  const name = syntax.name === null ? `?${syntax.file}` : pathText(syntax.name);
  const before = session.names.modules.get(name);
  const module: ModuleTable = {
    name,
    syntax,
    declared: new Map(external.symbols.flatMap((symbol) => (symbol.module === name ? [[symbol.name, symbol]] : []))),
    imported: new Map((external.imported.get(name) ?? []).map((symbol) => [symbol.name, symbol])),
    missing: new Set(syntax.unread),
  };
  if (syntax.name !== null && /^std(?:$|::)/.test(name)) {
    report(session, 'E0310', syntax.name.span, '`std` is the module of the built-in functions', {
      hint: 'Rename the module.',
    });
  }
  if (before === undefined) {
    session.names.modules.set(name, module);
    return module;
  }
  report(session, 'E0109', syntax.name?.span ?? syntax.span, `module "${name}" is declared twice`, {
    hint: 'Rename the module, or merge the files.',
    ...(before.syntax.name === null
      ? {}
      : { notes: [{ message: 'first declared here', span: before.syntax.name.span }] }),
  });
  const key = `${name}?${syntax.file}`;
  const own: ModuleTable = { ...module, name: key };
  session.names.modules.set(key, own);
  return own;
}

function symbolOf(session: Session, module: ModuleTable, item: Item): Sourced<DeclaredSymbol> | undefined {
  if (item.kind === 'use' || item.kind === 'fact' || item.kind === 'context' || item.kind === 'test') return undefined;
  if (isFurtherClause(module, item)) return undefined;
  if (SCALARS.some((name) => name === item.name.text)) {
    report(session, 'E0310', item.name.span, `"${item.name.text}" is a built-in type`, {
      hint: 'Rename the declaration.',
    });
    return undefined;
  }
  const symbol = newSymbol(module, item);
  return addName(session, module, 'declared', item.name, symbol) ? symbol : undefined;
}

/** Adds a clause to the symbol of the clauses before it. A symbol without clauses comes from `around` and takes none. */
function isFurtherClause(module: ModuleTable, item: DeclaringItem): boolean {
  const before = module.declared.get(item.name.text);
  if (item.kind === 'derive' && before?.kind === 'derive' && before.clauses.length > 0) before.clauses.push(item);
  else if (item.kind === 'define' && before?.kind === 'define' && before.clauses.length > 0) before.clauses.push(item);
  else return false;
  // If only some clauses are `pub`, that is reported, but not that other modules use the name.
  before.public ||= item.public;
  return true;
}

type DeclaringItem = Exclude<Item, { kind: 'use' | 'fact' | 'context' | 'test' }>;

function newSymbol(module: ModuleTable, item: DeclaringItem): Sourced<DeclaredSymbol> {
  const base = symbolBase(module, item);
  switch (item.kind) {
    case 'enum':
      return { ...base, kind: 'enum', members: item.members };
    case 'concept':
      return { ...base, kind: 'concept', item, parent: null, fields: [] };
    case 'relation':
      return { ...base, kind: 'relation', item, endpoints: [] };
    case 'individual':
      return { ...base, kind: 'individual', item, concept: null };
    case 'derive':
      return { ...base, kind: 'derive', clauses: [item], endpoints: [] };
    case 'define':
      return { ...base, kind: 'define', clauses: [item], parameter: parameterOf(item), base: null };
    case 'check':
      return { ...base, kind: 'check', item };
    case 'query':
      return { ...base, kind: 'query', item, parameters: [], result: ERROR };
    case 'mutation':
      return { ...base, kind: 'mutation', item, parameters: [], result: null };
    case 'fn':
    case 'externFn':
      return { ...base, kind: 'fn', item, parameters: [], result: ERROR };
    case 'externType':
      return { ...base, kind: 'externType' };
  }
}

function parameterOf({ parameter: { name, doc } }: DefineItem): DefineSymbol['parameter'] {
  return { name: name.text, doc, nameSpan: name.span };
}

function symbolBase(
  module: ModuleTable,
  item: { readonly name: Name; readonly public: boolean; readonly doc: string | null; readonly span: Span },
) {
  return {
    name: item.name.text,
    path: `${module.name}::${item.name.text}`,
    module: module.name,
    public: item.public,
    doc: item.doc,
    nameSpan: item.name.span,
    span: item.span,
  };
}

function resolveUse(session: Session, module: ModuleTable, item: UseItem): void {
  const otherName = pathText(item.module);
  const other = session.names.modules.get(otherName);
  if (other === undefined) {
    reportUnknownModule(session, otherName, item.module.span);
    for (const name of item.names) module.missing.add(name.text);
    return;
  }
  for (const name of item.names) {
    const symbol = other.declared.get(name.text);
    if (symbol === undefined || !(symbol.public || other === module)) {
      reportNotThere(session, other, name.text, name.span);
      module.missing.add(name.text);
      continue;
    }
    session.links.push({ span: name.span, target: symbol });
    addName(session, module, 'imported', name, symbol);
  }
}
