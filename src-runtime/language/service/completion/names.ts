/** The names of each module for completion: its declarations, its imports, and the exports of other modules. */

import type { Analysis } from '../../analyse.js';
import { pathText } from '../../ast.js';
import type { DeclaredSymbol } from '../../check/index.js';

export interface ModuleNames {
  readonly name: string;
  readonly declared: ReadonlyMap<string, DeclaredSymbol>;
  readonly imported: ReadonlyMap<string, DeclaredSymbol>;
}

export interface ProgramNames {
  readonly byFile: ReadonlyMap<string, ModuleNames>;
  readonly byName: ReadonlyMap<string, ModuleNames>;
}

export function namesOf(analysis: Analysis): ProgramNames {
  const known = NAMES.get(analysis);
  if (known !== undefined) return known;
  const names = buildNames(analysis);
  NAMES.set(analysis, names);
  return names;
}

const NAMES = new WeakMap<Analysis, ProgramNames>();

/** The symbol that a name or path has inside a module; undefined if it has none there. */
export function resolveName(names: ProgramNames, module: ModuleNames, path: string): DeclaredSymbol | undefined {
  const at = path.lastIndexOf('::');
  if (at < 0) return module.declared.get(path) ?? module.imported.get(path);
  const symbol = names.byName.get(path.slice(0, at))?.declared.get(path.slice(at + 2));
  return symbol !== undefined && (symbol.public || symbol.module === module.name) ? symbol : undefined;
}

function buildNames(analysis: Analysis): ProgramNames {
  const declared = new Map<string, Map<string, DeclaredSymbol>>();
  for (const { name } of analysis.program.modules) declared.set(name, new Map());
  for (const symbol of analysis.program.symbols) declared.get(symbol.module)?.set(symbol.name, symbol);
  const byFile = new Map<string, ModuleNames>();
  const byName = new Map<string, ModuleNames>();
  for (const { name, file } of analysis.program.modules) {
    const imported = new Map<string, DeclaredSymbol>();
    const syntax = analysis.modules.find((module) => module.file === file);
    for (const item of syntax?.items ?? []) {
      if (item.kind !== 'use') continue;
      for (const { text } of item.names) {
        const symbol = declared.get(pathText(item.module))?.get(text);
        if (symbol?.public) imported.set(text, symbol);
      }
    }
    const module = { name, declared: declared.get(name) ?? new Map(), imported };
    byFile.set(file, module);
    byName.set(name, module);
  }
  return { byFile, byName };
}
