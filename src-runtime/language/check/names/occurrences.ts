/** Which plain names a body or an expression mentions, and how often: variables, before anything is typed. */

import type * as syntax from '../../ast.js';

/**
 * Calls `visit` for every one-word name in an expression. Names inside aggregates are visited unless the aggregate
 * itself introduces them.
 */
export function eachName(node: syntax.Expression, visit: (name: string) => void): void {
  switch (node.kind) {
    case 'name': {
      const [only] = node.path.segments;
      if (node.path.segments.length === 1 && only !== undefined) visit(only.text);
      return;
    }
    case 'aggregate': {
      const own = new Set(node.variables.map((name) => name.text));
      const outer = (name: string) => {
        if (!own.has(name)) visit(name);
      };
      if (node.value !== null) eachName(node.value, outer);
      eachNameInBody(node.body, outer);
      return;
    }
    case 'group':
      for (const alternative of node.alternatives) eachNameInBody(alternative, visit);
      return;
    default:
      for (const child of childrenOf(node)) eachName(child, visit);
  }
}

export function eachNameInBody(body: syntax.Body, visit: (name: string) => void): void {
  for (const literal of body.literals) {
    switch (literal.kind) {
      case 'let':
        visit(literal.name.text);
        eachName(literal.value, visit);
        break;
      case 'in':
        visit(literal.name.text);
        eachName(literal.source, visit);
        break;
      case 'not':
        eachName(literal.operand, visit);
        break;
      case 'holds':
        eachName(literal.expression, visit);
        break;
    }
  }
}

function childrenOf(node: syntax.Expression): readonly syntax.Expression[] {
  switch (node.kind) {
    case 'field':
      return [node.of];
    case 'call':
      return node.args.flatMap((argument) => (argument.value.kind === 'wildcard' ? [] : [argument.value]));
    case 'compare':
      return [node.left, node.right];
    case 'and':
    case 'or':
    case 'concat':
    case 'coalesce':
      return node.operands;
    case 'not':
    case 'negate':
      return [node.operand];
    case 'arithmetic':
      return [node.first, ...node.rest.map((step) => step.operand)];
    case 'if':
      return [node.condition, node.then, node.else];
    case 'match':
      return [node.subject, ...node.cases.map((branch) => branch.value)];
    case 'list':
      return node.items;
    case 'index':
      return [node.of, node.index];
    case 'record':
      return node.entries.map((entry) => entry.value);
    default:
      return [];
  }
}

/** Names in a block, those that its statements introduce not included: they are returned. */
export function eachNameInBlock(block: syntax.Block, visit: (name: string) => void): syntax.Name[] {
  return block.statements.flatMap((statement) => eachNameInStatement(statement, visit));
}

export function eachNameInSelection(selection: syntax.Selection, visit: (name: string) => void): void {
  eachName(selection.select, visit);
  eachNameInBody(selection.body, visit);
  for (const { key } of selection.orderBy) eachName(key, visit);
  if (selection.limit !== null) eachName(selection.limit, visit);
}

function eachNameInStatement(statement: syntax.Statement, visit: (name: string) => void): syntax.Name[] {
  switch (statement.kind) {
    case 'insertIndividual':
      for (const { value } of statement.fields) eachName(value, visit);
      return [];
    case 'insertTuple':
      eachNameInArguments(statement.args, visit);
      return [];
    case 'set':
      eachName(statement.of, visit);
      eachName(statement.value, visit);
      return [];
    case 'setContext':
      eachName(statement.value, visit);
      return [];
    case 'delete':
    case 'forget':
      eachName(statement.target, visit);
      return [];
    case 'let':
    case 'return':
      if (statement.value.kind === 'insertIndividual') eachNameInStatement(statement.value, visit);
      else eachName(statement.value, visit);
      return statement.kind === 'let' ? [statement.name] : [];
    case 'callStatement':
    case 'expectError':
      eachNameInArguments(statement.call.args, visit);
      return [];
    case 'require':
      eachNameInBody(statement.body, visit);
      for (const part of statement.message.parts) if (part.kind === 'expression') eachName(part.expression, visit);
      return [];
    case 'expect':
      eachNameInBody(statement.body, visit);
      return [];
    case 'for':
      if (statement.source.kind === 'select') eachNameInSelection(statement.source, visit);
      else eachName(statement.source, visit);
      return [statement.name, ...eachNameInBlock(statement.body, visit)];
    case 'ifStatement':
      return eachNameInBranches(statement, visit);
  }
}

function eachNameInBranches(statement: syntax.IfStatement, visit: (name: string) => void): syntax.Name[] {
  const introduced = statement.branches.flatMap((branch) => {
    eachNameInBody(branch.condition, visit);
    return eachNameInBlock(branch.body, visit);
  });
  return [...introduced, ...(statement.otherwise === null ? [] : eachNameInBlock(statement.otherwise, visit))];
}

function eachNameInArguments(args: readonly syntax.Argument[], visit: (name: string) => void): void {
  for (const { value } of args) if (value.kind !== 'wildcard') eachName(value, visit);
}
