/** The symbol of each name in the sources, and all uses of each symbol. Built once per analysis, at the first request. */

import type { Span } from '../../base/span.js';
import type { Analysis } from '../analyse.js';
import type { Path } from '../ast.js';
import { pathText } from '../ast.js';
import type { DeclaredSymbol } from '../check/index.js';
import type { LinkTarget } from '../check/program/checked.js';

/** One thing that has a name, wherever it is named. */
export interface Entity {
  readonly target: LinkTarget;
  readonly name: string;
  /** In the order of the files and of the text. */
  readonly occurrences: Occurrence[];
}

export interface Occurrence {
  readonly span: Span;
  readonly entity: Entity;
  readonly isDeclaration: boolean;
}

export interface SymbolIndex {
  readonly entities: readonly Entity[];
  /** By file, in source order; no two overlap. */
  readonly occurrences: ReadonlyMap<string, readonly Occurrence[]>;
}

export function indexOf(analysis: Analysis): SymbolIndex {
  const known = INDEXES.get(analysis);
  if (known !== undefined) return known;
  const index = buildIndex(analysis);
  INDEXES.set(analysis, index);
  return index;
}

const INDEXES = new WeakMap<Analysis, SymbolIndex>();

/** The symbol at an offset. The end of a name belongs to it: the cursor is there after typing the name. */
export function occurrenceAt(analysis: Analysis, file: string, offset: number): Occurrence | undefined {
  const occurrences = indexOf(analysis).occurrences.get(file) ?? [];
  let [low, high] = [0, occurrences.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((occurrences[middle]?.span.start.offset ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const [found, before] = [occurrences[low - 1], occurrences[low - 2]];
  if (found !== undefined && offset <= found.span.end.offset) return found;
  return before !== undefined && offset <= before.span.end.offset ? before : undefined;
}

function buildIndex(analysis: Analysis): SymbolIndex {
  const entities = newEntities();
  const places = new Map<string, Map<number, Occurrence>>();
  for (const { file } of analysis.sources) places.set(file, new Map());
  const texts = new Map(analysis.sources.map(({ file, text }) => [file, text]));
  const add = (span: Span, target: LinkTarget, isDeclaration?: boolean) => {
    const own = places.get(span.file);
    const { start, end } = span;
    if (own === undefined || own.has(start.offset)) return;
    const name = nameOf(target);
    // Symbols without a name in the source, for example the checker's own variables.
    if (target.kind !== 'module' && texts.get(span.file)?.slice(start.offset, end.offset) !== name) return;
    const declared = declaringSpan(target);
    const entity = entities.of(target, declared, name);
    const isIt = isDeclaration ?? (declared?.start.offset === start.offset && declared.file === span.file);
    own.set(start.offset, { span, entity, isDeclaration: isIt });
  };
  eachDeclaration(analysis, (span, target) => add(span, target, true));
  for (const path of usedModules(analysis)) add(path.span, { kind: 'module', name: pathText(path) });
  for (const { span, target } of analysis.program.links) add(span, target);
  const occurrences = new Map<string, Occurrence[]>();
  for (const [file, own] of places) {
    const sorted = [...own.values()].sort((a, b) => a.span.start.offset - b.span.start.offset);
    for (const occurrence of sorted) occurrence.entity.occurrences.push(occurrence);
    occurrences.set(file, sorted);
  }
  return { entities: entities.all, occurrences };
}

/** One entity for all targets with the same meaning: by declaration, or by name for targets without one. */
function newEntities() {
  const all: Entity[] = [];
  const byPlace = new Map<string, Map<number, Entity>>();
  const byName = new Map<string, Entity>();
  const added = (target: LinkTarget, name: string): Entity => {
    const entity: Entity = { target, name, occurrences: [] };
    all.push(entity);
    return entity;
  };
  const of = (target: LinkTarget, declared: Span | undefined, name: string): Entity => {
    if (declared === undefined) {
      const key = target.kind === 'builtIn' ? `${target.form} ${name}` : `${target.kind} ${name}`;
      const known = byName.get(key) ?? added(target, name);
      byName.set(key, known);
      return known;
    }
    const inFile = byPlace.get(declared.file) ?? new Map<number, Entity>();
    byPlace.set(declared.file, inFile);
    // A symbol that is not written in the source has the span of the node it belongs to, where another name can begin.
    const isImplicit = target.kind === 'variable' && target.variable.implicit;
    const key = isImplicit ? -1 - declared.start.offset : declared.start.offset;
    const known = inFile.get(key) ?? added(target, name);
    inFile.set(key, known);
    return known;
  };
  return { all, of };
}

/** Calls `add` for the name of every declaration, including nested ones. */
function eachDeclaration(analysis: Analysis, add: (span: Span, target: LinkTarget) => void): void {
  for (const symbol of analysis.program.symbols) {
    add(symbol.nameSpan, symbol);
    eachPart(symbol, add);
  }
  const context = new Map(analysis.program.context.map((symbol) => [symbol.name, symbol]));
  for (const module of analysis.modules) {
    if (module.name !== null) add(module.name.span, { kind: 'module', name: pathText(module.name) });
    for (const item of module.items) {
      const symbol = item.kind === 'context' ? context.get(item.name.text) : undefined;
      if (item.kind === 'context' && symbol !== undefined) add(item.name.span, symbol);
    }
  }
}

function eachPart(symbol: DeclaredSymbol, add: (span: Span, target: LinkTarget) => void): void {
  switch (symbol.kind) {
    case 'enum':
      for (const member of symbol.members) add(member.name.span, { kind: 'member', of: symbol, member });
      return;
    case 'concept':
      for (const field of symbol.fields) add(field.nameSpan, field);
      return;
    case 'relation':
      for (const [index, { name }] of (symbol.item?.endpoints ?? []).entries())
        add(name.span, { kind: 'endpoint', of: symbol, index });
      return;
    case 'derive':
      for (const clause of symbol.clauses) add(clause.name.span, symbol);
      for (const [index, { name }] of (symbol.clauses[0]?.parameters ?? []).entries()) {
        add(name.span, { kind: 'endpoint', of: symbol, index });
      }
      return;
    case 'define':
      for (const clause of symbol.clauses) add(clause.name.span, symbol);
      add(symbol.parameter.nameSpan, { kind: 'endpoint', of: symbol, index: 0 });
      return;
    case 'query':
    case 'mutation':
    case 'fn':
      for (const parameter of symbol.parameters) add(parameter.nameSpan, { kind: 'parameter', of: symbol, parameter });
      return;
    default:
      return;
  }
}

/** The existing modules that `use` names. */
function usedModules(analysis: Analysis): Path[] {
  const names = new Set(analysis.program.modules.map(({ name }) => name));
  return analysis.modules.flatMap((module) =>
    module.items.flatMap((item) => (item.kind === 'use' && names.has(pathText(item.module)) ? [item.module] : [])),
  );
}

/** The name as written in the declaration. */
export function nameOf(target: LinkTarget): string {
  if (target.kind === 'member') return target.member.name.text;
  if (target.kind === 'variable') return target.variable.name;
  if (target.kind === 'parameter') return target.parameter.name;
  if (target.kind !== 'endpoint') return target.name;
  const { of, index } = target;
  if (of.kind === 'concept') return '';
  return of.kind === 'define' ? of.parameter.name : (of.endpoints[index]?.name ?? '');
}

/** The span of the declaration; undefined for built-in names and for modules, which several files can name. */
function declaringSpan(target: LinkTarget): Span | undefined {
  if (target.kind === 'builtIn' || target.kind === 'module') return undefined;
  if (target.kind === 'member') return target.member.name.span;
  if (target.kind === 'variable') return target.variable.span;
  if (target.kind === 'parameter') return target.parameter.nameSpan;
  if (target.kind !== 'endpoint') return target.nameSpan;
  const { of, index } = target;
  if (of.kind === 'define') return of.parameter.nameSpan;
  // An endpoint begins with its name.
  return of.kind === 'concept' ? of.nameSpan : (of.endpoints[index]?.span ?? of.nameSpan);
}
