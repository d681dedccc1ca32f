/** Types the literals of a body: tuples and classes, `let`, `in`, and tests. */

import type { Span } from '../../../base/span.js';
import type * as syntax from '../../ast.js';
import type { Remedy } from '../../finding.js';
import type { Environment } from '../names/environment.js';
import { linkVariable, refuseImpure, report } from '../names/environment.js';
import { linkPath, lookup } from '../names/names.js';
import type { Expression, Literal, Variable } from '../program/checked.js';
import type { PredicateSymbol } from '../program/symbols.js';
import { isClass, isPredicate } from '../program/symbols.js';
import type { Type } from '../program/types.js';
import { BOOL, ERROR, isNumber, isSubtype, mayOverlap, required, typeText } from '../program/types.js';
import { alignArguments, endpointTarget } from './arguments.js';
import { isCallable } from './calls.js';
import { coerce } from './coercion.js';
import { isTuple } from './combinations.js';
import { checkAs, checkExpression } from './expressions.js';

/** A literal that is a tuple or a class, with its arguments lined up. */
export interface AtomSyntax {
  readonly negated: boolean;
  readonly predicate: PredicateSymbol;
  readonly call: syntax.CallExpression;
  /** Undefined if the arguments do not fit, which has been reported. */
  readonly args: readonly (syntax.Argument | null)[] | undefined;
}

/** The endpoints of a tuple or class literal. */
function endpointsOf(predicate: PredicateSymbol): readonly { readonly name: string; readonly type: Type }[] {
  if (predicate.kind === 'define') return [{ name: predicate.parameter.name, type: topOf(predicate) }];
  return predicate.kind === 'concept' ? [{ name: 'it', type: topOf(predicate) }] : predicate.endpoints;
}

/** Recognises a literal that is a tuple or a class, `not` before it included. */
export function atomOf(env: Environment, literal: syntax.Literal): AtomSyntax | undefined {
  const call = literal.kind === 'holds' ? literal.expression : literal.kind === 'not' ? literal.operand : undefined;
  if (call?.kind !== 'call') return undefined;
  const predicate = lookup(env.session, env.module, call.callee);
  if (predicate === undefined || !isPredicate(predicate)) return undefined;
  linkPath(env.session, call.callee, predicate);
  const names = endpointsOf(predicate).map((endpoint) => endpoint.name);
  const args = alignArguments(env.session, call.args, names, predicate, call.span, endpointTarget(predicate));
  return { negated: literal.kind === 'not', predicate, call, args };
}

/** The arguments of an atom that are plain names, with the types of their endpoints. */
export function variableArguments(atom: AtomSyntax): { name: string; span: Span; type: Type }[] {
  const endpoints = endpointsOf(atom.predicate);
  const named = atom.args ?? atom.call.args;
  return named.flatMap((argument, i) => {
    const value = argument?.value;
    if (value?.kind !== 'name' || value.path.segments.length !== 1) return [];
    const type = atom.args === undefined ? ERROR : (endpoints[i]?.type ?? ERROR);
    return [{ name: value.path.segments[0]?.text ?? '', span: value.span, type }];
  });
}

/** The names in a tuple that is undeclared, or an operand of `and` or `or`. They are not reported as well. */
export function argumentsOfUnknown(env: Environment, literal: syntax.Literal): { name: string; span: Span }[] {
  return literal.kind === 'holds' ? argumentsOfTuples(env, literal.expression) : [];
}

function argumentsOfTuples(env: Environment, node: syntax.Expression): { name: string; span: Span }[] {
  if (node.kind === 'and' || node.kind === 'or') {
    return node.operands.flatMap((operand) => argumentsOfTuples(env, operand));
  }
  if (node.kind !== 'call') return [];
  const declared = lookup(env.session, env.module, node.callee);
  const isRefused = declared !== undefined && (isPredicate(declared) || declared.kind === 'check');
  if (isCallable(env, node) && !isRefused) return [];
  return node.args.flatMap(({ value }) => {
    const [only, ...more] = value.kind === 'name' ? value.path.segments : [];
    return only === undefined || more.length > 0 ? [] : [{ name: only.text, span: value.span }];
  });
}

/** A term may be narrower or wider than its endpoint, and is narrowed by it; types without a common value are refused. */
export function checkAtom(env: Environment, atom: AtomSyntax, span: Span): Literal[] {
  if (env.place === 'pure') {
    refuseImpure(env, span);
    return [{ kind: 'test', condition: { kind: 'error', type: ERROR, span }, span }];
  }
  if (atom.args === undefined) return [{ kind: 'test', condition: { kind: 'error', type: ERROR, span }, span }];
  const endpoints = endpointsOf(atom.predicate);
  const args = atom.args.map((argument, i) => {
    const endpoint = endpoints[i];
    if (argument === null || argument.value.kind === 'wildcard' || endpoint === undefined) return null;
    const what = isClass(atom.predicate) ? atom.predicate.name : `"${endpoint.name}" of ${atom.predicate.name}`;
    const isNegatedArgument = atom.negated && argument.value.kind === 'name';
    return checkTerm(isNegatedArgument ? { ...env, isNegatedArgument } : env, argument.value, endpoint.type, what);
  });
  return [{ kind: atom.negated ? 'absent' : 'atom', predicate: atom.predicate, args, span }];
}

/** `let x = e`. If `known`, the value must have the type of x; otherwise `define` gets the type of the value. */
export function checkLet(
  env: Environment,
  literal: syntax.Literal & { kind: 'let' },
  known: Variable | undefined,
  define: ((type: Type) => Variable) | undefined,
): Literal {
  const value =
    known === undefined
      ? checkExpression(env, literal.value)
      : checkAs(env, literal.value, known.type, `"${known.name}"`);
  if (value.type.kind === 'none')
    report(env.session, 'E0209', literal.value.span, 'a `let` of none never holds', {
      hint: 'Use a value, or remove it.',
    });
  const type = value.type.kind === 'none' ? ERROR : required(value.type);
  const variable = known ?? define?.(type) ?? { name: literal.name.text, type, span: literal.name.span };
  linkVariable(env.session, literal.name.span, variable);
  return { kind: 'let', variable, value, ...(literal.isInHead && { isInHead: true }), span: literal.span };
}

/** `x in e`: a list or a range. */
export function checkEach(
  env: Environment,
  literal: syntax.Literal & { kind: 'in' },
  known: Variable | undefined,
  define: ((type: Type) => Variable) | undefined,
  declared: Type | undefined = known?.type,
): Literal {
  const source = checkExpression(env, literal.source, declared && { kind: 'list', of: declared });
  const list = required(source.type);
  const type = list.kind === 'list' ? list.of : ERROR;
  if (list.kind !== 'list' && list.kind !== 'error') {
    report(
      env.session,
      'E0210',
      literal.source.span,
      `\`in\` needs a list or a range, found ${typeText(source.type)}`,
      { hint: 'Write `x in range(from, to)` for numbers, or compare with `==`.' },
    );
  }
  const variable = known ?? define?.(type) ?? { name: literal.name.text, type, span: literal.name.span };
  linkVariable(env.session, literal.name.span, variable);
  if (known !== undefined && !termFits(type, known.type)) {
    report(
      env.session,
      'E0204',
      literal.name.span,
      `"${known.name}" is ${typeText(known.type)}, but the elements are ${typeText(type)}`,
      { hint: 'Choose another name for the element.' },
    );
  }
  return { kind: 'each', variable, source, span: literal.span };
}

export function checkTest(env: Environment, condition: syntax.Expression, span: Span): Literal {
  const isJoined = condition.kind === 'and' || condition.kind === 'or';
  const tuple = isJoined ? condition.operands.find((operand) => isTuple(env, operand)) : undefined;
  if (tuple !== undefined) {
    const message = `a tuple or class cannot be an operand of \`${condition.kind}\``;
    const hint =
      condition.kind === 'and'
        ? 'Separate the conditions of a body with commas.'
        : 'Put the alternatives in parentheses: `(a(x) or b(x))`.';
    const remedies: readonly Remedy[] = condition.kind === 'or' ? [{ kind: 'parentheses', around: span }] : [];
    report(env.session, 'E0402', tuple.span, message, { hint, remedies });
    return { kind: 'test', condition: { kind: 'error', type: ERROR, span }, span };
  }
  return { kind: 'test', condition: checkAs(env, condition, BOOL, 'a condition'), span };
}

function checkTerm(env: Environment, node: syntax.Expression, type: Type, what: string): Expression {
  const term = checkExpression(env, node, type);
  const own = required(term.type);
  if (term.kind === 'variable') {
    if (termFits(own, type)) return term;
    const mixed = isNumber(own) && isNumber(type);
    report(
      env.session,
      mixed ? 'E0204' : 'E0201',
      node.span,
      `expected ${typeText(type)} for ${what}, but "${term.variable.name}" is ${typeText(own)}`,
      {
        hint: mixed
          ? `Convert it with \`let\` first: \`let d = ${term.variable.name} * 1.0\`.`
          : `Use a value of type ${typeText(type)}.`,
      },
    );
    return { kind: 'error', type: ERROR, span: node.span };
  }
  return own.kind === 'class' && termFits(own, type) ? term : coerce(env, term, type, what);
}

function termFits(own: Type, endpoint: Type): boolean {
  if (own.kind === 'class' && endpoint.kind === 'class') return mayOverlap(own.symbol, endpoint.symbol);
  return isSubtype(own, endpoint);
}

/** A class literal accepts any individual whose concept may overlap with the class. */
function topOf(symbol: PredicateSymbol & { kind: 'concept' | 'define' }): Type {
  return { kind: 'class', symbol };
}
