/** How rule bodies and selections are laid out. */

import type { Body, Selection } from '../ast.js';
import { layExpression } from './expressions.js';
import type { Layout } from './layout.js';

/** Literals on one line, or each on its own. */
export function layBody(layout: Layout, body: Body): void {
  const starts = body.literals.map((literal) => layout.startOf(literal.span));
  const [first] = starts;
  if (first === undefined) return;
  layout.group(first, layout.endOf(body.span) + 1, starts.slice(1));
  for (const literal of body.literals) {
    if (literal.kind === 'let') layExpression(layout, literal.value);
    else if (literal.kind === 'in') layExpression(layout, literal.source);
    else if (literal.kind === 'not') layExpression(layout, literal.operand);
    else layExpression(layout, literal.expression);
  }
}

/** On one line, or with each clause on its own line. If the author starts a line with `where`, it stays there. */
export function laySelection(layout: Layout, selection: Selection): void {
  const { select, body, orderBy, limit, span } = selection;
  const clauses = [layout.startOf(body.span) - 1];
  const [firstKey] = orderBy;
  // `order by` is before the key.
  if (firstKey !== undefined) clauses.push(layout.outerStartOf(firstKey.span) - 2);
  if (limit !== null) clauses.push(layout.outerStartOf(limit.span) - 1);
  const forced = layout.isFirstOnLine(clauses[0] ?? 0);
  layout.group(layout.startOf(span), layout.endOf(span) + 1, clauses, { step: 0, forced });
  layExpression(layout, select);
  layBody(layout, body);
  for (const { key } of orderBy) layExpression(layout, key);
  if (limit !== null) layExpression(layout, limit);
}
