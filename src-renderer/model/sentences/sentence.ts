/**
 * Facts as sentences: `worksFor(#i1, @lease::acme)` → "Ada works for Acme Ltd". A sentence in the documentation comes
 * first. Otherwise it is built from the relation's name and endpoints, but only if the name is clearly a verb, role or
 * adjective. Any other fact is listed with the names of its endpoints, which is never wrong.
 */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { articleFor } from '../../../src-runtime/base/articles.js';
import { inBrief, SHOWN_LETTERS_MAX } from '../facts/labels.js';
import { shortName } from '../facts/locations.js';
import type { RelationInfo } from '../facts/relation-index.js';
import { valueText } from '../facts/value-text.js';
import {
  ADJECTIVES,
  BELONGING,
  endsWithPreposition,
  humanize,
  humanizeClass,
  isAdjective,
  isPreposition,
  isVerb,
  MUTUAL,
  saysHow,
} from './name-grammar.js';
import { writtenSentence } from './written-sentence.js';

export type SentencePart =
  | { readonly kind: 'words'; readonly text: string }
  /** Words of the relation. */
  | { readonly kind: 'relation'; readonly text: string }
  /** An element of the tuple. */
  | { readonly kind: 'value'; readonly value: JsonValue; readonly reference: boolean }
  /** An endpoint without value. */
  | { readonly kind: 'any'; readonly text: string };

export type Sentence = readonly SentencePart[];

/** `info` is undefined for a relation that is not in the schema; its endpoints are then numbered. */
export function sentenceOf(
  relation: string,
  tuple: readonly (JsonValue | null)[],
  info: RelationInfo | undefined,
): Sentence {
  const name = shortName(relation);
  const slot = (position: number): SentencePart => slotPart(tuple[position] ?? null, info, position);
  const written = info?.kind === 'stored' || info?.kind === 'derived' ? writtenSentence(info) : undefined;
  if (written !== undefined)
    return written.flatMap((part) => ('text' in part ? spaced(part.text) : slot(part.position)));
  if (info?.kind === 'field') return fieldSentence(name, { info, value: tuple[1] ?? null }, slot);
  if (info?.kind === 'check') return spelledOut(`${humanize(name)} violated`, tuple, info, slot);
  if (info?.kind === 'concept' || info?.kind === 'define') {
    const text = humanizeClass(name);
    const isHow = info.kind === 'define' && isAdjective(text);
    return [slot(0), words(isHow ? ' is ' : ` is ${articleFor(name)} `), own(text)];
  }
  const text = humanize(name);
  const all = text.split(' ');
  if (tuple.length === 1) return unarySentence(text, all, slot);
  if (tuple.length === 2) {
    const role = roleSentence(all, info, slot);
    if (role !== undefined) return role;
    if (MUTUAL.has(text) && areAlike(info)) return [slot(0), words(' and '), slot(1), words(' are '), own(text)];
    const joined = joinedWords(all, info);
    if (joined !== undefined) return [slot(0), words(joined.is), own(joined.text), words(' '), slot(1)];
  }
  return spelledOut(text, tuple, info, slot);
}

/** The mode of a fact, other than asserted. */
export type Sense =
  /** Negated: `no Party guarantees L1`, or without open endpoints `not: L1 is active`. */
  | 'absent'
  /** Required, next to a word that says it is missing: `no Party guarantees L1`, else `L1 is active`. */
  | 'missing'
  /** True although it must be false: `not: L1 is active – but it is true`. */
  | 'forbidden';

/** The fact as a sentence in this mode. */
export function sentenceIn(
  sense: Sense | undefined,
  relation: string,
  tuple: readonly (JsonValue | null)[],
  info: RelationInfo | undefined,
): Sentence {
  const sentence = sentenceOf(relation, tuple, info);
  if (sense === undefined) return sentence;
  if (sense === 'forbidden') return [words('not: '), ...sentence, words(' – but it is true')];
  const [first, ...rest] = sentence;
  if (first?.kind === 'any') return [{ kind: 'any', text: first.text.replace(/^any /, 'no ') }, ...rest];
  return sense === 'missing' ? sentence : [words('not: '), ...sentence];
}

/** The sentence as plain text; `label` names an individual. */
export function sentenceText(sentence: Sentence, label: (id: string) => string): string {
  return sentence
    .map((part) => {
      if (part.kind !== 'value') return part.text;
      return inBrief(valueText(part.value, part.reference, label), SHOWN_LETTERS_MAX);
    })
    .join('');
}

/** The fact in Entail syntax: `lease::worksFor(#i1, @lease::acme)`. */
export function rawFact(relation: string, tuple: readonly (JsonValue | null)[]): string {
  return `${relation}(${tuple.map((value) => (value === null ? '_' : rawValue(value))).join(', ')})`;
}

function rawValue(value: JsonValue): string {
  if (typeof value === 'string') return /^[#@]/.test(value) ? value : JSON.stringify(value);
  if (value === null || typeof value !== 'object') return value === null ? 'none' : String(value);
  if (Array.isArray(value)) return `[${value.map(rawValue).join(', ')}]`;
  return `{ ${Object.entries(value)
    .map(([name, part]) => `${name}: ${rawValue(part)}`)
    .join(', ')} }`;
}

/** `rent` takes “has”, `born` and `valid from` take “is”, and the Boolean `suspended` is an adjective. */
function fieldSentence(
  name: string,
  { info, value }: { readonly info: RelationInfo; readonly value: JsonValue | null },
  slot: (position: number) => SentencePart,
): Sentence {
  const text = humanize(name.slice(name.lastIndexOf('.') + 1));
  const type = info.endpoints[1]?.type;
  const isTime = type?.kind === 'scalar' && ['Date', 'Instant'].includes(type.name);
  const isSaid = saysHow(text) || endsWithPreposition(text) || (isTime && (isVerb(text) || isPreposition(text)));
  if (value === null) return [slot(0), words(isSaid ? ' has no value of ' : ' has no '), own(text)];
  if (type?.kind === 'scalar' && type.name === 'Bool' && saysHow(text))
    return [slot(0), words(value === true ? ' is ' : ' is not '), own(text)];
  return [slot(0), words(isSaid ? ' ' : ' has '), own(text), words(' '), slot(1)];
}

function unarySentence(text: string, all: readonly string[], slot: (position: number) => SentencePart): Sentence {
  const first = all[0] ?? '';
  if (isVerb(first)) return [slot(0), words(' '), own(text)];
  // `as of` needs a following word, so it is not the name of the endpoint.
  if (endsWithPreposition(text)) return [own(text), words(' '), slot(0)];
  // Several words are a noun (`entry point`) unless they are an adjective phrase (`fully paid`, `in use`); a single word may be
  // an adjective (`active`).
  const isNoun = all.length > 1 && !saysHow(text);
  return [slot(0), words(isNoun ? ` is ${articleFor(text)} ` : ' is '), own(text)];
}

/**
 * `tenantOf(lease, tenant)`, `tenants(lease, tenant)`, `tenant(lease, tenant)`: the endpoint in the name is the subject. With `of`,
 * its class or first letters may match instead: `tenantOf(l: Lease, t: Tenant)`. If both have the same class, the first is the
 * subject: `parentOf(a: Class, b: Class)`.
 */
function roleSentence(
  all: readonly string[],
  info: RelationInfo | undefined,
  slot: (position: number) => SentencePart,
): Sentence | undefined {
  if (info === undefined) return undefined;
  const hasOf = all.at(-1) === 'of' && all.length > 1;
  const named = (hasOf ? all.slice(0, -1) : all).join(' ');
  const { endpoints } = info;
  const sentence = (position: number, role: string): Sentence => [
    slot(position),
    words(` is ${articleFor(role)} `),
    own(role),
    words(' of '),
    slot(1 - position),
  ];
  const byName = endpoints.findIndex(({ name }) => [named, named.replace(/s$/, '')].includes(humanize(name)));
  // A value endpoint has no role.
  if (byName >= 0)
    return endpoints[byName]?.type.kind === 'class' ? sentence(byName, humanize(endpoints[byName].name)) : undefined;
  if (!hasOf || isVerb(all[0] ?? '') || saysHow(all[0] ?? '')) return undefined;
  if (endpoints.some(({ type }) => type.kind !== 'class')) return undefined;
  const classes = endpoints.map(({ type }) => (type.kind === 'class' ? humanize(shortName(type.path)) : ''));
  const byClass = classes.filter((each) => each === named).length === 1 ? classes.indexOf(named) : -1;
  const byLetters = endpoints.findIndex(({ name }) => named.startsWith(name.toLowerCase()));
  const hint = byClass >= 0 ? byClass : byLetters;
  // The name does not say which of the two it is, except for words that always follow their subject.
  if (hint < 0 && !areAlike(info) && !BELONGING.has(named)) return undefined;
  return sentence(Math.max(hint, 0), named);
}

function areAlike(info: RelationInfo | undefined): boolean {
  const [left, right] = info?.endpoints.map(({ type }) => type) ?? [];
  return left?.kind === 'class' && right?.kind === 'class' && left.path === right.path;
}

/** The words between two endpoints: a verb, `is` with a place, or `is` with an adjective and its preposition. */
function joinedWords(
  all: readonly string[],
  info: RelationInfo | undefined,
): { readonly is: string; readonly text: string } | undefined {
  const first = all[0] ?? '';
  const text = all.join(' ');
  if (isPreposition(first)) return { is: ' is ', text };
  const preposition = ADJECTIVES.get(first);
  if (preposition !== undefined && all.length === 1) return { is: ' is ', text: `${text} ${preposition}` };
  if (saysHow(first) && endsWithPreposition(text)) return { is: ' is ', text };
  // In `prices(part, price)`, prices is a noun, not a verb.
  const isPlural = info?.endpoints.some(({ name }) => text === `${humanize(name)}s`) === true;
  return isVerb(first) && !isPlural ? { is: ' ', text } : undefined;
}

function spelledOut(
  text: string,
  tuple: readonly (JsonValue | null)[],
  info: RelationInfo | undefined,
  slot: (position: number) => SentencePart,
): Sentence {
  const parts: SentencePart[] = [own(text)];
  tuple.forEach((_, position) => {
    parts.push(words(`${position === 0 ? ': ' : ', '}${endpointWords(info, position)} `), slot(position));
  });
  return parts;
}

/** The name of an endpoint; if that has one or two letters, its class or enum, unless another endpoint has the same. */
export function endpointWords(info: Pick<RelationInfo, 'endpoints'> | undefined, position: number): string {
  const endpoint = info?.endpoints[position];
  if (info === undefined || endpoint === undefined) return String(position + 1);
  const { name, type } = endpoint;
  if (name.length > 2 || (type.kind !== 'class' && type.kind !== 'enum')) return humanize(name);
  const { path } = type;
  const alike = info.endpoints.filter((other) => 'path' in other.type && other.type.path === path);
  return alike.length === 1 ? humanize(shortName(path)) : name;
}

function slotPart(value: JsonValue | null, info: RelationInfo | undefined, position: number): SentencePart {
  const type = info?.endpoints[position]?.type;
  const reference = type === undefined ? typeof value === 'string' && /^[#@]/.test(value) : type.kind === 'class';
  if (value === null) return { kind: 'any', text: `any ${type?.kind === 'class' ? shortName(type.path) : 'value'}` };
  return { kind: 'value', value, reference };
}

/** The words of the relation, separated from their spaces. */
function spaced(text: string): SentencePart[] {
  const [, before = '', inner = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  return [words(before), own(inner), words(after)].filter((part) => 'text' in part && part.text !== '');
}

function words(text: string): SentencePart {
  return { kind: 'words', text };
}

function own(text: string): SentencePart {
  return { kind: 'relation', text };
}
