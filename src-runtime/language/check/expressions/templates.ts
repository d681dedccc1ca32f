/** Types message templates as one Text expression. None prints nothing, an individual its id. */

import type * as syntax from '../../ast.js';
import type { Environment } from '../names/environment.js';
import { report } from '../names/environment.js';
import type { Expression } from '../program/checked.js';
import { required, TEXT, typeText } from '../program/types.js';
import { checkExpression } from './expressions.js';

export function checkTemplate(env: Environment, template: syntax.Template): Expression {
  const tolerant: Environment = { ...env, absentFails: true };
  const operands = template.parts.map((part): Expression => {
    if (part.kind === 'text') return { kind: 'constant', type: TEXT, value: part.value, span: part.span };
    return printed(tolerant, checkExpression(tolerant, part.expression));
  });
  const [only] = operands;
  if (operands.length === 0) return { kind: 'constant', type: TEXT, value: '', span: template.span };
  if (operands.length === 1 && only?.kind === 'constant') return only;
  return { kind: 'concat', operands, type: TEXT, span: template.span };
}

/** The expressions between its braces. */
export function readsOfTemplate(template: syntax.Template): syntax.Expression[] {
  return template.parts.flatMap((part) => (part.kind === 'expression' ? [part.expression] : []));
}

function printed(env: Environment, value: Expression): Expression {
  const { type, span } = value;
  const inner = required(type);
  if (inner.kind === 'error' || inner.kind === 'none') return { kind: 'constant', type: TEXT, value: '', span };
  if (inner.kind === 'extern') {
    report(env.session, 'E0203', span, `a message cannot print ${typeText(type)}`, {
      hint: 'Print another value.',
    });
    return { kind: 'error', type: { kind: 'error' }, span };
  }
  if (inner === type && inner.kind === 'scalar' && inner.name === 'Text') return value;
  const text: Expression =
    inner.kind === 'scalar' && inner.name === 'Text'
      ? value
      : { kind: 'builtIn', name: 'text', operandTypes: [inner], args: [value], type: TEXT, span };
  if (inner === type) return text;
  const nothing: Expression = { kind: 'constant', type: TEXT, value: '', span };
  return { kind: 'coalesce', left: text, right: nothing, type: TEXT, span };
}
