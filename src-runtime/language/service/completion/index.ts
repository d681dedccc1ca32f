/** What can be written at the cursor, also in unfinished source: computed from the tokens before it and the known symbols. */

import { ERROR_CODE_NAMES } from '../../../base/error-codes.js';
import type { Analysis } from '../../analyse.js';
import type { DeclaredSymbol } from '../../check/index.js';
import { isPredicate } from '../../check/program/symbols.js';
import { DATE_TIME, typeText } from '../../check/program/types.js';
import { RESERVED_WORDS } from '../../lexer.js';
import type { Completion, Completions } from '../types.js';
import { continuations } from './continuations.js';
import { expectedAt, resultFields } from './expected.js';
import {
  aggregates,
  argumentNames,
  builtInFunctions,
  entryKeys,
  fields,
  individuals,
  keywords,
  members,
  moduleItem,
  named,
  names,
  RANK,
  scalars,
  variables,
} from './items.js';
import { resolveName } from './names.js';
import { parametersOf, typeBefore } from './scope.js';
import type { Site } from './site.js';
import { pathBefore, siteAt } from './site.js';

/** Best first; empty inside comments and directly after a literal, and inside texts except between the braces of a message. */
export function completionsAt(analysis: Analysis, file: string, offset: number): Completions {
  const site = siteAt(analysis, file, offset);
  if (site === null || isDirectlyAfterLiteral(site)) return { from: offset, to: offset, items: [] };
  const byLabel = new Map<string, Completion>();
  for (const item of candidates(site)) {
    const key = `${item.label} ${item.also === undefined ? '' : (item.also[0]?.text ?? '')}`;
    const known = byLabel.get(key);
    if (known === undefined || item.rank < known.rank) byLabel.set(key, item);
  }
  const items = [...byLabel.values()].sort(
    (a, b) => a.rank - b.rank || (a.label < b.label ? -1 : a.label > b.label ? 1 : 0),
  );
  return { from: site.from, to: site.to, items };
}

/** A word there would join the literal, and the key that ends the line would take the first that is offered. */
function isDirectlyAfterLiteral({ before, from }: Site): boolean {
  const last = before[before.length - 1];
  return last?.end === from && (last.kind === 'int' || last.kind === 'decimal' || last.kind === 'text');
}

/** What each item is, with its form. */
const ITEM_DOCS = {
  use: 'Imports public names: use other::{Person}',
  enum: 'A type with fixed values: enum Status { draft, signed }',
  concept: 'A kind of individual, with fields: concept Person { name: Text }',
  relation: 'Tuples to store: relation worksFor(person: Person, company: Company)',
  individual: 'An individual that no call can change: individual ada: Person { name: "Ada" }',
  fact: 'A tuple that no call can change: fact worksFor(@ada, @acme)',
  derive: 'A rule, whose facts follow from conditions: derive adult(p: Person) when Person(p), p.age >= 18',
  define: 'A class of individuals that meet conditions: define Adult(p: Person) when p.age >= 18',
  check: 'A state that must not occur: check noName(p: Person) when p.name == "" severity blocking message "…"',
  query: 'A call that reads: query people() -> [Person] { select p where Person(p) order by p.name }',
  mutation: 'A call that changes facts: mutation hire(name: Text) { insert Person { name: name } }',
  fn: 'A calculation: fn yearly(rent: Decimal) -> Decimal = rent * 12',
  extern: 'A type or function of the host: extern fn rate(on: Date) -> Decimal',
  context: 'A value that each request carries: context user: Text?',
  test: 'A test of rules and calls: test "hires" { hire("Ada") expect people() != [] }',
  pub: 'Makes a declaration available to the API and to other modules: pub concept Person { name: Text }',
};
const ITEMS = Object.keys(ITEM_DOCS).join(' ');
const PUBLIC_ITEMS = 'enum concept relation individual derive define check query mutation fn extern';
const STATEMENTS = 'let insert set delete forget require for if return';
const TEST_STATEMENTS = 'let insert set delete forget require for if expect';

function candidates(site: Site): Completion[] {
  const { before, kind, open } = site;
  const last = before[before.length - 1];
  const previous = last?.text ?? '';
  if (before.length === 0) return [...(site.module.name.startsWith('?') ? keywords('module') : []), ...items(ITEMS)];
  if (last?.kind === 'punctuation' && previous === '.') return namesAfterDot(site);
  if (last?.kind === 'punctuation' && previous === '::') return namesAfterPath(site);
  if (previous === '@') return names(site, (symbol) => symbol.kind === 'individual');
  if (previous === 'pub') return items(PUBLIC_ITEMS);
  const next = site.isFirstOnLine && open.length === 0 ? items(ITEMS) : [];
  if (kind === 'module') return next;
  return [...next, ...inItem(site, previous)];
}

function items(words: string): Completion[] {
  const docs: Readonly<Record<string, string>> = ITEM_DOCS;
  return keywords(words).map((item) => ({ ...item, doc: docs[item.label] ?? null }));
}

function namesAfterDot(site: Site): Completion[] {
  const { before } = site;
  const index = before.length - 1;
  const path = pathBefore(before, index);
  if (path?.text === 'context') {
    const now: Completion = {
      label: 'now',
      kind: 'context',
      detail: typeText(DATE_TIME),
      doc: null,
      rank: RANK.builtIn,
    };
    const declared = site.analysis.program.context.map(
      ({ name, type, doc }): Completion => ({
        label: name,
        kind: 'context',
        detail: typeText(type),
        doc,
        rank: RANK.expected,
      }),
    );
    return [...declared, now];
  }
  if (path !== undefined && before[path.start - 1]?.text === 'via') {
    const relation = resolveName(site.names, site.module, path.text);
    if (relation === undefined) return [];
    return argumentNames(relation, parametersOf(relation), new Set()).map((item) => ({ ...item, insert: item.label }));
  }
  const type = typeBefore(site, index);
  if (type === undefined) return [];
  // A value read through a relation cannot be set; an individual that is read this way has fields that can.
  const isSet = path !== undefined && before[path.start - 1]?.text === 'set';
  return isSet ? fields(type).filter(({ detail }) => detail?.startsWith('[') !== true) : fields(type);
}

function namesAfterPath(site: Site): Completion[] {
  const { before } = site;
  const path = pathBefore(before, before.length - 1);
  if (path === undefined) return [];
  if (path.text === 'std') return builtInFunctions();
  const symbol = resolveName(site.names, site.module, path.text);
  if (symbol?.kind === 'enum') return members(site, { kind: 'enum', symbol });
  const further = [...site.names.byName.keys()].flatMap((name) =>
    name.startsWith(`${path.text}::`) ? [moduleItem(name.slice(path.text.length + 2).split('::')[0] ?? '')] : [],
  );
  const module = site.names.byName.get(path.text);
  if (module === undefined || site.kind === 'use') return further;
  const isIndividual = before[path.start - 1]?.text === '@';
  const offered = [...module.declared.values()].filter(
    (each) => (each.public || module === site.module) && (!isIndividual || each.kind === 'individual'),
  );
  return [...offered.map((each) => named(site, each, RANK.declared)), ...further];
}

function inItem(site: Site, previous: string): Completion[] {
  const { before, kind, open } = site;
  const bracket = open[open.length - 1];
  if (bracket?.role === 'imports') return imported(site);
  if (kind === 'use') return before.length === 1 ? otherModules(site) : [];
  if (before.length === 1) return inHead(site, kind);
  if (bracket?.role === 'members' || previous === 'let' || previous === 'for') return [];
  if (atType(site, before.length)) return typesAt(site);
  if (bracket?.role === 'entries') {
    const keys = keysAt(site, bracket.index, previous);
    if (keys !== undefined) return keys;
  }
  if (bracket?.role === 'match' && (previous === '{' || previous === ',')) {
    return [...members(site, expectedAt(site)), ...keywords('_')];
  }
  if (bracket?.role === 'query' && previous === '{') return keywords('select value', RANK.expected);
  if (isKeyPlace(site, previous)) {
    if (bracket?.role === 'record') return resultKeys(site, bracket.index);
    return kind === 'derive' && bracket?.role === 'parameters' ? keywords('least greatest') : [];
  }
  const afterWord = itemsAfterWord(site, previous);
  if (afterWord !== undefined) return afterWord;
  if (bracket?.role === 'block' && (previous === '{' || previous === '}' || site.isFirstOnLine))
    return statements(site);
  if (isAfterValue(site)) return continuations(site);
  return values(site, previous);
}

function inHead(site: Site, kind: string): Completion[] {
  if (kind === 'fact') return names(site, (symbol) => symbol.kind === 'relation');
  if (kind === 'extern') return keywords('fn type');
  if (kind !== 'derive') return [];
  const derives = [...site.module.declared.values()].filter((symbol) => symbol.kind === 'derive');
  return derives.map((symbol) => named(site, symbol, RANK.declared));
}

function imported(site: Site): Completion[] {
  const brace = site.open[site.open.length - 1]?.index ?? 0;
  const module = site.names.byName.get(pathBefore(site.before, brace - 1)?.text ?? '');
  const given = new Set(site.before.slice(brace).map(({ text }) => text));
  const offered = [...(module?.declared.values() ?? [])].filter((symbol) => symbol.public && !given.has(symbol.name));
  return offered.map((symbol) => named(site, symbol, RANK.declared));
}

function otherModules(site: Site): Completion[] {
  return [...site.names.byName.values()]
    .filter((module) => module !== site.module && !module.name.startsWith('?'))
    .map(({ name }) => moduleItem(name));
}

/** Whether a type is written at token `index`. */
function atType(site: Site, index: number): boolean {
  const { before, kind, open } = site;
  const previous = before[index - 1]?.text;
  if (previous === '->') return true;
  const bracket = open.findLast((each) => each.index < index);
  if (previous === '[' || previous === '{')
    return bracket?.index === index - 1 && previous === '[' && atType(site, index - 1);
  if (previous !== ':') return false;
  if (bracket === undefined) return kind === 'individual' || kind === 'context';
  return bracket.role === 'parameters' || bracket.role === 'fields' || bracket.role === 'recordType';
}

function typesAt(site: Site): Completion[] {
  if (site.kind === 'individual') return names(site, (symbol) => symbol.kind === 'concept');
  const isStored = site.kind === 'concept' || site.kind === 'relation';
  const accept = ({ kind }: DeclaredSymbol) =>
    kind === 'enum' || kind === 'concept' || (!isStored && (kind === 'define' || kind === 'externType'));
  return [...scalars(), ...names(site, accept)];
}

/** The keys of an insert or individual; undefined at the position of a value. */
function keysAt(site: Site, brace: number, previous: string): Completion[] | undefined {
  const isValue = previous === ':' || (!site.isFirstOnLine && previous !== '{' && previous !== ',');
  if (isValue || (site.isFirstOnLine && !isAfterValue(site) && previous !== '{' && previous !== ',')) return undefined;
  const concept = pathBefore(site.before, brace);
  const given = new Set(
    site.before.slice(brace).flatMap((token, i, all) => (all[i + 1]?.text === ':' ? [token.text] : [])),
  );
  return entryKeys(concept === undefined ? undefined : resolveName(site.names, site.module, concept.text), given);
}

/** The keys of the row or value that a query or mutation declares as its result. */
function resultKeys(site: Site, brace: number): Completion[] {
  const { before } = site;
  if (!/^(?:select|value|return)$/.test(before[brace - 1]?.text ?? '')) return [];
  const given = new Set(before.slice(brace).flatMap((token, i, all) => (all[i + 1]?.text === ':' ? [token.text] : [])));
  return resultFields(site)
    .filter(({ name }) => !given.has(name))
    .map(({ name, type }) => ({
      label: name,
      kind: 'field',
      detail: type,
      doc: null,
      insert: `${name}: `,
      rank: RANK.expected,
    }));
}

/** At the place of a new name: of a field, a parameter or a record's key. */
function isKeyPlace(site: Site, previous: string): boolean {
  const role = site.open[site.open.length - 1]?.role;
  const isKeyed = role === 'parameters' || role === 'fields' || role === 'record' || role === 'recordType';
  return isKeyed && (previous === '{' || previous === '(' || previous === ',');
}

/** Positions where only one word is possible. */
function itemsAfterWord(site: Site, previous: string): Completion[] | undefined {
  const is =
    (...kinds: DeclaredSymbol['kind'][]) =>
    (symbol: DeclaredSymbol) =>
      kinds.includes(symbol.kind);
  switch (previous) {
    case 'is':
      return site.kind === 'concept' ? names(site, is('concept')) : undefined;
    case 'via':
      return names(site, is('relation', 'derive'));
    case 'insert':
      return names(site, is('concept', 'relation'));
    case 'delete':
      return [...variables(site), ...names(site, is('relation'))];
    case 'forget':
      return variables(site);
    case 'set':
      return [...variables(site), ...(site.kind === 'test' ? keywords('context') : [])];
    case 'severity':
      return keywords('blocking warning', RANK.expected);
    case 'blocking':
    case 'warning':
      return keywords('message', RANK.expected);
    case 'order':
      return keywords('by', RANK.expected);
    case 'message':
      return [];
    case 'error':
      return site.before[site.before.length - 2]?.text === 'expect' ? errorCodes() : undefined;
    case 'from':
      return names(site, is('mutation', 'query', 'fn'));
    default:
      return ERROR_CODE_NAMES.some((code) => code === previous) ? keywords('from', RANK.expected) : undefined;
  }
}

/** The most frequent code of a rejected mutation is first. */
function errorCodes(): Completion[] {
  return ERROR_CODE_NAMES.map((label) => {
    const isUsual = label === 'SVC_RUNTIME_CHECK_VIOLATION' || label === 'SVC_RUNTIME_VALIDATION_FAILED';
    return { label, kind: 'code', detail: null, doc: null, rank: isUsual ? RANK.expected : RANK.declared };
  });
}

function statements(site: Site): Completion[] {
  const callable = names(site, ({ kind }) => kind === 'mutation' || kind === 'query');
  return [...keywords(site.kind === 'test' ? TEST_STATEMENTS : STATEMENTS, RANK.local), ...callable];
}

/** Whether a complete value ends before the cursor, so that only a continuation of it can follow. */
function isAfterValue({ before }: Site): boolean {
  const last = before[before.length - 1];
  if (last === undefined) return false;
  if (last.kind === 'punctuation') return /^[)\]}?_]$/.test(last.text);
  if (last.kind !== 'word') return true;
  if (VALUE_OPENERS.has(last.text) && before[before.length - 2]?.text !== '.') return false;
  return !RESERVED_WORDS.has(last.text) || /^(?:true|false|none)$/.test(last.text);
}

/** Contextual words that a value follows. */
const VALUE_OPENERS = new Set(['select', 'value', 'by', 'limit', 'require', 'expect']);

function values(site: Site, previous: string): Completion[] {
  const expected = expectedAt(site);
  const isBody = atBody(site, previous);
  const isRequest = site.kind === 'query' || site.kind === 'mutation' || site.kind === 'test';
  const isRule = site.kind === 'derive' || site.kind === 'define' || site.kind === 'check';
  const isDeclared = site.open.some(({ role }) => role === 'fields' || (role === 'parameters' && !isRule));
  const isPure = site.kind === 'fn' || isDeclared;
  const accept = (symbol: DeclaredSymbol) =>
    symbol.kind === 'fn' ||
    (symbol.kind === 'enum' && expected === undefined) ||
    (isBody && (isPredicate(symbol) || (site.kind === 'test' && symbol.kind === 'check'))) ||
    (previous === '=' && site.kind !== 'query' && isRequest && (symbol.kind === 'mutation' || symbol.kind === 'query'));
  return [
    ...members(site, expected),
    ...argumentsByName(site, previous),
    ...variables(site),
    ...individuals(site, expected),
    ...(isPure && site.kind !== 'fn' ? refined() : []),
    ...names(site, accept),
    ...builtInFunctions(),
    ...(isPure ? [] : aggregates()),
    ...keywords('not if match true false none'),
    ...keywords(isBody ? 'let' : ''),
    ...keywords(isRequest ? 'context' : ''),
    ...keywords(previous === 'expect' ? 'error' : ''),
    ...keywords(isRequest && (previous === '=' || previous === 'return') ? 'insert' : ''),
  ].filter(({ label }) => label !== '');
}

function refined(): Completion[] {
  return [{ label: 'value', kind: 'variable', detail: null, doc: null, rank: RANK.local }];
}

/** The names of the remaining arguments of the call at the cursor. */
function argumentsByName(site: Site, previous: string): Completion[] {
  const bracket = site.open[site.open.length - 1];
  if (bracket?.role !== 'call' || (previous !== '(' && previous !== ',')) return [];
  const callee = pathBefore(site.before, bracket.index);
  const symbol = callee === undefined ? undefined : resolveName(site.names, site.module, callee.text);
  if (symbol === undefined) return [];
  const inside = site.before.slice(bracket.index + 1);
  const isNamed = inside.some((token, i) => token.text === ':' && inside[i - 1]?.kind === 'word');
  if (inside.length > 0 && !isNamed) return [];
  const given = new Set(inside.flatMap((token, i) => (inside[i + 1]?.text === ':' ? [token.text] : [])));
  return argumentNames(symbol, parametersOf(symbol), given);
}

/** Whether a literal of a body begins here, where tuples and concepts are possible. */
function atBody(site: Site, previous: string, depth = site.open.length): boolean {
  const bracket = site.open[depth - 1];
  if (bracket?.role === 'parameters' || bracket?.role === 'fields' || bracket?.role === 'entries') return false;
  if (/^(?:when|where|require|expect|if|not|,)$/.test(previous)) {
    const inside = site.before.slice((bracket?.index ?? -1) + 1);
    if (inside.some(({ text }) => /^(?:when|where|require|expect|if)$/.test(text))) return true;
  }
  // Alternatives, in parentheses where a condition can be.
  if (bracket?.role !== 'group' || !/^(?:[(,]|or|and|not)$/.test(previous)) return false;
  return atBody(site, site.before[bracket.index - 1]?.text ?? '', depth - 1);
}
