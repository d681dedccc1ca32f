/** Prints an artifact's expressions as module source for people: refinements, defaults, and the comparisons in a proof. */

import type { Expression } from './types.js';

/** Text in the style of the source, with parentheses only if an operand is itself an operation. Aggregates print as their function. */
export function expressionText(expression: Expression): string {
  switch (expression.op) {
    case 'variable':
      return expression.name;
    case 'constant':
      return constantText(expression);
    case 'none':
      return 'none';
    case 'field':
    case 'navigate':
      return `${operand(expression.of)}.${expression.field.slice(expression.field.lastIndexOf('.') + 1)}`;
    case 'member':
      return `${operand(expression.of)}.${expression.name}`;
    case 'compare':
    case 'arithmetic':
      return `${operand(expression.left)} ${expression.operator} ${operand(expression.right)}`;
    case 'and':
    case 'or':
      return expression.operands.map(operand).join(` ${expression.op} `);
    case 'not':
      return `not ${operand(expression.operand)}`;
    case 'negate':
      return `-${operand(expression.operand)}`;
    case 'if':
      return `if ${expressionText(expression.condition)} then ${expressionText(expression.then)} else ${expressionText(expression.else)}`;
    case 'match': {
      const cases = expression.cases.map(
        ({ pattern, value }) => `${pattern ? expressionText(pattern) : '_'} => ${expressionText(value)}`,
      );
      return `match ${expressionText(expression.subject)} { ${cases.join(', ')} }`;
    }
    case 'concat':
      return expression.operands.map(operand).join(' ++ ');
    case 'convert':
      return expressionText(expression.operand);
    case 'coalesce':
      return `${operand(expression.left)} ?? ${operand(expression.right)}`;
    case 'exists':
      return `exists(${expressionText(expression.operand)})`;
    case 'builtIn':
      if (expression.name === 'elementAt') return indexText(expression);
      if (expression.name === 'joinLists') return expression.args.map(operand).join(' ++ ');
      return `${expression.name}(${expression.args.map(expressionText).join(', ')})`;
    case 'call':
      return `${localName(expression.function)}(${expression.args.map(expressionText).join(', ')})`;
    case 'context':
      return `context.${expression.name}`;
    case 'list':
      return `[${expression.items.map(expressionText).join(', ')}]`;
    case 'record':
      return `{ ${expression.fields.map(({ name, value }) => `${name}: ${expressionText(value)}`).join(', ')} }`;
    case 'range':
      return `range(${partsOfRange(expression).map(expressionText).join(', ')})`;
    case 'aggregate':
      return `${expression.function}(…)`;
  }
}

function indexText({ args: [list, index] }: Expression & { readonly op: 'builtIn' }): string {
  return list === undefined || index === undefined ? '' : `${operand(list)}[${expressionText(index)}]`;
}

function partsOfRange({ from, to, step }: Expression & { readonly op: 'range' }): readonly Expression[] {
  return step === undefined ? [from, to] : [from, to, step];
}

/** A message as a template: its words unchanged, its values in braces; `…` for a variable without a name in the source. */
export function templateText(message: Expression): string {
  if (message.op === 'concat') return message.operands.map(templateText).join('');
  if (message.op === 'constant') return String(message.value);
  const printed = message.op === 'builtIn' && message.name === 'text' ? (message.args[0] ?? message) : message;
  return printed.op === 'variable' && printed.name.startsWith('$') ? '{…}' : `{${expressionText(printed)}}`;
}

/** The last part of a qualified path. */
export function localName(path: string): string {
  return path.slice(path.lastIndexOf('::') + 2);
}

/** The prefix of a quoted literal. */
const QUOTED: Readonly<Record<string, string>> = { Text: '', Date: 'date ', DateTime: 'datetime ' };

function constantText({ type, value }: Expression & { readonly op: 'constant' }): string {
  const before = type.kind === 'scalar' ? QUOTED[type.name] : undefined;
  return before === undefined || typeof value !== 'string' ? String(value) : before + JSON.stringify(value);
}

function operand(expression: Expression): string {
  const text = expressionText(expression);
  const compound = ['compare', 'arithmetic', 'and', 'or', 'not', 'if', 'coalesce', 'concat'].includes(expression.op);
  return compound ? `(${text})` : text;
}
