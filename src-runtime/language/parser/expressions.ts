/** Expressions with operators, from the loosest to the tightest binding. Operands are in operands.ts. */

import type { Span } from '../../base/span.js';
import type { ArithmeticOperator, ArithmeticStep, CompareOperator, Expression } from '../ast.js';
import { FOREIGN_CONTINUATIONS, foreignHint } from '../foreign-words.js';
import type { Cursor } from './cursor.js';
import { failOperand, operand } from './operands.js';

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);
const ADDITIVE = ['+', '-'] as const;
const MULTIPLICATIVE = ['*', '/', 'div', 'mod'] as const;

export function expression(p: Cursor): Expression {
  return p.nested(() => (p.atWord('if') ? conditional(p) : disjunction(p)));
}

const NO_COMPARISON = ['E0018', '`=` is not a comparison'] as const;

/** Refuses `=` after a complete expression. */
export function refuseAssignment(p: Cursor): void {
  if (!p.at('=')) return;
  if (p.isForeign()) p.giveUp();
  const hint = p.peekIs(1, '<') || p.peekIs(1, '>') ? `Write \`${p.peek(1).text}=\`.` : 'Write `==` to compare.';
  p.fail(...NO_COMPARISON, { hint });
}

/** Reads `x = e` in a body and reports it, so that parsing continues. Returns the span of `=`, and `e`. */
export function assignedValue(
  p: Cursor,
  left: Expression,
): { readonly span: Span; readonly value: Expression } | undefined {
  if (!p.at('=') || p.isForeign() || p.peekIs(1, '<') || p.peekIs(1, '>')) return undefined;
  const span = p.tokenSpan(p.take());
  const [name, ...others] = left.kind === 'name' ? left.path.segments : [];
  if (name === undefined || others.length > 0) {
    p.report(...NO_COMPARISON, span, { hint: 'Write `==` to compare.' });
  } else {
    const hint = `Write \`${name.text} == …\` to compare, or \`let ${name.text} = …\` if nothing else binds "${name.text}".`;
    p.report(...NO_COMPARISON, span, { hint, remedies: [{ kind: 'define', at: name.span }] });
  }
  return { span, value: expression(p) };
}

/** Refuses a token after a complete expression with which other languages continue. */
export function refuseContinuation(p: Cursor, read?: Expression): void {
  const { current } = p;
  if (p.isFirstOnLine() || p.atKey()) return;
  const hint = membershipHint(p, read) ?? foreignHint(FOREIGN_CONTINUATIONS, current.text);
  if (hint !== undefined && current.kind !== 'text') {
    p.fail('E0010', `expected the end of the expression, found ${p.found()}`, { hint });
  }
}

/** `l.status in [draft, signed]`: comparisons, of which enum members need no type. */
function membershipHint(p: Cursor, read: Expression | undefined): string | undefined {
  const tested = read === undefined ? undefined : chainText(read);
  if (tested === undefined || !p.atWord('in') || !p.peekIs(1, '[')) return undefined;
  const items: string[] = [];
  for (let at = 2; p.peek(at).kind !== 'punctuation' && p.peek(at).kind !== 'end'; at += 2) {
    items.push(p.peek(at).text);
    if (!p.peekIs(at + 1, ',')) break;
  }
  if (items.length < 2) return undefined;
  return `Write \`${items.map((item) => `${tested} == ${item}`).join(' or ')}\`. \`in\` only binds a variable.`;
}

/** `l.status`, of names only. */
function chainText(node: Expression): string | undefined {
  if (node.kind === 'name') return node.path.segments.map(({ text }) => text).join('::');
  if (node.kind !== 'field') return undefined;
  const of = chainText(node.of);
  return of === undefined ? undefined : `${of}.${node.name.text}`;
}

export function conditional(p: Cursor): Expression {
  const start = p.index;
  p.take();
  const condition = expression(p);
  refuseAssignment(p);
  p.expectWord('then', 'after the condition of `if`', 'Write `if … then … else …`.');
  const then = expression(p);
  p.expectWord(
    'else',
    'after the value of `then`',
    'An `if` expression needs a value for both cases: write `else` and a value.',
  );
  const otherwise = expression(p);
  return { kind: 'if', condition, then, else: otherwise, span: p.spanFrom(start) };
}

function disjunction(p: Cursor): Expression {
  return chain(p, 'or', conjunction, () => p.acceptWord('or'));
}

/** An expression in which `or` needs parentheses. */
export function conjunction(p: Cursor): Expression {
  return chain(p, 'and', negation, () => p.acceptWord('and'));
}

function negation(p: Cursor): Expression {
  if (!p.atWord('not')) return comparison(p);
  const start = p.index;
  p.take();
  const negated = p.nested(() => negation(p));
  return { kind: 'not', operand: negated, span: p.spanFrom(start) };
}

function comparison(p: Cursor): Expression {
  const start = p.index;
  const left = coalescence(p);
  if (!atComparison(p)) return left;
  const operator = p.take();
  // Records have no order, so this `{` opens the block of an `if` with an unfinished condition.
  if (p.at('{') && !/^[=!]=$/.test(operator.text)) failOperand(p);
  const right = coalescence(p);
  if (atComparison(p)) {
    p.fail('E0019', 'comparisons cannot be chained', {
      hint: 'Write `a < b and b < c`, or two conditions.',
    });
  }
  return {
    kind: 'compare',
    operator: operator.text as CompareOperator,
    operatorSpan: p.tokenSpan(operator),
    left,
    right,
    span: p.spanFrom(start),
  };
}

function atComparison(p: Cursor): boolean {
  return p.current.kind === 'punctuation' && COMPARISONS.has(p.current.text);
}

function coalescence(p: Cursor): Expression {
  return chain(p, 'coalesce', concatenation, () => p.accept('??'));
}

function concatenation(p: Cursor): Expression {
  return chain(p, 'concat', sum, () => p.accept('++'));
}

function chain(
  p: Cursor,
  kind: 'or' | 'and' | 'coalesce' | 'concat',
  tighter: (p: Cursor) => Expression,
  acceptOperator: () => boolean,
): Expression {
  const start = p.index;
  const first = tighter(p);
  if (!acceptOperator()) return first;
  const operands = [first, tighter(p)];
  while (acceptOperator()) operands.push(tighter(p));
  return { kind, operands, span: p.spanFrom(start) };
}

function sum(p: Cursor): Expression {
  return arithmetic(p, ADDITIVE, product);
}

function product(p: Cursor): Expression {
  return arithmetic(p, MULTIPLICATIVE, unary);
}

function arithmetic(
  p: Cursor,
  operators: readonly ArithmeticOperator[],
  tighter: (p: Cursor) => Expression,
): Expression {
  const start = p.index;
  const first = tighter(p);
  const rest: ArithmeticStep[] = [];
  for (;;) {
    const stepStart = p.index;
    const operator = operators.find((each) => p.current.text === each && (p.at(each) || p.atWord(each)));
    if (operator === undefined) break;
    const operatorSpan = p.tokenSpan(p.take());
    const right = tighter(p);
    rest.push({ operator, operatorSpan, operand: right, span: p.spanFrom(stepStart) });
  }
  return rest.length === 0 ? first : { kind: 'arithmetic', first, rest, span: p.spanFrom(start) };
}

function unary(p: Cursor): Expression {
  if (!p.at('-')) return operand(p);
  const start = p.index;
  p.take();
  const negated = p.nested(() => unary(p));
  return { kind: 'negate', operand: negated, span: p.spanFrom(start) };
}
