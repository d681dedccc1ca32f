/** How expressions, types and arguments are laid out. */

import type { Span } from '../../base/span.js';
import type { Argument, Body, Entry, Expression, Path, TypeSyntax, Wildcard } from '../ast.js';
import { layBody } from './bodies.js';
import type { Layout } from './layout.js';

export function layExpression(layout: Layout, expression: Expression | Wildcard): void {
  switch (expression.kind) {
    case 'field':
      layExpression(layout, expression.of);
      break;
    case 'call':
      layCall(layout, expression.callee, expression.args);
      break;
    case 'aggregate':
      layout.glue(layout.endOf(expression.functionSpan) + 1);
      if (expression.value !== null) layExpression(layout, expression.value);
      layBody(layout, expression.body);
      break;
    case 'compare':
      layChain(layout, expression.span, [expression.left, expression.right]);
      break;
    case 'and':
    case 'or':
    case 'concat':
    case 'coalesce':
      layChain(layout, expression.span, expression.operands);
      break;
    case 'arithmetic':
      layChain(layout, expression.span, [expression.first, ...expression.rest.map((step) => step.operand)]);
      break;
    case 'not':
      layExpression(layout, expression.operand);
      break;
    case 'negate':
      layout.glue(layout.startOf(expression.span) + 1);
      layExpression(layout, expression.operand);
      break;
    case 'if':
      layChain(layout, expression.span, [expression.condition, expression.then, expression.else]);
      break;
    case 'match':
      layBraces(layout, expression.span);
      layExpression(layout, expression.subject);
      for (const each of expression.cases) {
        layExpression(layout, each.pattern);
        layExpression(layout, each.value);
      }
      break;
    case 'index':
      layExpression(layout, expression.of);
      // The bracket touches what is indexed.
      layout.glue(layout.openOf(expression.span));
      layExpression(layout, expression.index);
      break;
    case 'list':
      for (const each of expression.items) layExpression(layout, each);
      break;
    case 'record':
      layEntries(layout, expression.span, expression.entries);
      break;
    case 'group':
      layAlternatives(layout, expression.span, expression.alternatives);
      break;
    default:
      break;
  }
}

/** Operands with a keyword or operator between them. If they do not fit on one line, each operator begins a line. */
function layChain(layout: Layout, span: Span, operands: readonly Expression[]): void {
  const breaks = operands.slice(1).map((operand) => layout.outerStartOf(operand.span) - 1);
  layout.group(layout.startOf(span), layout.endOf(span) + 1, breaks);
  for (const operand of operands) layExpression(layout, operand);
}

/** If they do not fit on one line, each `or` begins a line. */
function layAlternatives(layout: Layout, span: Span, alternatives: readonly Body[]): void {
  const breaks = alternatives.slice(1).map((alternative) => layout.outerStartOf(alternative.span) - 1);
  layout.group(layout.startOf(span), layout.endOf(span) + 1, breaks);
  for (const alternative of alternatives) layBody(layout, alternative);
}

/** A name and its arguments; the parenthesis touches the name. */
export function layCall(layout: Layout, callee: Path, args: readonly Argument[]): void {
  layout.glue(layout.endOf(callee.span) + 1);
  for (const each of args) layExpression(layout, each.value);
}

/** `{ name: value, … }`; `span` ends at the closing brace. */
export function layEntries(layout: Layout, span: Span, entries: readonly Entry[]): void {
  layBraces(layout, span, entries);
  for (const entry of entries) layExpression(layout, entry.value);
}

/** Braces around elements. The elements are on separate lines if the author started so, or if they do not fit. */
export function layBraces(layout: Layout, span: Span, elements: readonly { readonly span: Span }[] = []): void {
  const open = layout.openOf(span);
  const starts = elements.map((each) => layout.startOf(each.span));
  layout.list(open, starts, layout.isOpened(open));
}

export function layType(layout: Layout, type: TypeSyntax): void {
  if (type.kind === 'optional' || type.kind === 'list') layType(layout, type.of);
  if (type.kind !== 'record') return;
  layBraces(layout, type.span, type.fields);
  for (const field of type.fields) layType(layout, field.type);
}
