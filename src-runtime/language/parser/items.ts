/** The items of a module. Each starts with its keyword, after `pub` if it is public. */

import { nearest } from '../../base/nearest.js';
import type { Span } from '../../base/span.js';
import type { Endpoint, EnumMember, Expression, Item, Name, QueryBody } from '../ast.js';
import { type FindingDetails, suggestion } from '../finding.js';
import { FOREIGN_DIRECTIVES, FOREIGN_ITEMS, FOREIGN_PARENTS, foreignHint } from '../foreign-words.js';
import { insteadOfItem } from './aggregates.js';
import { ruleBody } from './bodies.js';
import { field, headParameter, headParameters, parameters, refuseFieldClauses } from './clauses.js';
import type { Cursor } from './cursor.js';
import { expression, refuseContinuation } from './expressions.js';
import { anyWord, bracketed, declaredName, path, plainName, withSuggestion } from './names.js';
import { argumentList, entryList, textValue } from './operands.js';
import { selection } from './selections.js';
import { block } from './statements.js';
import { template } from './template.js';
import { type } from './types.js';

/** The start of an item, before its own syntax. */
interface Opening {
  readonly start: number;
  readonly doc: string | null;
  readonly public: boolean;
}

const NEVER_PUBLIC = new Set(['use', 'fact', 'context', 'test', 'module']);

export function item(p: Cursor): Item {
  const start = p.index;
  const doc = p.takeDoc();
  const isPublic = p.acceptWord('pub');
  const word = p.current.kind === 'word' ? p.current.text : '';
  if (isPublic && NEVER_PUBLIC.has(word)) {
    p.report('E0027', `\`${word}\` cannot be public`, p.tokenSpan(p.peek(-1)), { hint: 'Remove `pub`.' });
  }
  const reader = READERS.get(word);
  const after = READERS.get(p.peek(1).text);
  if (reader === undefined && after !== undefined && isBeforeItem(p)) {
    const pub = isPublic ? undefined : suggestion(word, ['pub'], '`');
    const details = pub ?? { hint: foreignHint(FOREIGN_ITEMS, word) ?? `Remove \`${word}\`.` };
    p.report('E0014', `expected a declaration, found ${p.found()}`, p.tokenSpan(p.current), details);
    p.take();
    p.take();
    return after(p, { start, doc, public: true });
  }
  if (reader === undefined) {
    const guess = nearest(word, READERS.keys());
    const read = guess === undefined ? undefined : READERS.get(guess);
    const details = notAnItem(p, word);
    if (read === undefined || p.peek(1).kind !== 'word') {
      return p.fail('E0014', `expected a declaration, found ${p.found()}`, details);
    }
    // Reports a misspelt keyword and reads it as the right one.
    p.report('E0014', `expected a declaration, found ${p.found()}`, p.tokenSpan(p.current), details);
    p.take();
    return read(p, { start, doc, public: isPublic });
  }
  p.take();
  return reader(p, { start, doc, public: isPublic });
}

/** At a superfluous word before the start of an item. */
function isBeforeItem(p: Cursor): boolean {
  const [next, name] = [p.peek(1), p.peek(2)];
  if (p.current.kind !== 'word' || next.kind !== 'word' || next.line !== p.current.line) return false;
  return name.kind === 'word' && /^(?:[({:]|is)$/.test(p.peek(3).text);
}

function notAnItem(p: Cursor, word: string): FindingDetails {
  if (p.atDirective()) return { hint: foreignHint(FOREIGN_DIRECTIVES, p.peek(1).text) as string };
  const aggregate = insteadOfItem(p);
  if (aggregate !== undefined) return { hint: aggregate };
  const comma = missingComma(p);
  if (comma !== undefined) return comma;
  const hint = foreignHint(FOREIGN_ITEMS, p.current.text) ?? ruleHint(p);
  return hint === undefined ? withSuggestion(word, READERS.keys(), DECLARATION_HINT) : { hint };
}

const DECLARATION_HINT =
  'A declaration starts with concept, enum, relation, individual, fact, derive, define, check, query, mutation, fn, extern, context, use or test. Conditions of a body are separated by commas.';

/** A condition after the body of a rule, or at its indentation, only lacks its comma. */
function missingComma(p: Cursor): FindingDetails | undefined {
  if (p.index === 0 || (p.isFirstOnLine() && p.current.column === 1) || p.atKey()) return undefined;
  const isLiteral = LITERAL_WORDS.has(p.current.text) || (p.atName() && /^(?:[(.]|[!=<>]=?|in)$/.test(p.peek(1).text));
  if (!isLiteral) return undefined;
  return {
    hint: `Put a comma before \`${p.current.text}\`: conditions of a body are separated by commas.`,
    remedies: [{ kind: 'insert', text: ',' }],
  };
}

const LITERAL_WORDS = new Set(['let', 'not']);

/** `old(P) :- …` and `age(ada, 36).` of other rule languages. */
function ruleHint(p: Cursor): string | undefined {
  if (p.atKey()) return 'Write `individual name: Concept { field: value }`.';
  if (!p.atName() || !p.peekIs(1, '(')) return undefined;
  return 'A fact starts with `fact`, a rule is `derive name(x: Type) when …`, and a query is `query name() -> [T] { select x where … }`.';
}

const READERS: ReadonlyMap<string, (p: Cursor, opening: Opening) => Item> = new Map([
  ['use', use],
  ['enum', enumeration],
  ['concept', concept],
  ['relation', relation],
  ['individual', individual],
  ['fact', fact],
  ['derive', derive],
  ['define', define],
  ['check', check],
  ['query', query],
  ['mutation', mutation],
  ['fn', fn],
  ['extern', extern],
  ['context', context],
  ['test', test],
]);

export function isItemWord(word: string): boolean {
  return READERS.has(word);
}

/** The members that every named item ends with. */
function named(p: Cursor, { start, doc, public: isPublic }: Opening, name: Name) {
  return { name, public: isPublic, doc, span: p.spanFrom(start) };
}

function use(p: Cursor, { start, doc }: Opening): Item {
  const first = p.index;
  const segments = [plainName(p, 'the name of a module')];
  while (p.at('::') && !p.peekIs(1, '{')) {
    p.take();
    segments.push(plainName(p, 'a name after `::`'));
  }
  const module = { segments, span: p.spanFrom(first) };
  if (!p.at('::')) failWithoutNames(p, segments, module.span);
  p.expect('::', 'and the imported names in braces');
  const names = bracketed(p, ['{', '}'], 'before the imported names', () => plainName(p, 'an imported name'));
  return { kind: 'use', module, names, doc, span: p.spanFrom(start) };
}

/** `use office::Desk` as in other languages. The missing part is reported at the path, not on the next line. */
function failWithoutNames(p: Cursor, segments: readonly Name[], span: Span): never {
  const path = segments.map(({ text }) => text);
  const [names, from] = path.length > 1 ? [path.slice(-1), path.slice(0, -1)] : [['Person', 'worksFor'], path];
  const hint = `Write \`use ${from.join('::')}::{${names.join(', ')}}\`.`;
  p.fail('E0010', 'expected `::` and the imported names in braces after the module', { hint }, span);
}

function enumeration(p: Cursor, opening: Opening): Item {
  const name = declaredName(p, 'the name of an enum');
  const members = bracketed(p, ['{', '}'], 'before the members', () => enumMember(p));
  return { kind: 'enum', members, ...named(p, opening, name) };
}

function enumMember(p: Cursor): EnumMember {
  const doc = p.takeDoc();
  if (p.current.kind === 'text') p.failExpected('the name of a member', 'Write the bare name, without quotes.');
  const name = declaredName(p, 'the name of a member');
  if (p.at('=')) p.fail('E0010', 'an enum member has no value', { hint: 'Write only the names: `{ a, b }`.' });
  return { name, doc, span: name.span };
}

function concept(p: Cursor, opening: Opening): Item {
  const name = declaredName(p, 'the name of a concept');
  const parent = p.acceptWord('is') ? path(p, 'the parent concept') : null;
  const where = 'before the fields (`{ }` for none)';
  if (!p.at('{') && !p.atKey()) p.failExpected(`\`{\` ${where}`, foreignHint(FOREIGN_PARENTS, p.current.text));
  const fields = bracketed(p, ['{', '}'], where, () => field(p), 'optional');
  return { kind: 'concept', parent, fields, ...named(p, opening, name) };
}

function relation(p: Cursor, opening: Opening): Item {
  const name = declaredName(p, 'the name of a relation');
  const endpoints = bracketed(p, ['(', ')'], 'before the endpoints', () => endpoint(p));
  return { kind: 'relation', endpoints, ...named(p, opening, name) };
}

function endpoint(p: Cursor): Endpoint {
  const start = p.index;
  const doc = p.takeDoc();
  const name = anyWord(p, 'the name of an endpoint');
  p.expect(':', 'after the name of an endpoint', 'Every endpoint needs a type: write `name: Type`.');
  const endpointType = type(p);
  const functional = p.at('[');
  if (functional) multiplicity(p);
  refuseFieldClauses(p);
  return { name, type: endpointType, functional, doc, span: p.spanFrom(start) };
}

function multiplicity(p: Cursor): void {
  const isKnown = p.peek(1).text === '0' && p.peekIs(2, '..') && p.peek(3).text === '1';
  if (!isKnown) {
    p.fail('E0026', 'unknown multiplicity', { hint: 'Write `[0..1]` for at most one. Omit it for any number.' });
  }
  const open = p.take();
  for (let taken = 0; taken < 3; taken += 1) p.take();
  if (!p.accept(']')) p.reportUnclosed(open, ']');
}

function individual(p: Cursor, opening: Opening): Item {
  const name = declaredName(p, 'the name of an individual');
  p.expect(':', 'and a concept after the name', 'Write `individual name: Concept { field: value }`.');
  const of = path(p, 'a concept');
  const fields = entryList(p, 'before the fields (`{ }` for none)');
  return { kind: 'individual', concept: of, fields, ...named(p, opening, name) };
}

function fact(p: Cursor, { start, doc }: Opening): Item {
  const of = path(p, 'a relation after `fact`');
  const args = argumentList(p);
  return { kind: 'fact', relation: of, args, doc, span: p.spanFrom(start) };
}

function derive(p: Cursor, opening: Opening): Item {
  const name = declaredName(p, 'the name of a derived relation');
  const heads = headParameters(p);
  p.expectWord('when', 'and a body', 'Write `derive name(x: Type) when`, then conditions separated by commas.');
  const condition = ruleBody(p);
  return { kind: 'derive', parameters: heads, body: condition, ...named(p, opening, name) };
}

function define(p: Cursor, opening: Opening): Item {
  const name = declaredName(p, 'the name of a derived class');
  const open = p.expect('(', 'before the parameter');
  const parameter = headParameter(p);
  if (p.at(',')) p.fail('E0028', 'a define has one parameter', { hint: 'Write a `derive` for several parameters.' });
  p.close(open, ')');
  p.expectWord('when', 'and a body');
  const condition = ruleBody(p);
  return { kind: 'define', parameter, body: condition, ...named(p, opening, name) };
}

function check(p: Cursor, opening: Opening): Item {
  const name = declaredName(p, 'the name of a check');
  const heads = headParameters(p);
  p.expectWord('when', 'and a body');
  const condition = ruleBody(p);
  p.expectWord(
    'severity',
    'after the body of a check',
    'Write `severity blocking` or `severity warning`, then `message "…"`.',
  );
  const isWarning = p.atWord('warning');
  if (!isWarning && !p.atWord('blocking')) unknownSeverity(p);
  // If only the severity is missing, the message comes next.
  if (!p.atWord('message')) p.take();
  p.expectWord('message', 'after the severity', 'Write `message "…"`.');
  const message = template(p);
  const severity = isWarning ? 'warning' : 'blocking';
  return { kind: 'check', parameters: heads, body: condition, severity, message, ...named(p, opening, name) };
}

function unknownSeverity(p: Cursor): void {
  const hint = 'A blocking check refuses the transaction. A warning only reports.';
  const message = `expected \`blocking\` or \`warning\`, found ${p.found()}`;
  if (p.current.kind !== 'word') p.fail('E0010', message, { hint });
  p.report('E0010', message, p.tokenSpan(p.current), withSuggestion(p.current.text, ['blocking', 'warning'], hint));
}

function query(p: Cursor, opening: Opening): Item {
  const name = declaredName(p, 'the name of a query');
  const taken = parameters(p);
  p.expect('->', 'and the type of the result', 'A query needs a result type: write `-> [T]`, `-> T?` or `-> T`.');
  const result = type(p);
  const open = p.expect('{', 'before the body of the query');
  const read = queryBody(p);
  p.close(open, '}');
  return { kind: 'query', parameters: taken, result, body: read, ...named(p, opening, name) };
}

function queryBody(p: Cursor): QueryBody {
  const start = p.index;
  if (p.atWord('select') || (p.atName() && nearest(p.current.text, ['select']) !== undefined)) {
    const unreadable = (span: Item['span']): QueryBody => ({ kind: 'value', value: { kind: 'error', span }, span });
    return p.attempt(
      () => selection(p),
      unreadable,
      () => false,
    );
  }
  p.expectWord(
    'value',
    'or `select` at the start of the query body',
    'Write `select x where …` for rows, or `value …` for one value.',
  );
  const value = readable(p);
  return { kind: 'value', value, span: p.spanFrom(start) };
}

/** An expression whose errors do not discard the item around it, so that its name stays known. */
function readable(p: Cursor): Expression {
  return p.attempt(
    () => {
      const value = expression(p);
      refuseContinuation(p);
      return value;
    },
    (span): Expression => ({ kind: 'error', span }),
    () => false,
  );
}

function mutation(p: Cursor, opening: Opening): Item {
  const name = declaredName(p, 'the name of a mutation');
  const taken = parameters(p);
  const result = p.accept('->') ? type(p) : null;
  const statements = block(p, 'mutation', 'before the statements of the mutation');
  return { kind: 'mutation', parameters: taken, result, body: statements, ...named(p, opening, name) };
}

function fn(p: Cursor, opening: Opening): Item {
  const name = declaredName(p, 'the name of a function');
  const taken = parameters(p);
  p.expect('->', 'and the type of the result');
  const result = type(p);
  p.expect('=', 'and an expression', 'Write `fn name(x: Int) -> Int = x * 2`.');
  const value = readable(p);
  return { kind: 'fn', parameters: taken, result, body: value, ...named(p, opening, name) };
}

function extern(p: Cursor, opening: Opening): Item {
  if (p.acceptWord('type')) {
    const name = declaredName(p, 'the name of a type');
    return { kind: 'externType', ...named(p, opening, name) };
  }
  p.expectWord('fn', 'or `type` after `extern`');
  const name = declaredName(p, 'the name of a function');
  const taken = parameters(p);
  p.expect('->', 'and the type of the result');
  const result = type(p);
  return { kind: 'externFn', parameters: taken, result, ...named(p, opening, name) };
}

function context(p: Cursor, { start, doc }: Opening): Item {
  const name = declaredName(p, 'the name of a context field');
  p.expect(':', 'and a type after the name');
  const fieldType = type(p);
  return { kind: 'context', name, type: fieldType, doc, span: p.spanFrom(start) };
}

function test(p: Cursor, { start, doc }: Opening): Item {
  const { current } = p;
  if (current.kind !== 'text') p.failExpected('the title of the test', 'Write `test "what holds" { … }`.');
  p.take();
  const title = { kind: 'text' as const, value: textValue(current.text), span: p.tokenSpan(current) };
  const statements = block(p, 'test', 'before the statements of the test');
  return { kind: 'test', title, body: statements, doc, span: p.spanFrom(start) };
}
