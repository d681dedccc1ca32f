/**
 * Facts as sentences: `worksFor(#i1, @lease::acme)` → "Ada works for Acme Ltd". Built from the relation's name and its
 * endpoints alone, so only names that plainly read as verbs or roles make a sentence; any other fact is spelled out
 * with the names of its endpoints, which is stiffer and never wrong.
 */

import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { shortName } from './locations.js';
import type { RelationInfo } from './relation-index.js';

export type SentencePart =
  | { readonly kind: 'words'; readonly text: string }
  /** The relation's own words. */
  | { readonly kind: 'relation'; readonly text: string }
  /** An element of the tuple. */
  | { readonly kind: 'value'; readonly value: JsonValue; readonly reference: boolean }
  /** An endpoint that is left open. */
  | { readonly kind: 'any'; readonly text: string };

export type Sentence = readonly SentencePart[];

const PREPOSITIONS = new Set([
  'for',
  'of',
  'in',
  'to',
  'by',
  'on',
  'with',
  'at',
  'from',
  'into',
  'as',
  'under',
  'over',
]);
const VERB_STARTS = new Set(['is', 'has', 'can', 'may', 'must', 'was', 'does', 'owns']);

export function sentenceOf(
  relation: string,
  tuple: readonly (JsonValue | null)[],
  info: RelationInfo | undefined,
): Sentence {
  const name = shortName(relation);
  const slot = (position: number): SentencePart => slotPart(tuple[position] ?? null, info, position);
  if (info?.kind === 'field') return fieldSentence(name, slot);
  if (info?.kind === 'check') return spelledOut(`${humanize(name)} fires`, tuple, info, slot);
  if (info?.kind === 'concept' || info?.kind === 'define') {
    return [slot(0), words(` is ${articleFor(name)} `), own(humanizeClass(name))];
  }
  const text = humanize(name);
  const all = text.split(' ');
  if (tuple.length === 1) return unarySentence(text, all, slot);
  if (tuple.length === 2) {
    const role = roleSentence(all, info, slot);
    if (role !== undefined) return role;
    if (readsAsVerb(all)) return [slot(0), words(' '), own(text), words(' '), slot(1)];
  }
  return spelledOut(text, tuple, info, slot);
}

/** The same for a fact that is absent: `no Party guarantees L1`, or where nothing is left open `not: L1 is active`. */
export function negatedSentenceOf(
  relation: string,
  tuple: readonly (JsonValue | null)[],
  info: RelationInfo | undefined,
): Sentence {
  const sentence = sentenceOf(relation, tuple, info);
  const [first, ...rest] = sentence;
  if (first?.kind === 'any') return [{ kind: 'any', text: first.text.replace(/^any /, 'no ') }, ...rest];
  return [words('not: '), ...sentence];
}

/** The sentence as plain text; `label` names an individual. */
export function sentenceText(sentence: Sentence, label: (id: string) => string): string {
  return sentence
    .map((part) => {
      if (part.kind !== 'value') return part.text;
      return valueText(part.value, part.reference, label);
    })
    .join('');
}

export function valueText(value: JsonValue, reference: boolean, label: (id: string) => string): string {
  if (value === null) return 'none';
  if (reference && typeof value === 'string') return label(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The fact as the module would write it: `lease::worksFor(#i1, @lease::acme)`. */
export function rawFact(relation: string, tuple: readonly (JsonValue | null)[]): string {
  return `${relation}(${tuple.map((value) => (value === null ? '_' : rawValue(value))).join(', ')})`;
}

function rawValue(value: JsonValue): string {
  return typeof value === 'string' && !/^[#@]/.test(value) ? JSON.stringify(value) : String(value);
}

/** `worksFor` → `works for`. */
export function humanize(name: string): string {
  return name
    .replace(/_/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

function humanizeClass(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2');
}

function fieldSentence(name: string, slot: (position: number) => SentencePart): Sentence {
  const field = name.slice(name.lastIndexOf('.') + 1);
  return [slot(0), words(' has '), own(humanize(field)), words(' '), slot(1)];
}

function unarySentence(text: string, all: readonly string[], slot: (position: number) => SentencePart): Sentence {
  const first = all[0] ?? '';
  if (VERB_STARTS.has(first) || looksThirdPerson(first)) return [slot(0), words(' '), own(text)];
  return [slot(0), words(' is '), own(text)];
}

/** `tenantOf(lease, tenant)`: the endpoint that the name mentions is the subject. */
function roleSentence(
  all: readonly string[],
  info: RelationInfo | undefined,
  slot: (position: number) => SentencePart,
): Sentence | undefined {
  if (info === undefined || all.length < 2 || all.at(-1) !== 'of') return undefined;
  const role = all.slice(0, -1).join(' ');
  const position = info.endpoints.findIndex((endpoint) => humanize(endpoint.name) === role);
  if (position < 0) return undefined;
  return [slot(position), words(` is ${articleFor(role)} `), own(role), words(' of '), slot(1 - position)];
}

function readsAsVerb(all: readonly string[]): boolean {
  const first = all[0] ?? '';
  if (VERB_STARTS.has(first) || looksThirdPerson(first)) return true;
  return false;
}

/** `works`, `guarantees`, but neither `class` nor `status`. */
function looksThirdPerson(word: string): boolean {
  return /[^su]s$/.test(word) && word.length > 3 && !PREPOSITIONS.has(word);
}

function spelledOut(
  text: string,
  tuple: readonly (JsonValue | null)[],
  info: RelationInfo | undefined,
  slot: (position: number) => SentencePart,
): Sentence {
  const parts: SentencePart[] = [own(text)];
  tuple.forEach((_, position) => {
    const endpoint = info?.endpoints[position]?.name ?? String(position + 1);
    parts.push(words(`${position === 0 ? ': ' : ', '}${humanize(endpoint)} `), slot(position));
  });
  return parts;
}

function slotPart(value: JsonValue | null, info: RelationInfo | undefined, position: number): SentencePart {
  const type = info?.endpoints[position]?.type;
  const reference = type === undefined ? typeof value === 'string' && /^[#@]/.test(value) : type.kind === 'class';
  if (value === null) return { kind: 'any', text: `any ${type?.kind === 'class' ? shortName(type.path) : 'value'}` };
  return { kind: 'value', value, reference };
}

function articleFor(word: string): string {
  return /^[aeiou]/i.test(word) ? 'an' : 'a';
}

function words(text: string): SentencePart {
  return { kind: 'words', text };
}

function own(text: string): SentencePart {
  return { kind: 'relation', text };
}
