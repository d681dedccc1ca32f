/** Cures that add what is missing to a body, a match, an insert or an individual. */

import type { Span } from '../../base/span.js';
import type { ConceptSymbol } from '../check/index.js';
import { fieldsOf } from '../check/program/symbols.js';
import type { Type } from '../check/program/types.js';
import { tokenize } from '../lexer.js';
import type { Finding, Fix } from './fix.js';
import { insertion } from './fix.js';
import { occurrenceAt } from './symbol-index.js';

/** `Person(p)` behind the other literals of the rule. */
export function addedClass({ analysis, diagnostic }: Finding): Fix[] {
  const literal = /`(\w+\(\w+\))`/.exec(diagnostic.hint ?? '')?.[1];
  const module = analysis.modules.find(({ file }) => file === diagnostic.span.file);
  const item = module?.items.findLast(({ span }) => span.start.offset <= diagnostic.span.start.offset);
  if (literal === undefined || item === undefined || !('body' in item) || !('literals' in item.body)) return [];
  const { span, literals } = item.body;
  if (literals.length === 0) return [];
  return [{ title: `Add \`${literal}\``, edits: [insertion(span, span.end.offset, `, ${literal}`)] }];
}

/** `let x = e` in the place of a comparison that asks for the value of `x`. */
export function namedValue({ diagnostic, text, found }: Finding): Fix[] {
  const compared = diagnostic.notes?.find(({ message }) => message.endsWith('is only compared here'))?.span;
  if (compared === undefined || compared.file !== diagnostic.span.file) return [];
  const [left = '', right = ''] = text.slice(compared.start.offset, compared.end.offset).split('==');
  const value = left.trim() === found ? right : left;
  const written = `let ${found} = ${value.trim()}`;
  return [{ title: `Write \`${written}\``, edits: [{ span: compared, text: written }] }];
}

/** Another variable behind the `for` of an aggregate. */
export function listedVariable({ diagnostic, text, found }: Finding): Fix[] {
  const { span, hint = '' } = diagnostic;
  const names = /`for (.+) where …`/.exec(hint)?.[1];
  const listed = /\bfor\s+(\w+(?:\s*,\s*\w+)*)\s+where\b/.exec(text.slice(span.end.offset));
  if (listed?.[1] === undefined || names !== `${listed[1].split(/\s*,\s*/).join(', ')}, ${found}`) return [];
  const at = span.end.offset + listed.index + listed[0].indexOf(listed[1]) + listed[1].length;
  return [{ title: `List "${found}" behind \`for\``, edits: [insertion(span, at, `, ${found}`)] }];
}

/** The members that no case covers, each with the value of the last case to start from. */
export function addedCases({ diagnostic, found }: Finding): Fix[] {
  const missing = /^no case covers (.+) of \w+$/.exec(diagnostic.message)?.[1]?.split(', ') ?? [];
  const { span } = diagnostic;
  const { tokens } = tokenize(span.file, found);
  const close = tokens.findLast(({ text }) => text === '}');
  const arrow = tokens.findLast(({ text, kind }) => text === '=>' && kind === 'punctuation');
  if (missing.length === 0 || close === undefined || arrow === undefined) return [];
  const written = found.slice(arrow.end, close.start);
  const value = written.replace(/,\s*$/, '').trim();
  const isOpen = /,\s*$/.test(written);
  const cases = missing.map((member) => `${member} => ${value}`).join(', ');
  const at = span.start.offset + arrow.end + written.trimEnd().length;
  const edits = [insertion(span, at, `${isOpen ? ' ' : ', '}${cases}`)];
  return [{ title: `Add ${missing.length === 1 ? 'a case' : 'cases'} for ${missing.join(', ')}`, edits }];
}

/** The required fields that an insert or individual lacks, each with the plainest value of its type. */
export function addedFields({ analysis, diagnostic, text }: Finding): Fix[] {
  const { span } = diagnostic;
  const target = occurrenceAt(analysis, span.file, span.end.offset - 1)?.entity.target;
  const concept = target?.kind === 'individual' ? target.concept : target?.kind === 'concept' ? target : null;
  const braces = concept === null ? undefined : bracesBehind(span, text);
  if (concept === null || braces === undefined) return [];
  const entries = missingFields(concept, braces.keys);
  if (entries.length === 0) return [];
  const isEmpty = braces.keys.size === 0;
  const added = entries.map(({ name, value }) => `${name}: ${value}`).join(', ');
  const edit = insertion(span, braces.at, isEmpty ? ` ${added}` : `${braces.endsInComma ? ' ' : ', '}${added}`);
  const space = isEmpty && text.charAt(braces.at) === '}' ? ' ' : '';
  const names = entries.map(({ name }) => `"${name}"`).join(', ');
  return [{ title: `Add ${names}`, edits: [{ ...edit, text: edit.text + space }] }];
}

function missingFields(concept: ConceptSymbol, given: ReadonlySet<string>) {
  return fieldsOf(concept).flatMap(({ name, type, via, hasDefault }) => {
    if (given.has(name) || via !== null || hasDefault) return [];
    const value = plainestValue(type);
    return value === undefined ? [] : [{ name, value }];
  });
}

/** The keys between the braces behind a place, and where another entry can be added. */
function bracesBehind(span: Span, text: string) {
  const { tokens } = tokenize(span.file, text, span.end);
  const open = tokens.findIndex((token) => token.text === '{' && token.kind === 'punctuation');
  const keys = new Set<string>();
  let depth = 0;
  for (let at = open; at >= 0 && at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.kind === 'word' && depth === 1 && tokens[at + 1]?.text === ':') keys.add(token.text);
    if (token?.kind !== 'punctuation') continue;
    if (/^[([{]$/.test(token.text)) depth += 1;
    else if (/^[)\]}]$/.test(token.text)) depth -= 1;
    const last = tokens[at - 1];
    if (depth === 0 && last !== undefined) return { keys, at: last.end, endsInComma: last.text === ',' };
  }
  return undefined;
}

/** A value to start from; undefined for individuals, which only the author can name. */
function plainestValue(type: Type): string | undefined {
  if (type.kind === 'enum') return type.symbol.members[0]?.name.text;
  if (type.kind !== 'scalar') return undefined;
  return {
    Bool: 'false',
    Int: '0',
    Decimal: '0',
    Text: '""',
    Date: 'date "2000-01-01"',
    DateTime: 'datetime "2000-01-01T00:00:00Z"',
  }[type.name];
}
