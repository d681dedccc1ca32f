/** Checked bodies to the artifact's: every argument of a tuple becomes a variable or a constant. */

import type * as ir from '../artifact/index.js';
import type { Condition, Expression, Literal } from '../language/check/index.js';
import { lowerConstant, lowerExpression } from './lower-expressions.js';
import type { Lowering } from './lowering.js';
import { freshName, lowerType, sourceText } from './lowering.js';

/** `first` is put before the body's literals; body literals equal to one of them are omitted. */
export function lowerCondition(
  lowering: Lowering,
  condition: Condition,
  first: readonly ir.Literal[] = [],
): ir.Condition {
  const variables = condition.variables.map(({ name, type }) => ({ name, type: lowerType(type) }));
  const literals: ir.Literal[] = [];
  for (const literal of condition.literals) lowerLiteral(lowering, literal, literals, variables);
  const added = first.filter((given) => !literals.some((literal) => sameAtom(given, literal)));
  return { variables, literals: [...added, ...literals] };
}

function lowerLiteral(
  lowering: Lowering,
  literal: Literal,
  literals: ir.Literal[],
  variables: { name: string; type: ir.Type }[],
): void {
  const { span } = literal;
  const text = sourceText(lowering, span);
  switch (literal.kind) {
    case 'let':
      literals.push({
        op: 'let',
        variable: literal.variable.name,
        value: lowerExpression(lowering, literal.value),
        // The text of the head has the type too.
        text: literal.isInHead ? `let ${literal.variable.name} = ${sourceText(lowering, literal.value.span)}` : text,
        span,
      });
      return;
    case 'each':
      literals.push({
        op: 'each',
        variable: literal.variable.name,
        in: lowerExpression(lowering, literal.source),
        text,
        span,
      });
      return;
    case 'test':
      literals.push({ op: 'test', condition: lowerExpression(lowering, literal.condition), text, span });
      return;
    case 'either': {
      const branches = literal.branches.map((branch) => lowerCondition(lowering, branch));
      literals.push({ op: 'either', branches, span });
      return;
    }
    case 'atom':
    case 'absent': {
      const args = literal.args.map((arg) => (arg === null ? null : lowerTerm(lowering, arg, literals, variables)));
      literals.push({ op: literal.kind, relation: literal.predicate.path, args, span });
      return;
    }
  }
}

/** Replaces an argument that is neither a variable nor a constant by a fresh variable, bound by a `let`. */
function lowerTerm(
  lowering: Lowering,
  arg: Expression,
  literals: ir.Literal[],
  variables: { name: string; type: ir.Type }[],
): ir.Term {
  if (arg.kind === 'variable') return { op: 'variable', name: arg.variable.name };
  if (arg.kind === 'constant') return lowerConstant(arg);
  const name = freshName(lowering);
  const type = arg.type.kind === 'optional' ? arg.type.of : arg.type;
  variables.push({ name, type: lowerType(type) });
  literals.push({
    op: 'let',
    variable: name,
    value: lowerExpression(lowering, arg),
    text: sourceText(lowering, arg.span),
    span: arg.span,
  });
  return { op: 'variable', name };
}

function sameAtom(a: ir.Literal, b: ir.Literal): boolean {
  if (a.op !== 'atom' || b.op !== 'atom' || a.relation !== b.relation) return false;
  return JSON.stringify(a.args) === JSON.stringify(b.args);
}
