/** Blocks and statements of mutations and tests. */

import { nearest } from '../../base/nearest.js';
import type { Block, Expression, InsertIndividual, Selection, Statement } from '../ast.js';
import { pathText } from '../ast.js';
import { FOREIGN_STATEMENTS, foreignHint } from '../foreign-words.js';
import { body } from './bodies.js';
import type { Cursor } from './cursor.js';
import { expression } from './expressions.js';
import { anyWord, declaredName, isReserved, path, withSuggestion } from './names.js';
import { argumentList, call, entryList, failOperand } from './operands.js';
import { selection } from './selections.js';
import { template } from './template.js';

const STATEMENT_WORDS = new Set('let insert set delete forget return for if require expect'.split(' '));

export type BlockKind = 'mutation' | 'test';

export function block(p: Cursor, kind: BlockKind, where: string): Block {
  return p.nested(() => {
    const start = p.index;
    const open = p.expect('{', where);
    const statements: Statement[] = [];
    const isSafe = (): boolean => p.current.kind === 'word' && STATEMENT_WORDS.has(p.current.text) && p.isFirstOnLine();
    while (!p.at('}') && !p.atEnd() && !p.atItemStart()) {
      const before = p.index;
      const found = p.diagnostics.length;
      const read = p.attempt(
        () => statement(p, kind),
        () => undefined,
        () => p.index > before && isSafe(),
      );
      if (read !== undefined) statements.push(read);
      // A stray closing bracket stops recovery without progress.
      if (p.index === before) p.take();
      if (p.diagnostics.length > found) skipRestOfLine(p);
    }
    p.close(open, '}');
    return { statements, span: p.spanFrom(start) };
  });
}

/** Skips the rest of the line of a mistake, up to the next statement. */
function skipRestOfLine(p: Cursor): void {
  let open = 0;
  while (!p.atEnd() && !p.isFirstOnLine() && !(p.current.kind === 'word' && STATEMENT_WORDS.has(p.current.text))) {
    if (p.at('}') && open === 0) return;
    if (p.at('{')) open += 1;
    else if (p.at('}')) open -= 1;
    p.take();
  }
}

/** `word` is the keyword of the statement, or the one that a misspelt word means. */
function statement(
  p: Cursor,
  kind: BlockKind,
  word: string = p.current.kind === 'word' ? p.current.text : '',
): Statement {
  const start = p.index;
  switch (word) {
    case 'insert':
      return insert(p);
    case 'set':
      return set(p);
    case 'delete':
    case 'forget': {
      p.take();
      if (p.atWord('from') && p.peek(1).kind === 'word') {
        p.fail('E0010', 'expected a tuple or an individual after `delete`', {
          hint: 'Write `delete x` for an individual, or `delete relation(x, _)`.',
        });
      }
      const target = expression(p);
      return { kind: word === 'delete' ? 'delete' : 'forget', target, span: p.spanFrom(start) };
    }
    case 'let': {
      p.take();
      const name = declaredName(p, 'the variable of `let`');
      p.expect('=', 'after the variable of `let`');
      const value = insertedOrComputed(p);
      return { kind: 'let', name, value, span: p.spanFrom(start) };
    }
    case 'return': {
      p.take();
      const value = insertedOrComputed(p);
      return { kind: 'return', value, span: p.spanFrom(start) };
    }
    case 'for':
      return forEach(p, kind);
    case 'if':
      return branch(p, kind);
    case 'require': {
      p.take();
      const condition = whole(p, () => body(p), 'message');
      p.expectWord('message', 'after the required condition', 'Write `require … message "…"`.');
      const message = template(p);
      return { kind: 'require', body: condition, message, span: p.spanFrom(start) };
    }
    case 'expect':
      return kind === 'test' ? expectation(p) : callStatement(p, kind);
    default:
      return callStatement(p, kind);
  }
}

/** Parses what precedes `next`. If it was damaged, a missing `next` is not reported. */
function whole<T>(p: Cursor, parse: () => T, next: string): T {
  const { losses } = p;
  const read = parse();
  if (p.losses > losses && !p.at(next) && !p.atWord(next)) p.giveUp();
  return read;
}

function callStatement(p: Cursor, kind: BlockKind): Statement {
  const start = p.index;
  if (p.at('{')) {
    const hint = 'Braces with fields only follow `insert`: write `insert Concept { … }`.';
    p.fail('E0025', 'unexpected `{`', { hint });
  }
  if (!p.atName() || !(p.peekIs(1, '(') || p.peekIs(1, '::'))) {
    const word = p.current.kind === 'word' ? p.current.text : '';
    const foreign = foreignHint(FOREIGN_STATEMENTS, word);
    const guess = foreign === undefined ? nearest(word, STATEMENT_WORDS) : undefined;
    const isOfTests = guess === 'expect' && kind !== 'test';
    const hint =
      (isOfTests ? '`expect` is only allowed in tests. In a mutation, use `require`.' : undefined) ??
      foreign ??
      assignmentHint(p);
    const details = hint === undefined ? withSuggestion(word, STATEMENT_WORDS, STATEMENT_HINT) : { hint };
    if (guess === undefined || guess === word || isOfTests || p.peek(1).kind !== 'word') {
      p.fail('E0015', `expected a statement, found ${p.found()}`, details);
    }
    // Reports a misspelt keyword and reads it as the right one.
    p.report('E0015', `expected a statement, found ${p.found()}`, p.tokenSpan(p.current), details);
    return statement(p, kind, guess);
  }
  const called = call(p, 'a mutation');
  return { kind: 'callStatement', call: called, span: p.spanFrom(start) };
}

const STATEMENT_HINT =
  'A statement is insert, set, delete, forget, require, let, for, if, return, or a call of a mutation.';

/** `x.field = value` and `x = value` without a word before them. */
function assignmentHint(p: Cursor): string | undefined {
  if (!p.atName()) return undefined;
  if (p.peekIs(1, '.')) return 'Write `set x.field = value`, or `return` before a result.';
  return p.peekIs(1, '=') ? 'Write `let name = value`. Names cannot be reassigned.' : undefined;
}

function insert(p: Cursor): Statement {
  const start = p.index;
  p.take();
  if (p.atWord('into') && p.peek(1).kind === 'word') {
    p.fail('E0010', 'expected a name after `insert`, found `into`', {
      hint: 'Write `insert Concept { field: value }` or `insert relation(…)`.',
    });
  }
  const named = path(p, 'a concept or a relation after `insert`');
  if (p.at('(')) {
    const args = argumentList(p);
    return { kind: 'insertTuple', relation: named, args, span: p.spanFrom(start) };
  }
  const where = 'with fields, or `(` with a tuple, after the name';
  const fields = entryList(p, where);
  return { kind: 'insertIndividual', concept: named, fields, span: p.spanFrom(start) };
}

function insertedOrComputed(p: Cursor): Expression | InsertIndividual {
  const start = p.index;
  if (!p.atWord('insert') && !isIntended(p, 'insert')) {
    if ((p.atWord('new') || p.atWord('create')) && p.peek(1).kind === 'word') {
      p.fail('E0010', `expected a value, found ${p.found()}`, { hint: 'Write `insert Concept { … }`.' });
    }
    const value = expression(p);
    if (value.kind !== 'name' || !p.at('{')) return value;
    const hint = `Write \`insert ${pathText(value.path)} { … }\`.`;
    p.report('E0025', 'expected `insert` before a concept with fields', p.tokenSpan(p.current), { hint });
    const fields = entryList(p, 'before the fields of the individual');
    return { kind: 'insertIndividual', concept: value.path, fields, span: p.spanFrom(start) };
  }
  p.expectWord('insert', 'before a concept');
  const concept = path(p, 'a concept after `insert`');
  const fields = entryList(p, 'before the fields of the individual');
  return { kind: 'insertIndividual', concept, fields, span: p.spanFrom(start) };
}

/** At a misspelt keyword followed by a name, which cannot follow another name. */
function isIntended(p: Cursor, word: string): boolean {
  const next = p.peek(1);
  const continues = next.kind === 'word' && next.line === p.current.line && !isReserved(next.text);
  return continues && p.atName() && nearest(p.current.text, [word]) !== undefined;
}

function set(p: Cursor): Statement {
  const start = p.index;
  p.take();
  const target = expression(p);
  if (target.kind !== 'field' && target.kind !== 'context') {
    p.fail('E0010', 'expected a field after `set`', { hint: 'Write `set x.field = value`.' });
  }
  p.expect('=', 'after the field');
  const value = expression(p);
  const span = p.spanFrom(start);
  if (target.kind === 'context') return { kind: 'setContext', field: target.field, value, span };
  return { kind: 'set', of: target.of, field: target.name, value, span };
}

function forEach(p: Cursor, kind: BlockKind): Statement {
  const start = p.index;
  p.take();
  if (p.at('(') || p.at('{')) p.failExpected('the variable after `for`', 'Write `for x in (select x where …) { … }`.');
  const name = declaredName(p, 'the variable after `for`');
  p.expectWord('in', 'after the variable of `for`');
  if (p.at('{')) failOperand(p);
  const source = whole(p, () => rows(p), '{');
  const inner = block(p, kind, 'before the statements of `for`');
  return { kind: 'for', name, source, body: inner, span: p.spanFrom(start) };
}

/** `(select` starts a selection, unless the next token shows that `select` is a variable. */
function rows(p: Cursor): Selection | Expression {
  const word = p.peek(1).text;
  const isMisspelt = nearest(word, ['select']) !== undefined && (p.peek(2).kind === 'word' || p.peekIs(2, '{'));
  const isSelection =
    p.at('(') && (word === 'select' || isMisspelt) && !/^([).,=<>+*/?]|[=!<>]=|\?\?|\+\+)$/.test(p.peek(2).text);
  if (!isSelection) return expression(p);
  const open = p.take();
  const selected = selection(p);
  p.close(open, ')');
  return selected;
}

function branch(p: Cursor, kind: BlockKind): Statement {
  const start = p.index;
  const branches = [];
  let otherwise: Block | null = null;
  do {
    const branchStart = p.index;
    p.take();
    if (p.at('{')) failOperand(p);
    const condition = whole(p, () => body(p), '{');
    if (p.atWord('then')) {
      p.fail('E0010', 'unexpected `then` in an `if` statement', { hint: 'Write `if … { … }`.' });
    }
    const inner = block(p, kind, 'after the condition of `if`');
    branches.push({ condition, body: inner, span: p.spanFrom(branchStart) });
    if (!p.acceptWord('else')) break;
    if (!p.atWord('if')) otherwise = block(p, kind, 'after `else`');
  } while (otherwise === null);
  return { kind: 'ifStatement', branches, otherwise, span: p.spanFrom(start) };
}

const EXPECT_ERROR_HINT = 'Write `expect error SVC_RUNTIME_CHECK_VIOLATION from …` and the call that a check blocks.';

/** Words before a call that other test languages use to expect that it fails. */
const EXPECTED_FAILURES = new Set(['fails', 'fail', 'throws', 'raises', 'rejects']);

function expectation(p: Cursor): Statement {
  const start = p.index;
  p.take();
  if (p.atWord('error') && (p.peek(1).text === 'from' || p.peek(1).text === '}')) {
    p.take();
    p.failExpected('an error code', EXPECT_ERROR_HINT);
  }
  if (EXPECTED_FAILURES.has(p.current.text) && p.peek(1).kind === 'word') {
    p.failExpected('a condition, or `error` and its code', EXPECT_ERROR_HINT);
  }
  if (!(p.atWord('error') && p.peek(1).kind === 'word' && p.peek(2).text === 'from')) {
    p.inExpectation = true;
    const condition = body(p);
    p.inExpectation = false;
    return { kind: 'expect', body: condition, span: p.spanFrom(start) };
  }
  p.take();
  const code = anyWord(p, 'an error code');
  p.take();
  const called = call(p, 'a call after `from`');
  return { kind: 'expectError', code, call: called, span: p.spanFrom(start) };
}
