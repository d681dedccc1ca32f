/** The type that a value at the cursor should have, if the surrounding tokens determine it. */

import { fieldsOf } from '../../check/program/symbols.js';
import type { Type } from '../../check/program/types.js';
import type { Token } from '../../lexer.js';
import { resolveName } from './names.js';
import { commasBetween, parametersOf, typeBefore, typeNamed } from './scope.js';
import type { Site } from './site.js';
import { CLOSING, OPENING, pathBefore } from './site.js';

export function expectedAt(site: Site): Type | undefined {
  const { before, open } = site;
  const index = before.length - 1;
  const previous = before[index]?.text ?? '';
  const bracket = open[open.length - 1];
  if (/^(?:==|!=|<|<=|>|>=)$/.test(previous)) return typeBefore(site, index);
  if (previous === '=') return assigned(site, index);
  if (previous === 'return') return resultWritten(site);
  if (bracket === undefined) return undefined;
  if (bracket.role === 'match' && (previous === '{' || previous === ',')) return typeBefore(site, bracket.index);
  if (bracket.role === 'entries' && previous === ':') {
    const concept = symbolBefore(site, bracket.index);
    const key = before[index - 1]?.text;
    return concept?.kind === 'concept' ? fieldsOf(concept).find(({ name }) => name === key)?.type : undefined;
  }
  if (bracket.role !== 'call') return undefined;
  const symbol = symbolBefore(site, bracket.index);
  const parameters = symbol === undefined ? [] : parametersOf(symbol);
  if (previous === ':') return parameters.find(({ name }) => name === before[index - 1]?.text)?.type ?? undefined;
  if (previous !== '(' && previous !== ',') return undefined;
  return parameters[commasBetween(before, bracket.index, before.length)]?.type ?? undefined;
}

/** The type of the expression before `=`: a field that is set, or a field with a default. */
function assigned(site: Site, equals: number): Type | undefined {
  const { before, open } = site;
  const role = open[open.length - 1]?.role;
  if (role === 'parameters' || role === 'fields') {
    let colon = equals - 1;
    while (colon > 0 && before[colon]?.text !== ':') colon -= 1;
    return typeWrittenAt(site, colon + 1);
  }
  if (site.kind === 'fn' && role === undefined) return resultWritten(site);
  return before[equals - 2]?.text === '.' ? typeBefore(site, equals) : undefined;
}

function resultWritten(site: Site): Type | undefined {
  const arrow = site.before.findIndex(({ text }) => text === '->');
  return arrow < 0 ? undefined : typeWrittenAt(site, arrow + 1);
}

/** The fields of the record (or list of records) that a query or mutation declares as its result, each with its type as written. */
export function resultFields({ before }: Site): { readonly name: string; readonly type: string }[] {
  let at = before.findIndex(({ text }) => text === '->') + 1;
  while (at > 0 && before[at]?.text === '[') at += 1;
  if (at === 0 || before[at]?.text !== '{') return [];
  const fields: { name: string; type: string }[] = [];
  let depth = 0;
  for (; at < before.length; at += 1) {
    const { kind, text } = before[at] as Token;
    const isPunctuation = kind === 'punctuation';
    if (isPunctuation && CLOSING.has(text)) depth -= 1;
    if (depth === 0 && fields.length > 0) break;
    const last = fields[fields.length - 1];
    if (depth === 1 && before[at + 1]?.text === ':') fields.push({ name: text, type: '' });
    else if (last !== undefined && !(depth === 1 && (text === ':' || text === ','))) last.type += text;
    if (isPunctuation && OPENING.has(text)) depth += 1;
  }
  return fields;
}

function typeWrittenAt(site: Site, from: number): Type | undefined {
  let end = from + 1;
  while (site.before[end]?.text === '::') end += 2;
  const path = pathBefore(site.before, end);
  return path === undefined ? undefined : typeNamed(site, path.text);
}

function symbolBefore(site: Site, index: number) {
  const path = pathBefore(site.before, index);
  return path === undefined ? undefined : resolveName(site.names, site.module, path.text);
}
