/**
 * Facts as sentences: `worksFor(#i1, @lease::acme)` → "Ada works for Acme Ltd". Where the module's author has written none,
 * they are built from the relation's name and its endpoints alone, so only names that plainly read as verbs or roles make a
 * sentence; any other fact is spelled out with the names of its endpoints, which is stiffer and never wrong.
 */

import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { shortName } from './locations.js';
import type { RelationInfo } from './relation-index.js';
import { writtenSentence } from './written-sentence.js';

export type SentencePart =
  | { readonly kind: 'words'; readonly text: string }
  /** The relation's own words. */
  | { readonly kind: 'relation'; readonly text: string }
  /** An element of the tuple. */
  | { readonly kind: 'value'; readonly value: JsonValue; readonly reference: boolean }
  /** An endpoint that is left open. */
  | { readonly kind: 'any'; readonly text: string };

export type Sentence = readonly SentencePart[];

const PREPOSITIONS = new Set(
  'above at before behind below beside for from in inside into near of on over to under with within'.split(' '),
);
const VERB_STARTS = new Set(['is', 'has', 'can', 'may', 'must', 'was', 'does']);
/** Adjectives that take an object, with the word that joins it. What is reachable is as often the second as the first. */
const ADJECTIVES: Readonly<Record<string, string>> = {
  accessible: 'to',
  accountable: 'for',
  adjacent: 'to',
  available: 'to',
  connected: 'to',
  dependent: 'on',
  eligible: 'for',
  entitled: 'to',
  equal: 'to',
  liable: 'for',
  related: 'to',
  responsible: 'for',
  similar: 'to',
  subject: 'to',
  visible: 'to',
};

/** What two are to each other, so that the order in which they are named says nothing. */
const MUTUAL = new Set(
  'allies classmates colleagues cousins coworkers duplicates friends neighbors neighbours partners peers relatives rivals roommates siblings spouses teammates twins'.split(
    ' ',
  ),
);
/** Verbs that end as the names of doers and of deeds do. */
const VERBS_LIKE_NOUNS =
  /^(?:answer|author|bring|cement|cent|consider|consent|cover|deliver|differ|discover|document|encounter|enter|favor|filter|foster|frequent|gather|grant|honor|implement|invent|mention|mentor|mirror|monitor|offer|orbit|order|own|patent|plant|position|prefer|present|prevent|question|recover|refer|register|remember|render|rent|represent|ring|sponsor|supplement|tender|transfer|trigger|visit|want|warrant|wing)s$/;

/**
 * A define is called by what somebody is (`Tenant`) or by how (`Overworked`, `Reachable`, `Vacant`), and only the first takes an
 * article. What none of these knows is taken for the first.
 */
const ADJECTIVE_ENDING = /(?:[^e]ed|[ai]ble|less|ous)$/;
const NOUNS_LIKE_ADJECTIVES =
  /^(?:bed|bible|cable|constable|crucible|hundred|moped|newlywed|seabed|shed|stable|table|timetable|variable|vegetable|watershed)$/;
const ADJECTIVE_CLASSES = new Set(
  'absent active alive alone away bankrupt blank busy closed complete correct dead due early empty exempt fit free full healthy idle ill inactive incomplete independent invalid late legal new obsolete offline old online open overdue pending present private public ready redundant safe sick single solvent stale unfit unique unknown unsafe urgent vacant valid vegan wrong young'.split(
    ' ',
  ),
);

/** `info` is undefined for a relation that the schema does not know; its endpoints are then numbered. */
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
  if (info?.kind === 'field') return fieldSentence(name, slot);
  if (info?.kind === 'check') return spelledOut(`${humanize(name)} fires`, tuple, info, slot);
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
    const joined = joinedWords(all);
    if (joined !== undefined) return [slot(0), words(joined.is), own(joined.text), words(' '), slot(1)];
  }
  return spelledOut(text, tuple, info, slot);
}

/** How a fact can be meant other than that it holds. */
export type Sense =
  /** As it should be: `no Party guarantees L1`, or where nothing is left open `not: L1 is active`. */
  | 'absent'
  /** Wanted, beside a word that says that it is not there: `no Party guarantees L1`, else `L1 is active`. */
  | 'missing'
  /** There, and must not be: `must not hold: L1 is active`. */
  | 'forbidden';

/** The fact as a sentence, in the sense in which it is meant. */
export function sentenceIn(
  sense: Sense | undefined,
  relation: string,
  tuple: readonly (JsonValue | null)[],
  info: RelationInfo | undefined,
): Sentence {
  const sentence = sentenceOf(relation, tuple, info);
  if (sense === undefined) return sentence;
  if (sense === 'forbidden') return [words('must not hold: '), ...sentence];
  const [first, ...rest] = sentence;
  if (first?.kind === 'any') return [{ kind: 'any', text: first.text.replace(/^any /, 'no ') }, ...rest];
  return sense === 'missing' ? sentence : [words('not: '), ...sentence];
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
  return humanizeClass(name.replace(/_/g, ' ')).toLowerCase();
}

/** `HasAVote` → `Has A Vote`, `URLOfSite` → `URL Of Site`. */
function humanizeClass(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
}

/** `Overworked`, `Short Staffed`, but neither `Closed Account` nor `Timetable`: its last word says what it is. */
function isAdjective(text: string): boolean {
  const last = text.slice(text.lastIndexOf(' ') + 1).toLowerCase();
  return ADJECTIVE_CLASSES.has(last) || (ADJECTIVE_ENDING.test(last) && !NOUNS_LIKE_ADJECTIVES.test(last));
}

function fieldSentence(name: string, slot: (position: number) => SentencePart): Sentence {
  const field = name.slice(name.lastIndexOf('.') + 1);
  const value = slot(1);
  if (value.kind === 'any') return [slot(0), words(' has no '), own(humanize(field))];
  return [slot(0), words(' has '), own(humanize(field)), words(' '), value];
}

function unarySentence(text: string, all: readonly string[], slot: (position: number) => SentencePart): Sentence {
  const first = all[0] ?? '';
  if (VERB_STARTS.has(first) || looksThirdPerson(first)) return [slot(0), words(' '), own(text)];
  // Several words are a noun (`entry point`), one word an adjective (`active`) as often as not.
  return [slot(0), words(all.length > 1 ? ` is ${articleFor(text)} ` : ' is '), own(text)];
}

/** `tenantOf(lease, tenant)`, `tenants(lease, tenant)`, `tenant(lease, tenant)`: the endpoint that the name mentions is the subject. */
function roleSentence(
  all: readonly string[],
  info: RelationInfo | undefined,
  slot: (position: number) => SentencePart,
): Sentence | undefined {
  if (info === undefined) return undefined;
  const named = (all.at(-1) === 'of' ? all.slice(0, -1) : all).join(' ');
  const position = info.endpoints.findIndex(({ name }) => [named, named.replace(/s$/, '')].includes(humanize(name)));
  const role = humanize(info.endpoints[position]?.name ?? '');
  // What stands for a value is no role.
  if (position < 0 || info.endpoints[position]?.type.kind !== 'class') return undefined;
  return [slot(position), words(` is ${articleFor(role)} `), own(role), words(' of '), slot(1 - position)];
}

function areAlike(info: RelationInfo | undefined): boolean {
  const [left, right] = info?.endpoints.map(({ type }) => type) ?? [];
  return left?.kind === 'class' && right?.kind === 'class' && left.path === right.path;
}

/** The words between two endpoints: a verb, `is` and where something is, or `is` and an adjective with its preposition. */
function joinedWords(all: readonly string[]): { readonly is: string; readonly text: string } | undefined {
  const first = all[0] ?? '';
  const text = all.join(' ');
  if (PREPOSITIONS.has(first)) return { is: ' is ', text };
  const preposition = ADJECTIVES[first];
  if (preposition !== undefined && all.length === 1) return { is: ' is ', text: `${text} ${preposition}` };
  return VERB_STARTS.has(first) || looksThirdPerson(first) ? { is: ' ', text } : undefined;
}

/** `works`, `guarantees`, but neither `class` nor `status`, nor the plural of whoever does something: `members`, `agents`. */
function looksThirdPerson(word: string): boolean {
  if (!/[^su]s$/.test(word) || word.length <= 3 || MUTUAL.has(word)) return false;
  return !/(?:er|or|ant|ent|ian|ist|tion|ment|ship|ing|it(?:y|ie))s$/.test(word) || VERBS_LIKE_NOUNS.test(word);
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

/** What an endpoint is called: its name, or where that is only a letter or two, its class or enum if no other has the same. */
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

/** `a unit`, `a user`, but `an uninvolved`. */
const SOUNDS_LIKE_YOU = /^(uni(?![nm])|us[aeu]|ut[ei]|eu)/i;

export function articleFor(word: string): string {
  return /^[aeiou]/i.test(word) && !SOUNDS_LIKE_YOU.test(word) ? 'an' : 'a';
}

/** The relation's own words, with the blanks around them apart. */
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
