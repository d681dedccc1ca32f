/** Safety: every variable that a body only tests, negates or computes with has its value from somewhere. */

import type { Span } from '../../../base/span.js';
import { type FindingDetails, type Remedy, suggestion } from '../../finding.js';
import type { Environment } from '../names/environment.js';
import { missingInBranch, report } from '../names/environment.js';
import type { Expression, Literal, Variable } from '../program/checked.js';
import { type Type, typeText } from '../program/types.js';
import { eachVariable, partsOf, partsOfLiteral } from '../program/walk.js';
import { chainText } from './coercion.js';

/**
 * Reports each of `variables` that is used and not bound, and each of `mustBind` that is not bound, once. `bound` holds names that
 * are bound from the start.
 */
export function checkSafety(
  env: Environment,
  literals: readonly Literal[],
  variables: readonly Variable[],
  bound: ReadonlySet<string>,
  mustBind: readonly { readonly name: string; readonly span: Span; readonly type?: Type }[],
): void {
  const own = new Set(variables);
  const known = new Set(variables.filter((variable) => bound.has(variable.name)));
  const ready = (expression: Expression): boolean => {
    let all = true;
    eachVariable(expression, (variable) => {
      if (own.has(variable) && !known.has(variable)) all = false;
    });
    return all;
  };
  for (const literal of literals) {
    if (literal.kind !== 'atom') continue;
    for (const arg of literal.args) if (arg?.kind === 'variable') known.add(arg.variable);
  }
  for (let before = -1; before !== known.size; ) {
    before = known.size;
    for (const literal of literals) {
      if (literal.kind === 'let' && ready(literal.value)) known.add(literal.variable);
      if (literal.kind === 'each' && ready(literal.source)) known.add(literal.variable);
    }
  }
  reportAllUnbound(env, literals, { own, known, ready }, mustBind);
}

interface Compared {
  readonly span: Span;
  readonly value: Expression;
}

/** Reports an unbound variable. `compared` is an equality with a bound value; `others` are bound names for a suggestion. */
export function reportUnbound(
  env: Environment,
  name: string,
  span: Span,
  compared?: Compared,
  type?: Type,
  others: readonly string[] = [],
  placed?: string,
): void {
  const missing = missingInBranch(env, name) ?? (placed === undefined ? undefined : { hint: placed });
  const meant = compared === undefined ? suggestion(name, others) : undefined;
  report(env.session, 'E0401', span, `"${name}" is not bound`, {
    ...(missing ?? meant ?? unboundHint(name, compared, type)),
    subject: name,
    ...(compared !== undefined && { notes: [{ message: `"${name}" is only compared here`, span: compared.span }] }),
  });
}

/** Parameters of a derive do not range over their type, as those of checks and defines do. */
function unboundHint(name: string, compared: Compared | undefined, type: Type | undefined): FindingDetails {
  if (compared !== undefined) {
    const remedies: readonly Remedy[] = [{ kind: 'let', comparison: compared.span }];
    return {
      hint: `Write \`let ${name} = ${chainText(compared.value) ?? '…'}\`: a comparison does not bind.`,
      remedies,
    };
  }
  if (type?.kind !== 'class') return { hint: 'Bind it with a tuple, a class, `in` or `let`.' };
  const text = `${typeText(type)}(${name})`;
  return { hint: `Add \`${text}\` or another condition that binds it.`, remedies: [{ kind: 'condition', text }] };
}

/** The comparison that would name the variable's value, were it a `let`. */
function comparisonOf(
  literals: readonly Literal[],
  variable: Variable | undefined,
  ready: (expression: Expression) => boolean,
): Compared | undefined {
  const isIt = (side: Expression) => side.kind === 'variable' && side.variable === variable;
  for (const literal of literals) {
    if (literal.kind !== 'test' || literal.condition.kind !== 'compare' || literal.condition.operator !== '==')
      continue;
    const { left, right, span } = literal.condition;
    if (isIt(left) && ready(right)) return { span, value: right };
    if (isIt(right) && ready(left)) return { span, value: left };
  }
  return undefined;
}

/** The hint for a variable on the wrong side of a `let`, or in a record or list that a tuple should take apart. */
function placedHint(
  literals: readonly Literal[],
  variable: Variable,
  known: ReadonlySet<Variable>,
): string | undefined {
  for (const literal of literals) {
    if (literal.kind === 'let' && literal.value.kind === 'variable' && literal.value.variable === variable) {
      const { name } = literal.variable;
      if (known.has(literal.variable)) return `Write \`let ${variable.name} = ${name}\`: \`let\` binds its left side.`;
    }
    if (literal.kind !== 'atom') continue;
    for (const arg of literal.args) {
      if (arg === null || arg.kind === 'variable') continue;
      const part = partWith(arg, variable);
      if (part !== undefined) {
        return `A tuple does not take values apart. Write a variable for the ${arg.kind}, and \`let ${variable.name} = ${part}\`.`;
      }
    }
  }
  return undefined;
}

/** The expression for the part of record `r` or list `l` in whose place the variable is. */
function partWith(whole: Expression, variable: Variable): string | undefined {
  const isIt = (part: Expression) => part.kind === 'variable' && part.variable === variable;
  if (whole.kind === 'record') {
    const field = whole.fields.find(({ value }) => isIt(value));
    return field && `r.${field.name}`;
  }
  const at = whole.kind === 'list' ? whole.items.findIndex(isIt) : -1;
  return at < 0 ? undefined : `l[${at}]`;
}

interface BoundSoFar {
  /** The variables of the body. */
  readonly own: ReadonlySet<Variable>;
  readonly known: ReadonlySet<Variable>;
  /** Whether all variables that an expression reads are bound. */
  readonly ready: (expression: Expression) => boolean;
}

function reportAllUnbound(
  env: Environment,
  literals: readonly Literal[],
  { own, known, ready }: BoundSoFar,
  mustBind: readonly { readonly name: string; readonly span: Span; readonly type?: Type }[],
): void {
  const reported = new Set<string>();
  const parameters = new Set(mustBind.map((parameter) => parameter.name));
  const complain = (name: string, span: Span, variable?: Variable, type?: Type) => {
    if (reported.has(name)) return;
    reported.add(name);
    const others = [...known].map((each) => each.name).filter((each) => each.length > 2 && !parameters.has(each));
    const placed = variable && placedHint(literals, variable, known);
    reportUnbound(env, name, span, comparisonOf(literals, variable, ready), type, others, placed);
  };
  const defined = new Set(
    literals.flatMap((literal) => (literal.kind === 'let' || literal.kind === 'each' ? [literal.variable] : [])),
  );
  // After other errors in the body, an unbound variable may be a consequence.
  if (literals.some((literal) => partsOfLiteral(literal).some(isErroneous))) return;
  const visit = (expression: Expression) =>
    eachVariable(expression, (variable, span) => {
      const blamed = own.has(variable) && !known.has(variable) && !parameters.has(variable.name);
      if (blamed && !(defined.has(variable) && reported.size > 0)) complain(variable.name, span, variable);
    });
  let isMadeOfUnbound = false;
  for (const literal of literals) {
    if (literal.kind !== 'let' && literal.kind !== 'each') continue;
    eachVariable(literal.kind === 'let' ? literal.value : literal.source, (variable) => {
      isMadeOfUnbound ||= own.has(variable) && !known.has(variable) && !defined.has(variable);
    });
  }
  for (const { name, span, type } of mustBind) {
    const variable = [...own].find((candidate) => candidate.name === name);
    if (variable?.type.kind === 'error') continue;
    // A `let` of an unbound value leaves its variable unbound too.
    if (variable !== undefined && defined.has(variable) && (reported.size > 0 || isMadeOfUnbound)) continue;
    if (variable === undefined || !known.has(variable)) complain(name, span, variable, type);
  }
  for (const literal of literals) {
    if (literal.kind === 'let') visit(literal.value);
    else if (literal.kind === 'each') visit(literal.source);
    else if (literal.kind === 'test') visit(literal.condition);
    else if (literal.kind !== 'either') for (const arg of literal.args) if (arg !== null) visit(arg);
  }
}

function isErroneous(expression: Expression): boolean {
  return expression.type.kind === 'error' || partsOf(expression).some(isErroneous);
}
