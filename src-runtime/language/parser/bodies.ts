/** Rule bodies: literals separated by commas. */

import type { Span } from '../../base/span.js';
import type { Body, Expression, Literal } from '../ast.js';
import { FOREIGN_QUANTIFIERS, foreignHint } from '../foreign-words.js';
import type { Cursor } from './cursor.js';
import { assignedValue, expression, refuseAssignment, refuseContinuation } from './expressions.js';
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

function literal(p: Cursor): Literal {
  const start = p.index;
  if (p.atWord('let')) {
    p.take();
    const name = declaredName(p, 'the variable of `let`');
    p.expect('=', 'after the variable of `let`');
    const value = expression(p);
    return { kind: 'let', name, value, span: p.spanFrom(start) };
  }
  if (p.current.kind === 'word' && p.peek(1).text === 'in' && p.peek(1).kind === 'word') {
    const name = declaredName(p, 'the variable before `in`');
    p.take();
    const source = expression(p);
    return { kind: 'in', name, source, span: p.spanFrom(start) };
  }
  const read = expression(p);
  const assigned = assignedValue(p);
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
  refuseContinuation(p);
  const span = p.spanFrom(start);
  return read.kind === 'not' ? { kind: 'not', operand: read.operand, span } : { kind: 'holds', expression: read, span };
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
