/** How the statements of mutations and tests are laid out. */

import type { Block, Expression, InsertIndividual, Statement } from '../ast.js';
import { layBody, laySelection } from './bodies.js';
import { layCall, layEntries, layExpression } from './expressions.js';
import type { Layout } from './layout.js';

/** A single statement can stay on the line of its braces; several are on separate lines. */
export function layBlock(layout: Layout, block: Block): void {
  const open = layout.openOf(block.span);
  const starts = block.statements.map((each) => layout.startOf(each.span));
  const holdsBlock = block.statements.some((each) => each.kind === 'for' || each.kind === 'ifStatement');
  layout.block(open, starts, starts.length > 1 || holdsBlock || layout.isOpened(open));
  for (const statement of block.statements) layStatement(layout, statement);
}

function layStatement(layout: Layout, statement: Statement): void {
  switch (statement.kind) {
    case 'insertIndividual':
      layEntries(layout, statement.span, statement.fields);
      break;
    case 'insertTuple':
      layCall(layout, statement.relation, statement.args);
      break;
    case 'set':
      layExpression(layout, statement.of);
      layExpression(layout, statement.value);
      break;
    case 'setContext':
      layExpression(layout, statement.value);
      break;
    case 'delete':
    case 'forget':
      layExpression(layout, statement.target);
      break;
    case 'require': {
      const message = layout.startOf(statement.message.span) - 1;
      layout.group(layout.startOf(statement.span), layout.endOf(statement.span) + 1, [message]);
      layBody(layout, statement.body);
      break;
    }
    case 'let':
    case 'return':
      layValue(layout, statement.value);
      break;
    case 'callStatement':
    case 'expectError':
      layExpression(layout, statement.call);
      break;
    case 'for':
      if (statement.source.kind === 'select') laySelection(layout, statement.source);
      else layExpression(layout, statement.source);
      layBlock(layout, statement.body);
      break;
    case 'ifStatement':
      for (const branch of statement.branches) {
        layBody(layout, branch.condition);
        layBlock(layout, branch.body);
      }
      if (statement.otherwise !== null) layBlock(layout, statement.otherwise);
      break;
    case 'expect':
      layBody(layout, statement.body);
      break;
  }
}

function layValue(layout: Layout, value: Expression | InsertIndividual): void {
  if (value.kind === 'insertIndividual') layEntries(layout, value.span, value.fields);
  else layExpression(layout, value);
}
