/** Variables visible at the cursor and the types of the expressions before it, as far as they are known. */

import type { DeclaredSymbol } from '../../check/index.js';
import { BUILT_INS } from '../../check/program/built-ins.js';
import { fieldsOf } from '../../check/program/symbols.js';
import type { Type } from '../../check/program/types.js';
import { DATE_TIME, INT, required, SCALARS } from '../../check/program/types.js';
import type { Token } from '../../lexer.js';
import { RESERVED_WORDS } from '../../lexer.js';
import { indexOf, nameOf } from '../symbol-index.js';
import { resolveName } from './names.js';
import type { Site } from './site.js';
import { CLOSING, OPENING, openingOf, pathBefore } from './site.js';

export interface Parameter {
  readonly name: string;
  readonly type: Type | null;
  readonly doc: string | null;
}

/** By name. The checker knows most variables; those of an item with syntax errors are found by its tokens. */
export function variablesAt(site: Site): ReadonlyMap<string, Type | null> {
  const variables = new Map<string, Type | null>();
  for (const [name, type] of variablesOfTokens(site)) variables.set(name, type);
  for (const [name, type] of variablesOfIndex(site)) if (variables.has(name)) variables.set(name, type);
  return variables;
}

/** The parameters of a relation, concept, function, query or mutation. */
export function parametersOf(symbol: DeclaredSymbol): readonly Parameter[] {
  switch (symbol.kind) {
    case 'relation':
    case 'derive':
      return symbol.endpoints;
    case 'define':
      return [{ name: symbol.parameter.name, type: { kind: 'class', symbol }, doc: symbol.parameter.doc }];
    case 'concept':
      return [{ name: '', type: { kind: 'class', symbol }, doc: null }];
    case 'query':
    case 'mutation':
    case 'fn':
      return symbol.parameters;
    case 'check':
      return (symbol.item?.parameters ?? []).map(({ name, doc }) => ({ name: name.text, type: null, doc }));
    default:
      return [];
  }
}

/** The type of the name, field or call that ends before token `index`; undefined if it is not known. */
export function typeBefore(site: Site, index: number, variables = variablesAt(site)): Type | undefined {
  const tokens = site.before;
  const last = tokens[index - 1];
  if (last === undefined) return undefined;
  if (last.text === ')' && last.kind === 'punctuation') {
    const callee = pathBefore(tokens, openingOf(tokens, index - 1));
    const symbol = callee === undefined ? undefined : resolveName(site.names, site.module, callee.text);
    const returns = symbol?.kind === 'fn' || symbol?.kind === 'query' || symbol?.kind === 'mutation';
    return returns ? (symbol.result ?? undefined) : undefined;
  }
  if (last.kind !== 'word') return undefined;
  if (tokens[index - 2]?.text === '.') {
    if (tokens[index - 3]?.text === 'context') return contextType(site, last.text);
    const of = typeBefore(site, index - 2, variables);
    return of === undefined ? undefined : fieldType(of, last.text);
  }
  const path = pathBefore(tokens, index);
  if (path === undefined) return undefined;
  if (tokens[path.start - 1]?.text === '@') {
    const symbol = resolveName(site.names, site.module, path.text);
    return symbol?.kind === 'individual' && symbol.concept !== null
      ? { kind: 'class', symbol: symbol.concept }
      : undefined;
  }
  return variables.get(path.text) ?? undefined;
}

export function typeNamed(site: Site, path: string): Type | undefined {
  const symbol = resolveName(site.names, site.module, path);
  if (symbol?.kind === 'enum') return { kind: 'enum', symbol };
  if (symbol?.kind === 'concept' || symbol?.kind === 'define') return { kind: 'class', symbol };
  const scalar = SCALARS.find((name) => name === path);
  return scalar === undefined ? undefined : { kind: 'scalar', name: scalar };
}

function fieldType(of: Type, name: string): Type | undefined {
  const owner = required(of);
  if (owner.kind === 'class') return fieldsOf(owner.symbol).find((field) => field.name === name)?.type;
  return owner.kind === 'record' ? owner.fields.find((field) => field.name === name)?.type : undefined;
}

function contextType(site: Site, name: string): Type | undefined {
  if (name === 'now') return DATE_TIME;
  return site.analysis.program.context.find((field) => field.name === name)?.type;
}

function variablesOfIndex(site: Site): Map<string, Type> {
  const [first, last] = [site.item[0], site.item[site.item.length - 1]];
  const variables = new Map<string, Type>();
  if (first === undefined || last === undefined) return variables;
  for (const { span, entity } of indexOf(site.analysis).occurrences.get(site.file) ?? []) {
    if (span.start.offset < first.start || span.start.offset > last.end) continue;
    const { target } = entity;
    const type =
      target.kind === 'variable'
        ? target.variable.type
        : target.kind === 'parameter'
          ? target.parameter.type
          : undefined;
    if (type !== undefined && type.kind !== 'error') variables.set(nameOf(target), type);
  }
  return variables;
}

/** Reads heads, tuples, `let`, `in` and `for` without a parser. */
function variablesOfTokens(site: Site): Map<string, Type | null> {
  const tokens = site.item;
  const variables = new Map<string, Type | null>();
  const isStatement = site.kind === 'mutation' || site.kind === 'test';
  for (const [i, token] of tokens.entries()) {
    if (token.kind !== 'word' || token.text === '_' || (token.start < site.to && token.end >= site.offset)) continue;
    const introduced = introducedAt(site, tokens, i, variables);
    if (introduced === undefined || !isInReach(site, tokens, i, isStatement)) continue;
    if ((variables.get(token.text) ?? null) === null) variables.set(token.text, introduced.type);
  }
  return variables;
}

/** Whether the word at `i` introduces a variable, and its type if the tokens show it. */
function introducedAt(
  site: Site,
  tokens: readonly Token[],
  i: number,
  known: ReadonlyMap<string, Type | null>,
): { readonly type: Type | null } | undefined {
  const [word, before, next] = [tokens[i], tokens[i - 1]?.text ?? '', tokens[i + 1]?.text ?? ''];
  if (word === undefined || RESERVED_WORDS.has(word.text)) return undefined;
  const opening = enclosing(tokens, i);
  if (next === ':' && opening >= 0 && isHead(tokens, opening)) return { type: typeWritten(site, tokens, i + 2) };
  if (before === 'let') return { type: typeOfLet(site, tokens, i + 2, known) };
  if (before === 'for' || next === 'in')
    return { type: next === 'in' ? elementType(site, tokens, i + 2, known) : null };
  if (opening < 0 || tokens[opening]?.text !== '(') return undefined;
  if (isHead(tokens, opening)) return typeOfFirstClause(site, tokens, opening, i);
  const isWhole = (before === '(' || before === ',' || before === ':') && (next === ',' || next === ')' || next === '');
  const callee = pathBefore(tokens, opening);
  const symbol = callee === undefined ? undefined : resolveName(site.names, site.module, callee.text);
  const isTuple =
    symbol?.kind === 'relation' || symbol?.kind === 'derive' || symbol?.kind === 'define' || symbol?.kind === 'concept';
  if (!isWhole || symbol === undefined || !isTuple) return undefined;
  const parameters = parametersOf(symbol);
  const position =
    before === ':'
      ? parameters.findIndex(({ name }) => name === tokens[i - 2]?.text)
      : commasBetween(tokens, opening, i);
  const type = parameters[position]?.type ?? null;
  const isMember = type?.kind === 'enum' && type.symbol.members.some((member) => member.name.text === word.text);
  return isMember ? undefined : { type };
}

/** A parameter of a clause that omits its type: before `,`, `)` or `=`. */
function typeOfFirstClause(
  site: Site,
  tokens: readonly Token[],
  opening: number,
  i: number,
): { readonly type: Type | null } | undefined {
  const [before, next] = [tokens[i - 1]?.text ?? '', tokens[i + 1]?.text ?? ''];
  if (!/^[(,]$/.test(before) || !/^[,)=]$/.test(next)) return undefined;
  const symbol = resolveName(site.names, site.module, tokens[opening - 1]?.text ?? '');
  if (symbol?.kind !== 'derive' && symbol?.kind !== 'define') return undefined;
  return { type: parametersOf(symbol)[commasBetween(tokens, opening, i)]?.type ?? null };
}

/** Names inside an aggregate or a block are not visible outside it, and those of statements only after them. */
function isInReach(site: Site, tokens: readonly Token[], i: number, isStatement: boolean): boolean {
  const token = tokens[i];
  if (token === undefined) return false;
  const cursor = tokens.findIndex(({ start }) => start >= site.from);
  const at = cursor < 0 ? tokens.length : cursor;
  for (let opening = enclosing(tokens, i); opening >= 0; opening = enclosing(tokens, opening)) {
    if (!isScope(tokens, opening)) continue;
    const closing = closingOf(tokens, opening);
    const isInside = at > opening && at <= closing;
    return isInside && (tokens[opening]?.text === '(' || !isStatement || token.start < site.from);
  }
  return true;
}

function isScope(tokens: readonly Token[], opening: number): boolean {
  if (tokens[opening]?.text === '{') return true;
  if (tokens[opening]?.text !== '(') return false;
  if (tokens[opening + 1]?.text === 'select') return true;
  for (let at = opening + 1; at < closingOf(tokens, opening); at += 1) {
    if (tokens[at]?.text === 'for') return true;
    if (tokens[at]?.text === '(') at = closingOf(tokens, at);
  }
  return false;
}

function isHead(tokens: readonly Token[], opening: number): boolean {
  return tokens[opening]?.text === '(' && enclosing(tokens, opening) < 0 && opening === 2;
}

/** The type that a chain of words at `from` writes, marks included. */
function typeWritten(site: Site, tokens: readonly Token[], from: number): Type | null {
  if (tokens[from]?.text === '[') {
    const of = typeWritten(site, tokens, from + 1);
    return of === null ? null : { kind: 'list', of };
  }
  let end = from + 1;
  while (tokens[end]?.text === '::') end += 2;
  const type = typeNamed(site, pathBefore(tokens, end)?.text ?? '');
  if (type === undefined) return null;
  return tokens[end]?.text === '?' ? { kind: 'optional', of: type } : type;
}

function typeOfLet(
  site: Site,
  tokens: readonly Token[],
  from: number,
  known: ReadonlyMap<string, Type | null>,
): Type | null {
  const first = tokens[from];
  if (first?.text === 'insert') return typeWritten(site, tokens, from + 1);
  if (first?.text === 'count') return INT;
  const symbol = first === undefined ? undefined : resolveName(site.names, site.module, first.text);
  const returns = symbol?.kind === 'mutation' || symbol?.kind === 'query' || symbol?.kind === 'fn';
  if (tokens[from + 1]?.text === '(') return returns ? symbol.result : null;
  return typeOfChain(tokens, from, known);
}

/** The type of `x.a.b` or `x.a[i].b` that begins at `from`, if the expression ends there. */
function typeOfChain(tokens: readonly Token[], from: number, known: ReadonlyMap<string, Type | null>): Type | null {
  let type = known.get(tokens[from]?.text ?? '') ?? undefined;
  let at = from;
  for (let next = tokens[at + 1]?.text; next === '.' || next === '['; next = tokens[at + 1]?.text) {
    const list: Type | undefined = type && required(type);
    if (next === '.') type = type && fieldType(type, tokens[at + 2]?.text ?? '');
    else type = list?.kind === 'list' ? list.of : undefined;
    at = next === '.' ? at + 2 : closingOf(tokens, at + 1);
  }
  const isWhole = !/^[-+*/(<>?]|^[=!<>]=$|^(?:div|mod|and|or)$|^\?\?$|^\+\+$/.test(tokens[at + 1]?.text ?? '');
  return type !== undefined && isWhole ? required(type) : null;
}

/** What `in` goes through, at `from`: a list, a range, or the rows of `(select x where …)`. */
function elementType(
  site: Site,
  tokens: readonly Token[],
  from: number,
  known: ReadonlyMap<string, Type | null>,
): Type | null {
  if (tokens[from]?.text === 'range') return INT;
  const made = tokens[from + 1]?.text === '(' ? BUILT_INS.get(tokens[from]?.text ?? '')?.[0]?.result : undefined;
  if (made?.kind === 'list') return made.of;
  if (tokens[from]?.text !== '(' || tokens[from + 1]?.text !== 'select') {
    const list = typeOfChain(tokens, from, known);
    return list?.kind === 'list' ? list.of : null;
  }
  const row = tokens[from + 2]?.text;
  if (tokens[from + 3]?.text !== 'where') return null;
  for (let at = from + 3; at < closingOf(tokens, from); at += 1) {
    const type = tokens[at]?.text === row ? introducedAt(site, tokens, at, known)?.type : undefined;
    if (type !== undefined && type !== null) return type;
  }
  return null;
}

/** The index of the innermost bracket that is open before `index`; -1 outside all. */
function enclosing(tokens: readonly Token[], index: number): number {
  let depth = 0;
  for (let at = index - 1; at >= 0; at -= 1) {
    const token = tokens[at];
    if (token?.kind !== 'punctuation') continue;
    if (CLOSING.has(token.text)) depth += 1;
    else if (OPENING.has(token.text)) depth -= 1;
    if (depth < 0) return at;
  }
  return -1;
}

/** The index of the bracket that closes the one at `opening`; the number of tokens if none does. */
function closingOf(tokens: readonly Token[], opening: number): number {
  let depth = 0;
  for (let at = opening; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.kind !== 'punctuation') continue;
    if (OPENING.has(token.text)) depth += 1;
    else if (CLOSING.has(token.text)) depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}

/** The number of arguments between an opening bracket and token `index`. */
export function commasBetween(tokens: readonly Token[], opening: number, index: number): number {
  let [depth, commas] = [0, 0];
  for (let at = opening + 1; at < index; at += 1) {
    const token = tokens[at];
    if (token?.kind !== 'punctuation') continue;
    if (OPENING.has(token.text)) depth += 1;
    else if (CLOSING.has(token.text)) depth -= 1;
    else if (token.text === ',' && depth === 0) commas += 1;
  }
  return commas;
}
