/** Rule bodies: literals separated by commas. */

import type { Span } from '../../base/span.js';
import type { Body, Expression, Literal } from '../ast.js';
import { FOREIGN_QUANTIFIERS, foreignHint } from '../foreign-words.js';
import type { Cursor } from './cursor.js';
import {
  assignedValue,
  conditional,
  conjunction,
  expression,
  refuseAssignment,
  refuseContinuation,
} from './expressions.js';
import { declaredName } from './names.js';

const STATEMENT_WORDS = new Set(
  'let insert set delete forget return for if require expect severity message order limit'.split(' '),
);

/** The body of a rule. A reported `;` counts as a comma. */
export function ruleBody(p: Cursor): Body {
  const isIntendedComma = () =>
    p.isAfterSemicolon() &&
    !p.atEnd() &&
    !p.at('}') &&
    !p.atItemStart() &&
    !p.atWord('severity') &&
    !p.atWord('message');
  return body(p, () => p.accept(',') || isIntendedComma());
}

/** Ends at a literal without a comma after it, or at a comma before a closing bracket. */
export function body(p: Cursor, continues = () => p.accept(',')): Body {
  const start = p.index;
  const literals: Literal[] = [];
  do {
    if (literals.length > 0 && (p.at(')') || p.at('}'))) break;
    if (p.atWord('order') && p.peek(1).text === 'by') {
      p.report('E0010', 'expected a condition after the comma, found `order by`', p.tokenSpan(p.current), {
        hint: 'Remove the comma.',
      });
      break;
    }
    const read = p.attempt(
      () => literal(p),
      () => undefined,
      () => atLiteralEnd(p),
    );
    if (read !== undefined) literals.push(read);
  } while (continues());
  return { literals, span: p.spanFrom(start) };
}

function atLiteralEnd(p: Cursor): boolean {
  return p.at(',') || (p.current.kind === 'word' && STATEMENT_WORDS.has(p.current.text) && p.isFirstOnLine());
}

/** What is between parentheses: an expression, or conditions. `or` binds less than the comma there. */
export function group(p: Cursor): Expression {
  const start = p.index;
  const alternatives = [alternative(p)];
  while (p.acceptWord('or')) alternatives.push(alternative(p));
  const operands = alternatives.flatMap(({ expression: only }) => only ?? []);
  const [first, ...others] = operands;
  const span = p.spanFrom(start);
  if (first === undefined || operands.length < alternatives.length) {
    return { kind: 'group', alternatives: alternatives.map(({ body: conditions }) => conditions), span };
  }
  return others.length === 0 ? first : { kind: 'or', operands, span };
}

/** One side of an `or` in parentheses; also as an expression, if it is one. */
function alternative(p: Cursor): { readonly body: Body; readonly expression: Expression | undefined } {
  const start = p.index;
  const value = () => p.nested(() => (p.atWord('if') ? conditional(p) : conjunction(p)));
  const literals: Literal[] = [];
  let last: Expression | undefined;
  do {
    if (literals.length > 0 && p.at(')')) break;
    const literalStart = p.index;
    const defined = definition(p, value);
    last = defined === undefined ? value() : undefined;
    if (defined !== undefined) literals.push(defined);
    else if (last !== undefined) literals.push(holding(last, p.spanFrom(literalStart)));
  } while (p.accept(','));
  return { body: { literals, span: p.spanFrom(start) }, expression: literals.length === 1 ? last : undefined };
}

function holding(read: Expression, span: Span): Literal {
  return read.kind === 'not' ? { kind: 'not', operand: read.operand, span } : { kind: 'holds', expression: read, span };
}

/** `let x = e` or `x in e`. */
function definition(p: Cursor, value: () => Expression): Literal | undefined {
  const start = p.index;
  if (p.atWord('let')) {
    p.take();
    const name = declaredName(p, 'the variable of `let`');
    p.expect('=', 'after the variable of `let`');
    return { kind: 'let', name, value: value(), span: p.spanFrom(start) };
  }
  if (p.current.kind !== 'word' || p.peek(1).text !== 'in' || p.peek(1).kind !== 'word') return undefined;
  const name = declaredName(p, 'the variable before `in`');
  p.take();
  return { kind: 'in', name, source: value(), span: p.spanFrom(start) };
}

function literal(p: Cursor): Literal {
  const start = p.index;
  const defined = definition(p, () => expression(p));
  if (defined !== undefined) return defined;
  const read = expression(p);
  const assigned = assignedValue(p, read);
  if (assigned !== undefined) return intendedBy(read, assigned, p.spanFrom(start));
  if (isMisspeltNot(p, read)) {
    p.report('E0010', 'expected a condition', read.span, {
      hint: 'Did you mean `not`?',
      remedies: [{ kind: 'rename', name: 'not' }],
    });
    return { kind: 'not', operand: expression(p), span: p.spanFrom(start) };
  }
  refuseQuantifier(p, read);
  refuseAssignment(p);
  refuseContinuation(p, read);
  return holding(read, p.spanFrom(start));
}

/** A variable with `=` is a `let`, which compares and binds alike. Any other `=` can only compare. */
function intendedBy(
  left: Expression,
  { span: operatorSpan, value }: { span: Span; value: Expression },
  span: Span,
): Literal {
  const [name] = left.kind === 'name' && left.path.segments.length === 1 ? left.path.segments : [];
  if (name !== undefined) return { kind: 'let', name, value, span };
  return {
    kind: 'holds',
    expression: { kind: 'compare', operator: '==', operatorSpan, left, right: value, span },
    span,
  };
}

/** `nto p(x)`, `NOT p(x)`: no other name can precede a tuple on its line. */
function isMisspeltNot(p: Cursor, operand: Expression): boolean {
  if (operand.kind !== 'name' || p.current.kind !== 'word' || p.isFirstOnLine()) return false;
  return /^(?:not|nto|ont|nnot|noot|nott)$/i.test(operand.path.segments[0]?.text ?? '') && p.peekIs(1, '(');
}

/** `exists p(x)`, `forall x: …`: a quantifier of another language. */
function refuseQuantifier(p: Cursor, read: Expression): void {
  const operand = read.kind === 'not' ? read.operand : read;
  if (operand.kind !== 'name' || !p.atName() || p.isFirstOnLine()) return;
  const word = operand.path.segments.map(({ text }) => text).join('::');
  const hint = foreignHint(FOREIGN_QUANTIFIERS, word);
  if (hint !== undefined) p.fail('E0010', `expected a condition, found \`${word}\``, { hint }, operand.span);
}
