/** Operands of operators: literals, names, calls, aggregates, fields, `match`, lists and records. */

import { DECIMAL_DIGITS_MAX, Decimal } from '../../base/decimal.js';
import { significantDigits } from '../../base/numeral.js';
import { joinSpans, type Span } from '../../base/span.js';
import type { Argument, CallExpression, Entry, Expression, MatchCase, Name, Path, Wildcard } from '../ast.js';
import { unescapeAll } from '../escapes.js';
import { FOREIGN_DOUBLED, FOREIGN_FUNCTIONS, FOREIGN_OPERANDS, foreignHint } from '../foreign-words.js';
import { aggregate, insteadOfBindings, insteadOfBraces, refuseStar } from './aggregates.js';
import { group } from './bodies.js';
import { calendarDate, instant } from './calendar.js';
import type { Cursor } from './cursor.js';
import { expression, refuseAssignment } from './expressions.js';
import { anyWord, bracketed, isReserved, path } from './names.js';

const INT_MAX_DIGITS = '9007199254740991';

export function operand(p: Cursor): Expression {
  const start = p.index;
  let of = bareOperand(p);
  let fields = 0;
  while ((p.at('.') && !p.atFullStop() && !p.atDirective()) || p.at('[')) {
    fields += 1;
    if (fields > 256) p.fail('E0020', 'more than 256 fields in a row', { hint: 'Name a part of the path with `let`.' });
    if (p.at('[')) {
      of = elementAt(p, of, start);
      continue;
    }
    p.take();
    const name = anyWord(p, 'the name of a field after `.`');
    const check = p.at('(') && p.inExpectation ? builtInCheck(of, name) : undefined;
    if (check !== undefined) return { kind: 'call', callee: check, args: argumentList(p), span: p.spanFrom(start) };
    if (p.at('(')) {
      const hint =
        foreignHint(FOREIGN_FUNCTIONS, name.text) ?? `Write \`${name.text}(…)\` with the value as the first argument.`;
      p.fail('E0010', 'values have no methods', { hint });
    }
    of = { kind: 'field', of, name, span: p.spanFrom(start) };
  }
  return of;
}

/** `list[index]`. */
function elementAt(p: Cursor, of: Expression, start: number): Expression {
  const open = p.take();
  const index = p.nested(() => expression(p));
  p.close(open, ']');
  return { kind: 'index', of, index, span: p.spanFrom(start) };
}

/** `m::worksFor.company` and `Lease.code.unique`: the last segment of the path has the points in it. */
function builtInCheck(of: Expression, name: Name): Path | undefined {
  const words = [name];
  let at = of;
  for (; at.kind === 'field'; at = at.of) words.unshift(at.name);
  const last = at.kind === 'name' ? at.path.segments[at.path.segments.length - 1] : undefined;
  if (at.kind !== 'name' || last === undefined) return undefined;
  const text = [last, ...words].map((word) => word.text).join('.');
  const dotted = { text, span: joinSpans(last.span, name.span) };
  return { segments: [...at.path.segments.slice(0, -1), dotted], span: joinSpans(at.span, name.span) };
}

function bareOperand(p: Cursor): Expression {
  const { current } = p;
  switch (current.kind) {
    case 'int':
      return int(p);
    case 'decimal':
      return decimal(p);
    case 'text':
      p.take();
      return text(current.text, p.tokenSpan(current));
    case 'word':
      return wordOperand(p);
    case 'punctuation':
      return symbolOperand(p);
    default:
      return failOperand(p);
  }
}

export function failOperand(p: Cursor): never {
  return p.fail('E0016', `expected an expression, found ${p.found()}`, {
    hint:
      doubledHint(p) ??
      insteadOfBraces(p) ??
      foreignHint(FOREIGN_OPERANDS, p.current.text) ??
      'Write a literal, a name, a call, or an expression in parentheses.',
  });
}

function text(written: string, span: Span): Expression {
  const content = textContent(written);
  const value = unescapeAll(content);
  return { kind: 'text', value, ...(content !== value && { escaped: content }), span };
}

/** `**`, `<<` and `>>` are two operators to the lexer. */
function doubledHint(p: Cursor): string | undefined {
  const { current } = p;
  const isDoubled = p.index > 0 && p.peek(-1).text === current.text && p.peek(-1).end === current.start;
  return isDoubled ? foreignHint(FOREIGN_DOUBLED, current.text) : undefined;
}

export function textValue(written: string): string {
  return unescapeAll(textContent(written));
}

function textContent(written: string): string {
  const isClosed = written.length > 1 && written.endsWith('"');
  return written.slice(1, isClosed ? -1 : undefined);
}

function int(p: Cursor): Expression {
  const token = p.current;
  const digits = token.text.replace(/^0+(?=\d)/, '');
  const max = INT_MAX_DIGITS;
  const isLarge = digits.length > max.length || (digits.length === max.length && digits > max);
  const span = p.tokenSpan(token);
  if (isLarge)
    p.report('E0006', `${digits} is beyond the range of Int`, span, { hint: `Write the Decimal \`${digits}.0\`.` });
  p.take();
  const value = isLarge ? 0 : Number.parseInt(digits, 10);
  return { kind: 'int', value: Number.isNaN(value) ? 0 : value, span };
}

function decimal(p: Cursor): Expression {
  const { text } = p.current;
  const span = p.tokenSpan(p.current);
  // The lexer has reported a malformed number, whose size is not checked.
  const isLarge = /^\d+\.\d+$/.test(text) && !new Decimal(text).toSignificantDigits(DECIMAL_DIGITS_MAX).isFinite();
  if (isLarge) {
    p.report('E0006', 'the number is beyond the range of Decimal', span, {
      hint: 'Use fewer than 6,146 digits.',
    });
  }
  const digits = significantDigits(text);
  if (!isLarge && digits > DECIMAL_DIGITS_MAX) {
    p.warn('W0004', `the number has ${digits} significant digits, and a Decimal at most ${DECIMAL_DIGITS_MAX}`, span, {
      hint: `Write at most ${DECIMAL_DIGITS_MAX} significant digits. The number is rounded.`,
    });
  }
  p.take();
  return { kind: 'decimal', text: isLarge ? '0.0' : text, span };
}

function wordOperand(p: Cursor): Expression {
  if (p.atWord('select') && p.peek(1).kind === 'word' && !isReserved(p.peek(1).text)) {
    p.fail('E0016', 'a selection cannot be an operand', {
      hint: 'Write only the conditions after its `where`, separated by commas.',
    });
  }
  const { current } = p;
  if (p.atKey() || (p.atItemStart() && !isReserved(p.peek(1).text)) || atExpectation(p)) return failOperand(p);
  switch (current.text) {
    case 'true':
    case 'false':
      p.take();
      return { kind: 'bool', value: current.text === 'true', span: p.tokenSpan(current) };
    case 'none':
      p.take();
      return { kind: 'none', span: p.tokenSpan(current) };
    case 'context':
      return contextField(p);
    case 'match':
      if (isMatchCall(p)) {
        p.fail('E0016', '`match` is not a function', { hint: 'Write `matches(t, pattern)`, the text first.' });
      }
      return p.nested(() => matchExpression(p));
    case 'if':
      return p.fail('E0016', 'an `if` between operators needs parentheses', {
        hint: 'Write `(if … then … else …)`.',
      });
    case 'insert':
      return p.fail('E0024', '`insert` is not allowed in an expression', {
        hint: 'Insert first, with `let x = insert …`.',
      });
    case '_':
      return p.fail('E0021', '`_` is only allowed as a whole argument or a match pattern', {
        hint: 'Write a variable, or a tuple such as `rel(_, x)`.',
      });
    case 'date':
    case 'datetime':
      return p.peek(1).kind === 'text' ? timeLiteral(p, current.text) : nameOrCall(p);
    default:
      if (!isReserved(current.text) || p.misnamed.has(current.text)) return nameOrCall(p);
      return p.fail('E0016', `expected an expression, found the reserved word \`${current.text}\``, {
        hint: 'Write a value before it, or remove the word.',
      });
  }
}

/** At `expect lost(x)` or `require not lost(x)` on a new line. A variable of that name cannot be followed so. */
function atExpectation(p: Cursor): boolean {
  if (!(p.atWord('expect') || p.atWord('require')) || !p.isFirstOnLine()) return false;
  const next = p.peek(1);
  return next.line === p.current.line && next.kind === 'word' && !AFTER_OPERANDS.has(next.text);
}

/** Words that can follow an operand. */
const AFTER_OPERANDS = new Set(
  'and asc desc div else for in limit message mod or order severity then unique where'.split(' '),
);

function contextField(p: Cursor): Expression {
  const start = p.index;
  p.take();
  p.expect('.', 'after `context`', 'Write `context.now`, or `context.` and a declared context field.');
  const field = anyWord(p, 'the name of a context field');
  return { kind: 'context', field, span: p.spanFrom(start) };
}

function timeLiteral(p: Cursor, kind: 'date' | 'datetime'): Expression {
  const start = p.index;
  p.take();
  const written = textValue(p.current.text);
  const value = kind === 'date' ? calendarDate(written) : instant(written);
  if (value === undefined) {
    const hint =
      kind === 'date'
        ? 'Use YYYY-MM-DD: `date "2026-01-31"`.'
        : 'Use ISO 8601 with `Z` or an offset: `datetime "2026-01-31T10:00:00Z"`.';
    const what = kind === 'date' ? 'a valid date' : 'a valid instant';
    p.report('E0007', `"${written}" is not ${what}`, p.tokenSpan(p.current), { hint });
  }
  p.take();
  return value === undefined ? { kind: 'error', span: p.spanFrom(start) } : { kind, value, span: p.spanFrom(start) };
}

function nameOrCall(p: Cursor): Expression {
  const start = p.index;
  const named = path(p, 'a name');
  if (!p.at('(')) return { kind: 'name', path: named, span: named.span };
  return p.nested(() => aggregateOrCall(p, start, named));
}

export function call(p: Cursor, what: string): CallExpression {
  const start = p.index;
  const callee = path(p, what);
  const args = argumentList(p);
  return { kind: 'call', callee, args, span: p.spanFrom(start) };
}

/** `NAME(EXPR for` and `NAME(for` are always aggregates, recognised after one argument. */
function aggregateOrCall(p: Cursor, start: number, callee: Path): Expression {
  const open = p.index;
  if (p.peek(1).text === 'for' && !p.peekIs(2, ':')) {
    p.take();
    return aggregate(p, start, callee, null, open);
  }
  const isPlain = p.peekIs(1, ')') || (p.peek(1).kind === 'word' && (p.peekIs(2, ':') || p.peek(1).text === '_'));
  if (isPlain) return { kind: 'call', callee, args: argumentList(p), span: p.spanFrom(start) };
  refuseStar(p, callee);
  const opening = p.take();
  const firstStart = p.index;
  const first = expression(p);
  if (p.atWord('for')) return aggregate(p, start, callee, first, open);
  const firstArgument: Argument = { name: null, value: first, span: p.spanFrom(firstStart) };
  const { losses } = p;
  const args = [firstArgument, ...furtherArguments(p)];
  p.close(opening, ')', insteadOfArguments(p, callee, first));
  if (p.losses === losses) checkMixture(p, args);
  return { kind: 'call', callee, args, span: p.spanFrom(start) };
}

/** The hint for a call that continues as in another language. */
function insteadOfArguments(p: Cursor, callee: Path, first: Expression): string | undefined {
  const plain = first.kind === 'name' && first.path.segments.length === 1 ? first.path.segments[0]?.text : undefined;
  if (p.at('=') && plain !== undefined) return `A named argument is written \`${plain}: …\`.`;
  return insteadOfBindings(p, callee, plain);
}

function furtherArguments(p: Cursor): Argument[] {
  const args: Argument[] = [];
  while (p.accept(',') && !p.at(')')) args.push(argument(p));
  return args;
}

export function argumentList(p: Cursor): Argument[] {
  const { losses } = p;
  const args = bracketed(p, ['(', ')'], 'before the arguments', () => argument(p));
  if (p.losses === losses) checkMixture(p, args);
  return args;
}

function argument(p: Cursor): Argument {
  const start = p.index;
  const name = p.atKey() ? anyWord(p, 'the name of an argument') : null;
  if (name !== null) p.take();
  const value: Expression | Wildcard = p.atWord('_') ? wildcard(p) : expression(p);
  return { name, value, span: p.spanFrom(start) };
}

function wildcard(p: Cursor): Wildcard {
  return { kind: 'wildcard', span: p.tokenSpan(p.take()) };
}

function checkMixture(p: Cursor, args: readonly Argument[]): void {
  const named = args.filter((each) => each.name !== null);
  const odd = args.find((each) => (each.name === null) !== (args[0]?.name === null));
  if (odd === undefined || named.length === args.length) return;
  p.report('E0022', 'named and positional arguments are mixed', odd.span, {
    hint: 'Name all arguments of the call or none.',
  });
}

function symbolOperand(p: Cursor): Expression {
  const start = p.index;
  if (p.at('.') && p.peek(1).kind === 'int') {
    const hint = `Write \`0.${p.peek(1).text}\`: digits on both sides of the point.`;
    const span = { ...p.tokenSpan(p.current), end: p.tokenSpan(p.peek(1)).end };
    p.fail('E0005', `\`.${p.peek(1).text}\` is not a number`, { hint }, span);
  }
  if (p.at('(')) {
    const open = p.take();
    const inner = group(p);
    refuseAssignment(p);
    p.close(open, ')');
    return inner;
  }
  if (p.at('[')) {
    const items = bracketed(p, ['[', ']'], 'before the elements of a list', () => expression(p));
    return { kind: 'list', items, span: p.spanFrom(start) };
  }
  if (p.at('{')) {
    const entries = entryList(p, 'before the fields of a record');
    return { kind: 'record', entries, span: p.spanFrom(start) };
  }
  if (p.at('@')) {
    p.take();
    const named = path(p, 'the name of a declared individual after `@`');
    return { kind: 'individual', path: named, span: p.spanFrom(start) };
  }
  return failOperand(p);
}

/** `{ key: value, … }`; commas may be left out. */
export function entryList(p: Cursor, where: string): Entry[] {
  return bracketed(
    p,
    ['{', '}'],
    where,
    () => entry(p),
    'optional',
    () => p.atWord('where') || (p.atStatementStart() && !p.atKey()),
  );
}

function entry(p: Cursor): Entry {
  const start = p.index;
  const name = anyWord(p, 'the name of a field');
  const isShort = p.at(',') || p.at('}');
  p.expect(':', 'after the name of a field', isShort ? `Write \`${name.text}: ${name.text}\`.` : undefined);
  const value = expression(p);
  return { name, value, span: p.spanFrom(start) };
}

/** `match("a.*", t)`, which tests a text in other languages: parentheses with a comma. */
function isMatchCall(p: Cursor): boolean {
  if (p.peek(1).text !== '(') return false;
  for (let [at, depth] = [2, 1]; p.peek(at).kind !== 'end'; at++) {
    const { text } = p.peek(at);
    if (text === '(' || text === '[' || text === '{') depth += 1;
    if (text === ')' || text === ']' || text === '}') depth -= 1;
    if (depth === 0) return false;
    if (depth === 1 && text === ',') return true;
  }
  return false;
}

function matchExpression(p: Cursor): Expression {
  const start = p.index;
  p.take();
  const subject = expression(p);
  const cases = bracketed(p, ['{', '}'], 'before the cases of `match`', () => matchCase(p));
  return { kind: 'match', subject, cases, span: p.spanFrom(start) };
}

function matchCase(p: Cursor): MatchCase {
  const start = p.index;
  if (p.atKey()) {
    p.take();
    p.failExpected('`=>` after the pattern');
  }
  const pattern = p.atWord('_') ? wildcard(p) : expression(p);
  p.expect('=>', 'after the pattern');
  const value = expression(p);
  return { pattern, value, span: p.spanFrom(start) };
}
