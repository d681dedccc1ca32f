/** Quick fixes that add a missing part to a body, a `match`, an insert or an individual. */

import type { Span } from '../../base/span.js';
import type { ConceptSymbol } from '../check/index.js';
import { fieldsOf } from '../check/program/symbols.js';
import type { Type } from '../check/program/types.js';
import { tokenize } from '../lexer.js';
import type { Fix, FixContext } from './fix.js';
import { insertion, replaced } from './fix.js';
import { occurrenceAt } from './symbol-index.js';

/** Adds a condition such as `Person(p)` after the other conditions of the rule. */
export function addedCondition({ analysis, finding }: FixContext, condition: string): Fix[] {
  const module = analysis.modules.find(({ file }) => file === finding.span.file);
  const item = module?.items.findLast(({ span }) => span.start.offset <= finding.span.start.offset);
  if (item === undefined || !('body' in item) || !('literals' in item.body)) return [];
  const { span, literals } = item.body;
  if (literals.length === 0) return [];
  return [{ title: `Add \`${condition}\``, edits: [insertion(span, span.end.offset, `, ${condition}`)] }];
}

/** Replaces a comparison with the variable by `let x = e`. */
export function boundVariable({ finding, text, found }: FixContext, comparison: Span): Fix[] {
  if (comparison.file !== finding.span.file) return [];
  const [left = '', right = ''] = text.slice(comparison.start.offset, comparison.end.offset).split('==');
  const value = left.trim() === found ? right : left;
  const written = `let ${found} = ${value.trim()}`;
  return [replaced(`Write \`${written}\``, comparison, written)];
}

/** Adds the variable to those after the `for` of its aggregate, which follows it in the text. */
export function listedVariable({ finding: { span }, text, found }: FixContext, listed: readonly string[]): Fix[] {
  const clause = /\bfor\s+(\w+(?:\s*,\s*\w+)*)\s+where\b/.exec(text.slice(span.end.offset));
  const names = clause?.[1];
  if (clause === null || names === undefined || names.split(/\s*,\s*/).join() !== listed.join()) return [];
  const at = span.end.offset + clause.index + clause[0].indexOf(names) + names.length;
  return [{ title: `List "${found}" after \`for\``, edits: [insertion(span, at, `, ${found}`)] }];
}

/** Adds a case for each member, with the value of the last case to start from. */
export function addedCases({ finding: { span }, found }: FixContext, members: readonly string[]): Fix[] {
  const { tokens } = tokenize(span.file, found);
  const close = tokens.findLast(({ text }) => text === '}');
  const arrow = tokens.findLast(({ text, kind }) => text === '=>' && kind === 'punctuation');
  if (close === undefined || arrow === undefined) return [];
  const written = found.slice(arrow.end, close.start);
  const value = written.replace(/,\s*$/, '').trim();
  const isOpen = /,\s*$/.test(written);
  const cases = members.map((member) => `${member} => ${value}`).join(', ');
  const at = span.start.offset + arrow.end + written.trimEnd().length;
  const edits = [insertion(span, at, `${isOpen ? ' ' : ', '}${cases}`)];
  return [{ title: `Add ${members.length === 1 ? 'a case' : 'cases'} for ${members.join(', ')}`, edits }];
}

/** Adds the missing required fields of an insert or individual, each with a placeholder value of its type. */
export function addedFields({ analysis, finding: { span }, text }: FixContext): Fix[] {
  const target = occurrenceAt(analysis, span.file, span.end.offset - 1)?.entity.target;
  const concept = target?.kind === 'individual' ? target.concept : target?.kind === 'concept' ? target : null;
  const braces = concept === null ? undefined : bracesAfter(span, text);
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
    const value = placeholderOf(type);
    return value === undefined ? [] : [{ name, value }];
  });
}

/** The keys in the braces after a span, and where an entry can be added. */
function bracesAfter(span: Span, text: string) {
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

/** Undefined for individuals, which only the author can name. */
function placeholderOf(type: Type): string | undefined {
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
