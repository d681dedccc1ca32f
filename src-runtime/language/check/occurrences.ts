/** Which plain names a body or an expression mentions, and how often: variables, before anything is typed. */

import type * as syntax from '../ast.js';

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
    case 'record':
      return node.entries.map((entry) => entry.value);
    default:
      return [];
  }
}
