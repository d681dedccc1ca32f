/** The single things that completion offers, each with its detail, documentation and rank. */

import { pathText } from '../../ast.js';
import type { DeclaredSymbol } from '../../check/index.js';
import { BUILT_INS } from '../../check/program/built-ins.js';
import type { LinkTarget } from '../../check/program/checked.js';
import { fieldsOf } from '../../check/program/symbols.js';
import type { Type } from '../../check/program/types.js';
import { mayOverlap, required, SCALARS, typeText } from '../../check/program/types.js';
import { builtInDoc, builtInSignature, detailOf, docOf } from '../describe.js';
import type { Completion, CompletionKind, TextEdit } from '../types.js';
import type { Parameter } from './scope.js';
import { variablesAt } from './scope.js';
import type { Site } from './site.js';

/** Best first. */
export const RANK = { expected: 0, local: 1, declared: 2, builtIn: 3, keyword: 4, elsewhere: 5, module: 6 } as const;

export function keywords(words: string, rank: number = RANK.keyword): Completion[] {
  return words.split(' ').map((label) => ({ label, kind: 'keyword', detail: null, doc: null, rank }));
}

export function variables(site: Site): Completion[] {
  return [...variablesAt(site)].map(([label, type]) => ({
    label,
    kind: 'variable',
    detail: type === null ? null : typeText(type),
    doc: null,
    rank: RANK.local,
  }));
}

/** Declared, imported and importable names that `accept` takes, and the modules that can qualify them. */
export function names(site: Site, accept: (symbol: DeclaredSymbol) => boolean): Completion[] {
  const { module } = site;
  const own = [...module.declared.values(), ...module.imported.values()].filter(accept);
  const taken = new Set(own.map(({ name }) => name));
  const items = own.map((symbol) => named(site, symbol, RANK.declared));
  for (const other of site.names.byName.values()) {
    if (other === module) continue;
    const offered = [...other.declared.values()].filter((symbol) => symbol.public && accept(symbol));
    for (const symbol of offered) {
      const also = taken.has(symbol.name) || isTaken(site, symbol.name) ? undefined : importEdit(site, symbol);
      if (also !== undefined) {
        items.push({ ...named(site, symbol, RANK.elsewhere), also: [also], qualified: symbol.path });
      }
    }
    if (offered.length > 0) items.push({ ...moduleItem(other.name), insert: `${other.name}::` });
  }
  return items;
}

export function named(site: Site, symbol: DeclaredSymbol, rank: number): Completion {
  const { name, kind } = symbol;
  const doc = docOf(site.analysis, symbol);
  return {
    label: name,
    kind: kind === 'externType' ? 'type' : kind,
    detail: detailOf(site.analysis, symbol),
    doc,
    rank,
  };
}

export function moduleItem(name: string): Completion {
  return { label: name, kind: 'module', detail: null, doc: null, rank: RANK.module };
}

export function scalars(): Completion[] {
  return SCALARS.map((name) => builtIn('type', name, 'type'));
}

/** `exists` and `range` among the functions. */
export function builtInFunctions(): Completion[] {
  return [...BUILT_INS.keys(), 'exists', 'range'].map((name) => builtIn('function', name, 'builtIn'));
}

export function aggregates(): Completion[] {
  return ['count', 'sum', 'avg', 'list'].map((name) => builtIn('aggregate', name, 'builtIn'));
}

/** Members if the type is an enum; `true` and `false` if it is Bool. */
export function members(site: Site, type: Type | undefined): Completion[] {
  const of = type === undefined ? undefined : required(type);
  if (of?.kind === 'scalar' && of.name === 'Bool') return keywords('true false', RANK.expected);
  if (of?.kind !== 'enum') return [];
  return of.symbol.members.map((member) => {
    const target: LinkTarget = { kind: 'member', of: of.symbol, member };
    return {
      label: member.name.text,
      kind: 'member',
      detail: of.symbol.name,
      doc: docOf(site.analysis, target),
      rank: RANK.expected,
    };
  });
}

/** Declared individuals, if one of their concept is expected. */
export function individuals(site: Site, type: Type | undefined): Completion[] {
  const of = type === undefined ? undefined : required(type);
  if (of?.kind !== 'class') return [];
  const fitting = names(
    site,
    (symbol) => symbol.kind === 'individual' && symbol.concept !== null && mayOverlap(symbol.concept, of.symbol),
  );
  return fitting.flatMap(({ qualified, ...item }) =>
    item.kind === 'individual'
      ? [{ ...item, label: `@${item.label}`, ...(qualified !== undefined && { qualified: `@${qualified}` }) }]
      : [],
  );
}

export function fields(of: Type): Completion[] {
  const owner = required(of);
  if (owner.kind === 'record') return owner.fields.map(({ name, type }) => field(name, type, null));
  if (owner.kind !== 'class') return [];
  return fieldsOf(owner.symbol).map(({ name, type, doc }) => field(name, type, doc));
}

/** Fields that an insert or individual can still set, required ones first. */
export function entryKeys(symbol: DeclaredSymbol | undefined, given: ReadonlySet<string>): Completion[] {
  if (symbol?.kind !== 'concept') return [];
  return fieldsOf(symbol).flatMap(({ name, type, via, hasDefault, doc }): Completion[] => {
    if (via !== null || given.has(name)) return [];
    const isRequired = type.kind !== 'optional' && !hasDefault;
    const rank = isRequired ? RANK.expected : RANK.local;
    return [{ ...field(name, type, doc), insert: `${name}: `, rank }];
  });
}

export function argumentNames(
  symbol: DeclaredSymbol,
  parameters: readonly Parameter[],
  given: ReadonlySet<string>,
): Completion[] {
  const isTuple = symbol.kind === 'relation' || symbol.kind === 'derive' || symbol.kind === 'check';
  const kind: CompletionKind = isTuple ? 'endpoint' : 'parameter';
  return parameters.flatMap(({ name, type, doc }): Completion[] => {
    if (name === '' || given.has(name)) return [];
    return [
      { label: name, kind, detail: type === null ? null : typeText(type), doc, insert: `${name}: `, rank: RANK.local },
    ];
  });
}

/** The edit that imports a name: in the existing `use` of its module, or in a new `use` after the others. */
export function importEdit(site: Pick<Site, 'analysis' | 'file'>, symbol: DeclaredSymbol): TextEdit | undefined {
  const syntax = site.analysis.modules.find((module) => module.file === site.file);
  if (syntax === undefined || syntax.name === null || symbol.module.startsWith('?')) return undefined;
  const uses = syntax.items.filter((item) => item.kind === 'use');
  const there = uses.find((item) => pathText(item.module) === symbol.module);
  const last = there?.names[there.names.length - 1];
  if (last !== undefined) return { span: { ...last.span, start: last.span.end }, text: `, ${symbol.name}` };
  const behind = uses[uses.length - 1]?.span ?? syntax.name.span;
  const gap = uses.length === 0 ? '\n\n' : '\n';
  return { span: { ...behind, start: behind.end }, text: `${gap}use ${symbol.module}::{${symbol.name}}` };
}

function isTaken(site: Site, name: string): boolean {
  return site.module.declared.has(name) || site.module.imported.has(name);
}

function builtIn(form: 'function' | 'aggregate' | 'type', name: string, kind: CompletionKind): Completion {
  const detail = form === 'type' ? null : (builtInSignature(form, name).split('\n')[0] ?? null);
  return { label: name, kind, detail, doc: builtInDoc(name), rank: RANK.builtIn };
}

function field(label: string, type: Type, doc: string | null): Completion {
  return { label, kind: 'field', detail: typeText(type), doc, rank: RANK.expected };
}
