/** How items are laid out. */

import type { ConceptItem, EnumItem, Field, Item, Name, Parameter, QueryItem, RelationItem, UseItem } from '../ast.js';
import { layBody, laySelection } from './bodies.js';
import { layBraces, layCall, layEntries, layExpression, layType } from './expressions.js';
import type { Layout } from './layout.js';
import { layBlock } from './statements.js';

export function layItem(layout: Layout, item: Item): void {
  layout.item(layout.startOf(item.span));
  switch (item.kind) {
    case 'use':
      layUse(layout, item);
      break;
    case 'enum':
      layEnum(layout, item);
      break;
    case 'concept':
      layConcept(layout, item);
      break;
    case 'relation':
      layRelation(layout, item);
      break;
    case 'individual':
      layEntries(layout, item.span, item.fields);
      break;
    case 'fact':
      layCall(layout, item.relation, item.args);
      break;
    case 'derive':
    case 'define':
    case 'check':
      layRule(layout, item);
      break;
    case 'query':
      layQuery(layout, item);
      break;
    case 'mutation':
      layHead(layout, item.name, item.parameters);
      if (item.result !== null) layType(layout, item.result);
      layBlock(layout, item.body);
      break;
    case 'fn':
      layHead(layout, item.name, item.parameters);
      layType(layout, item.result);
      layExpression(layout, item.body);
      break;
    case 'externFn':
      layHead(layout, item.name, item.parameters);
      layType(layout, item.result);
      break;
    case 'context':
      layType(layout, item.type);
      break;
    case 'test':
      layBlock(layout, item.body);
      break;
    case 'externType':
      break;
  }
}

/** `use other::{Person, worksFor}`: no spaces inside the braces. */
function layUse(layout: Layout, item: UseItem): void {
  const open = layout.openOf(item.span);
  if (layout.textAt(open) !== '{') return;
  layout.list(open);
  layout.glue(open);
  layout.glue(open + 1);
  layout.glue(layout.endOf(item.span));
}

function layEnum(layout: Layout, item: EnumItem): void {
  layBraces(layout, item.span, item.members);
}

/** Each field is on its own line, even a single one. */
function layConcept(layout: Layout, item: ConceptItem): void {
  if (layout.textAt(layout.endOf(item.span)) !== '}') return;
  const starts = item.fields.map((field) => layout.startOf(field.span));
  layout.list(layout.openOf(item.span), starts, starts.length > 0);
  for (const field of item.fields) layField(layout, field);
}

function layField(layout: Layout, field: Field | Parameter): void {
  layType(layout, field.type);
  if (field.refinement !== null) layExpression(layout, field.refinement);
  if (field.default !== null) layExpression(layout, field.default);
}

function layRelation(layout: Layout, item: RelationItem): void {
  layout.glue(layout.endOf(item.name.span) + 1);
  for (const endpoint of item.endpoints) layType(layout, endpoint.type);
}

function layHead(layout: Layout, name: Name, parameters: readonly Parameter[]): void {
  layout.glue(layout.endOf(name.span) + 1);
  for (const parameter of parameters) layField(layout, parameter);
}

/**
 * A derive or define is on one line if it fits and the author did not start a line with `when`; the clauses of a check are always on
 * separate lines.
 */
function layRule(layout: Layout, item: Extract<Item, { kind: 'derive' | 'define' | 'check' }>): void {
  layout.glue(layout.endOf(item.name.span) + 1);
  const parameters = item.kind === 'define' ? [item.parameter] : item.parameters;
  for (const { type, value } of parameters) {
    if (type !== null) layType(layout, type);
    if (value !== null) layExpression(layout, value);
  }
  const when = layout.startOf(item.body.span) - 1;
  const clauses = [when];
  if (item.kind === 'check') clauses.push(...clausesOfCheck(layout, layout.endOf(item.body.span), item.span));
  const forced = item.kind === 'check' || layout.isFirstOnLine(when);
  layout.group(layout.startOf(item.span), layout.endOf(item.span) + 1, clauses, { forced });
  layBody(layout, item.body);
}

/** The start of `severity` and `message`, in the order of the source. */
function clausesOfCheck(layout: Layout, bodyEnd: number, span: Item['span']): number[] {
  const found: number[] = [];
  for (let index = bodyEnd + 1; index <= layout.endOf(span); index += 2) found.push(index);
  return found;
}

function layQuery(layout: Layout, item: QueryItem): void {
  layHead(layout, item.name, item.parameters);
  layType(layout, item.result);
  const open = layout.openOf(item.span);
  layout.block(open, [layout.startOf(item.body.span)], layout.isOpened(open));
  if (item.body.kind === 'select') laySelection(layout, item.body);
  else layExpression(layout, item.body.value);
}
