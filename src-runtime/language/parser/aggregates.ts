/** `count(for x where …)` and `sum(e for x where …)`, and their forms in other languages. */

import type { AggregateName, Expression, Path } from '../ast.js';
import { suggestion } from '../finding.js';
import { body } from './bodies.js';
import type { Cursor } from './cursor.js';
import { declaredName } from './names.js';

/** The names of aggregates, before `(for` and `(expression for`. */
export const AGGREGATES: ReadonlySet<string> = new Set(['count', 'sum', 'avg', 'min', 'max', 'list']);

/** The message for an aggregate that is called like a function. */
export function notCalled(name: string): readonly [message: string, more: { readonly hint: string }] {
  return [`\`${name}\` needs \`for\` and \`where\``, { hint: write(name) }];
}

/** At `for`, after `value`. `open` is the index of the parenthesis. */
export function aggregate(p: Cursor, start: number, callee: Path, value: Expression | null, open: number): Expression {
  const opening = p.peek(open - p.index);
  const name = nameOf(callee);
  if (!AGGREGATES.has(name)) {
    const hint = 'The aggregates are count, sum, avg, min, max and list.';
    p.fail('E0023', `unknown aggregate \`${name}\``, suggestion(name, AGGREGATES, '`') ?? { hint });
  }
  if ((name === 'count') !== (value === null)) {
    const message = name === 'count' ? '`count` takes no expression' : `\`${name}\` needs an expression before \`for\``;
    p.fail('E0023', message, { hint: write(name) });
  }
  p.take();
  const variables = [declaredName(p, 'a variable after `for`')];
  while (p.accept(',')) variables.push(declaredName(p, 'a variable'));
  p.expectWord('where', 'after the variables of the aggregate', insteadOfWhere(p, name));
  const condition = body(p);
  p.close(opening, ')');
  return {
    kind: 'aggregate',
    function: name as AggregateName,
    functionSpan: callee.span,
    value,
    variables,
    body: condition,
    span: p.spanFrom(start),
  };
}

/** `sum(n for price(n))` and `sum(n for n in list)`: the condition lacks its keyword. */
function insteadOfWhere(p: Cursor, name: string): string | undefined {
  return p.at('(') || p.at(':') || p.at('|') || p.atWord('in')
    ? `${write(name)} Write what the variables range over after \`where\`.`
    : undefined;
}

/**
 * The hint for an aggregate written as in other languages: `sum(n where …)` or `count(distinct n …)`. `first` is its first argument
 * if that is a name.
 */
export function insteadOfBindings(p: Cursor, callee: Path, first: string | undefined): string | undefined {
  const name = nameOf(callee);
  if (!AGGREGATES.has(name)) return undefined;
  if (first === 'distinct') return `Remove \`distinct\`: each binding of the variables counts once. ${write(name)}`;
  if (!p.atWord('where')) return undefined;
  return name === 'count'
    ? write(name, first)
    : `${write(name, first, first ?? '…').slice(0, -1)}, with the variables after \`for\`.`;
}

/** Refuses `count(*)`. */
export function refuseStar(p: Cursor, callee: Path): void {
  const name = nameOf(callee);
  if (p.peekIs(1, '*') && AGGREGATES.has(name)) p.fail('E0023', ...notCalled(name));
}

/** The hint after a complete expression: `count { … }`, `sum n : { … }`, and `count(n) where …`, whose condition belongs inside. */
export function insteadOfItem(p: Cursor): string | undefined {
  if (p.index === 0 || p.isFirstOnLine()) return undefined;
  let at = -1;
  if (p.atWord('where') && p.peekIs(-1, ')')) at = beforeParenthesis(p);
  const { kind, text } = p.peek(at);
  return kind === 'word' && AGGREGATES.has(text) ? write(text) : undefined;
}

/** The hint for an expression that begins with `count : { … }`. */
export function insteadOfBraces(p: Cursor): string | undefined {
  return AGGREGATES.has(p.current.text) && p.peekIs(1, ':') ? write(p.current.text) : undefined;
}

/** The distance to the token before the parentheses that end before the current token. */
function beforeParenthesis(p: Cursor): number {
  let depth = 0;
  for (let at = -1; p.index + at > 0; at--) {
    if (p.peekIs(at, ')')) depth += 1;
    if (p.peekIs(at, '(')) depth -= 1;
    if (depth === 0) return at - 1;
  }
  return -1;
}

function write(name: string, variable = 'x', value = 'expression'): string {
  return `Write \`${name}(${name === 'count' ? '' : `${value} `}for ${variable} where …)\`.`;
}

function nameOf({ segments }: Path): string {
  return segments.map(({ text }) => text).join('::');
}
