/** Types calls in expressions: built-ins, functions, `exists` and `range`. Reports calls that are not allowed there. */

import type * as syntax from '../../ast.js';
import { pathText } from '../../ast.js';
import { AGGREGATES, notCalled } from '../../parser/aggregates.js';
import type { Environment } from '../names/environment.js';
import { refuseImpure, report } from '../names/environment.js';
import { isDamaged, linkPath, lookup, reportUnknown } from '../names/names.js';
import {
  BUILT_INS,
  builtInParameters,
  chooseOverload,
  ELEMENT_AT,
  expectedElement,
  overloadsText,
} from '../program/built-ins.js';
import type { Expression } from '../program/checked.js';
import type {
  CallableSymbol,
  ClassSymbol,
  DeclaredSymbol,
  FunctionSymbol,
  ParameterSymbol,
} from '../program/symbols.js';
import { isClass, isPredicate, KIND_TEXT } from '../program/symbols.js';
import type { Type } from '../program/types.js';
import { BOOL, ERROR, INT, isOptional, mayOverlap, optional, required, TEXT, typeText } from '../program/types.js';
import { alignArguments, endpointTarget, reportOnlyFirstMisfit } from './arguments.js';
import { coerce, literalHint, readingHint } from './coercion.js';
import { checkAs, checkExpression, errorAt } from './expressions.js';
import { checkPattern } from './patterns.js';

export function checkCall(env: Environment, node: syntax.CallExpression): Expression {
  const symbol = lookup(env.session, env.module, node.callee);
  if (symbol !== undefined) {
    linkPath(env.session, node.callee, symbol);
    return symbol.kind === 'fn' ? checkFunctionCall(env, node, symbol) : misplacedCall(env, node, symbol);
  }
  // A damaged declaration may have this name, and would shadow the built-in.
  if (env.module.missing.has(pathText(node.callee))) return errorAt(node);
  const name = pathText(node.callee).replace(/^std::/, '');
  if (isBuiltIn(name)) {
    linkPath(env.session, node.callee, { kind: 'builtIn', form: 'function', name });
  }
  if (name === 'exists') return checkExists(env, node);
  if (name === 'range') return checkRange(env, node);
  if (BUILT_INS.has(name)) return checkBuiltIn(env, node, name);
  if (AGGREGATES.has(name)) {
    report(env.session, 'E0023', node.span, ...notCalled(name));
    return errorAt(node);
  }
  const isCalledByLet = (kind: string) => env.place === 'request' && (kind === 'mutation' || kind === 'query');
  const callable = (candidate: DeclaredSymbol) =>
    candidate.kind === 'fn' || isPredicate(candidate) || isCalledByLet(candidate.kind);
  reportUnknown(env.session, env.module, node.callee, callable, 'a name', [...BUILT_INS.keys(), 'exists', 'range']);
  return errorAt(node);
}

/** Whether a call means anything here, well-formed or not. */
export function isCallable(env: Environment, node: syntax.CallExpression): boolean {
  if (env.module.missing.has(pathText(node.callee))) return false;
  const name = pathText(node.callee).replace(/^std::/, '');
  return isBuiltIn(name) || lookup(env.session, env.module, node.callee) !== undefined;
}

/** The arguments of a function, query or mutation in parameter order, with defaults. A damaged declaration accepts any arguments. */
export function checkArguments(
  env: Environment,
  args: readonly syntax.Argument[],
  of: CallableSymbol,
  span: syntax.CallExpression['span'],
): Expression[] | undefined {
  if (isDamaged(env.session, of)) {
    for (const { value } of args) if (value.kind !== 'wildcard') checkExpression(env, value, ERROR);
    return undefined;
  }
  const { parameters, name: callee } = of;
  const named = args.some((argument) => argument.name !== null);
  const leftOut = named ? [] : parameters.slice(args.length);
  const mayLeaveOut = leftOut.every((parameter) => defaultOf(parameter, span) !== undefined);
  const taken =
    mayLeaveOut && args.length <= parameters.length ? parameters.slice(0, named ? undefined : args.length) : parameters;
  const aligned = alignArguments(
    env.session,
    args,
    taken.map((parameter) => parameter.name),
    of,
    span,
    (i) => (parameters[i] === undefined ? undefined : { kind: 'parameter', of, parameter: parameters[i] }),
  );
  if (aligned === undefined) return undefined;
  const before = env.session.diagnostics.length;
  const checked: Expression[] = [];
  for (const [i, parameter] of parameters.entries()) {
    const argument = aligned[i] ?? null;
    if (argument !== null) {
      checked.push(checkArgument(env, argument, parameter.type, `parameter "${parameter.name}"`));
      continue;
    }
    const value = defaultOf(parameter, span);
    if (value === undefined) {
      report(env.session, 'E0207', span, `missing argument "${parameter.name}" for ${callee}`, {
        hint: `Add \`${parameter.name}: …\`.`,
        notes: [{ message: `${callee} is declared here`, span: of.nameSpan }],
      });
      return undefined;
    }
    checked.push(value);
  }
  reportOnlyFirstMisfit(env.session, before, args, callee, parameters);
  return checked;
}

/** One argument that must be a value. */
export function checkArgument(env: Environment, argument: syntax.Argument, type: Type, what: string): Expression {
  if (argument.value.kind === 'wildcard') return refuseWildcard(env, argument.value);
  return checkAs(env, argument.value, type, what);
}

function defaultOf(parameter: ParameterSymbol, span: syntax.CallExpression['span']): Expression | undefined {
  if (parameter.default !== null) return parameter.default;
  return isOptional(parameter.type) ? { kind: 'none', type: parameter.type, span } : undefined;
}

function checkFunctionCall(env: Environment, node: syntax.CallExpression, symbol: FunctionSymbol): Expression {
  const args = checkArguments(env, node.args, symbol, node.span);
  if (args === undefined || args.some((arg) => arg.kind === 'error')) return errorAt(node);
  const absent = args.some((arg, i) => isOptional(arg.type) && !isOptional(symbol.parameters[i]?.type ?? arg.type));
  const type = absent ? optional(symbol.result) : symbol.result;
  return { kind: 'call', function: symbol, args, type, span: node.span };
}

function misplacedCall(env: Environment, node: syntax.CallExpression, symbol: DeclaredSymbol): Expression {
  if (isClass(symbol) && env.place !== 'pure' && !isDamaged(env.session, symbol))
    return checkMembership(env, node, symbol);
  if (isPredicate(symbol)) {
    const hint = builtInHint(node, symbol);
    if (env.place === 'pure') {
      refuseImpure(env, node.span, hint);
    } else {
      report(env.session, 'E0402', node.span, `"${symbol.name}" is ${KIND_TEXT[symbol.kind]} and not a value`, {
        hint: hint ?? 'Make it a separate condition, or write a helper derive and use that.',
      });
    }
    return errorAt(node);
  }
  if (symbol.kind === 'query' && env.query !== undefined) return env.query(node, env);
  if (symbol.kind === 'query' || symbol.kind === 'mutation') {
    report(
      env.session,
      'E0607',
      node.span,
      `"${symbol.name}" is ${KIND_TEXT[symbol.kind]} and cannot run in an expression`,
      {
        hint: 'Call it in a mutation or test, as a statement: `let x = …(…)`.',
      },
    );
    return errorAt(node);
  }
  report(
    env.session,
    'E0108',
    node.callee.span,
    `"${pathText(node.callee)}" is ${KIND_TEXT[symbol.kind]} and cannot be called`,
    {
      hint:
        symbol.kind === 'check'
          ? 'Derive its violations, and use that relation here and in the check.'
          : 'Call a function, or use a relation or class as a condition of a body.',
    },
  );
  return errorAt(node);
}

/** `Airport(x)` as a value: whether there is such a fact. */
function checkMembership(env: Environment, node: syntax.CallExpression, symbol: ClassSymbol): Expression {
  const { span } = node;
  const name = symbol.kind === 'define' ? symbol.parameter.name : 'it';
  const argument = alignArguments(env.session, node.args, [name], symbol, span, endpointTarget(symbol))?.[0]?.value;
  if (argument === undefined) return errorAt(node);
  if (argument.kind === 'wildcard') return refuseWildcard(env, argument);
  const value = checkExpression(env, argument, { kind: 'class', symbol });
  const type = required(value.type);
  const isPossible = type.kind === 'class' && mayOverlap(type.symbol, symbol);
  const of = isPossible ? value : coerce(env, value, { kind: 'class', symbol }, symbol.name);
  if (of.type.kind === 'error' || of.kind === 'error') return errorAt(node);
  const literals = [{ kind: 'atom' as const, predicate: symbol, args: [of], span }];
  const condition = { variables: [], literals };
  const count: Expression = { kind: 'aggregate', function: 'count', value: null, over: [], condition, type: INT, span };
  const none: Expression = { kind: 'constant', type: INT, value: 0, span };
  return { kind: 'compare', operator: '>', operandType: INT, left: count, right: none, type: BOOL, span };
}

/** The author may not know that a declaration shadows the built-in. */
function builtInHint(node: syntax.CallExpression, symbol: DeclaredSymbol): string | undefined {
  const name = pathText(node.callee);
  if (!isBuiltIn(name)) return undefined;
  return `Here \`${name}\` is ${KIND_TEXT[symbol.kind]}. Write \`std::${name}(…)\` for the built-in function.`;
}

function isBuiltIn(name: string): boolean {
  return BUILT_INS.has(name) || name === 'exists' || name === 'range';
}

function checkExists(env: Environment, node: syntax.CallExpression): Expression {
  const aligned = alignArguments(env.session, node.args, ['e'], { name: 'exists' }, node.span);
  const value = aligned?.[0]?.value;
  if (value === undefined) return errorAt(node);
  if (value.kind === 'wildcard') return refuseWildcard(env, value);
  const operand = checkExpression(env, value);
  if (operand.type.kind === 'error') return errorAt(node);
  return { kind: 'exists', operand, type: BOOL, span: node.span };
}

const RANGE_PARAMETERS = ['from', 'to', 'step'];

function checkRange(env: Environment, node: syntax.CallExpression): Expression {
  const hasStep = node.args.length > 2 || node.args.some(({ name }) => name?.text === 'step');
  const parameters = hasStep ? RANGE_PARAMETERS : RANGE_PARAMETERS.slice(0, 2);
  const aligned = alignArguments(env.session, node.args, parameters, { name: 'range' }, node.span);
  const [from, to, step] = (aligned ?? []).map((argument, i) =>
    argument === null ? null : checkArgument(env, argument, INT, `"${parameters[i]}"`),
  );
  if (from == null || to == null) return errorAt(node);
  if (step?.kind === 'constant' && step.value === 0) {
    report(env.session, 'E0203', step.span, 'the step of a range is 0', { hint: 'Write a step above or below 0.' });
    return errorAt(node);
  }
  return { kind: 'range', from, to, step: step ?? null, type: { kind: 'list', of: INT }, span: node.span };
}

function checkBuiltIn(env: Environment, node: syntax.CallExpression, name: string): Expression {
  const aligned = alignArguments(env.session, node.args, builtInParameters(name), { name }, node.span);
  if (aligned === undefined) return errorAt(node);
  const args: Expression[] = [];
  // The type of an empty list is the one of its new element.
  const [first, second] = aligned.map((argument) => argument?.value);
  const isUntyped = first?.kind === 'list' && first.items.length === 0 && second !== undefined;
  const element = isUntyped && second.kind !== 'wildcard' ? checkExpression(env, second).type : undefined;
  for (const [i, argument] of aligned.entries()) {
    if (argument === null) {
      report(env.session, 'E0207', node.span, `missing argument "${builtInParameters(name)[i] ?? ''}" for ${name}`, {
        hint: `It takes: ${builtInParameters(name).join(', ')}.`,
      });
      return errorAt(node);
    }
    if (argument.value.kind === 'wildcard') return refuseWildcard(env, argument.value);
    const expected =
      i === 0
        ? element && { kind: 'list' as const, of: element }
        : expectedElement(name, i, args[0] && required(args[0].type));
    args.push(checkExpression(env, argument.value, expected));
  }
  if (args.some((arg) => arg.type.kind === 'error')) return errorAt(node);
  if (name === 'text') return checkText(env, node, args);
  const overload = chooseOverload(
    name,
    args.map((arg) => required(arg.type)),
  );
  if (overload === undefined) {
    const given = args.map((arg) => typeText(arg.type)).join(', ');
    report(env.session, 'E0203', node.span, `${name} takes ${overloadsText(name)}, got (${given})`, {
      hint: argumentsHint(name, args),
    });
    return errorAt(node);
  }
  const fitted = args.map((arg, i) => coerce(env, arg, overload.parameters[i]?.type ?? arg.type, 'the argument'));
  if (fitted.some((arg) => arg.kind === 'error')) return errorAt(node);
  const type = args.some((arg) => isOptional(arg.type)) ? optional(overload.result) : overload.result;
  if (name === 'pow' && overload.result === INT && isNegative(fitted[1])) {
    report(env.session, 'E0203', node.span, 'an Int has no negative powers', {
      hint: 'Write the base as a Decimal, such as `2.0`.',
    });
    return errorAt(node);
  }
  const operandTypes = overload.parameters.map((parameter) => parameter.type);
  checkPattern(
    env,
    name,
    aligned.flatMap((argument, i) => {
      const [node, checked] = [argument?.value, fitted[i]];
      return node === undefined || node.kind === 'wildcard' || checked === undefined ? [] : [{ node, checked }];
    }),
  );
  return { kind: 'builtIn', name, operandTypes, args: fitted, type, span: node.span };
}

function isNegative(argument: Expression | undefined): boolean {
  return argument?.kind === 'constant' && Number(argument.value) < 0;
}

/** The hint for the first argument that does not fit, if the built-in has a single overload. */
function argumentsHint(name: string, args: readonly Expression[]): string {
  const [first] = args;
  const own = first === undefined ? undefined : READ_ALREADY.get(`${name} ${typeText(required(first.type))}`);
  if (own !== undefined) return own;
  const [only, ...others] = BUILT_INS.get(name) ?? [];
  const parameters = others.length === 0 ? (only?.parameters ?? []) : [];
  for (const [i, { type }] of parameters.entries()) {
    const given = args[i];
    const hint = given && (readingHint(given, type) ?? literalHint(required(given.type), type));
    if (hint !== undefined) return hint;
  }
  return 'Convert the arguments, or use another function.';
}

/** Functions that read a text, with values that need no reading. */
const READ_ALREADY: ReadonlyMap<string, string> = new Map([
  ['int Int', 'It is an Int already.'],
  ['int Decimal', 'Write `floor(x)` or `ceil(x)`.'],
  ['decimal Int', 'Leave it out: an Int is converted where a Decimal is expected.'],
  ['decimal Decimal', 'It is a Decimal already.'],
  ['date DateTime', 'Write `dateOf(dt)`.'],
  ['dateTime Date', 'Write `startOfDay(d)`.'],
]);

function checkText(env: Environment, node: syntax.CallExpression, args: readonly Expression[]): Expression {
  const [operand] = args;
  if (operand === undefined) return errorAt(node);
  const type = required(operand.type);
  if (type.kind === 'extern' || type.kind === 'none') {
    report(env.session, 'E0203', node.span, `text takes a value, got ${typeText(operand.type)}`, {
      hint: 'Print another value.',
    });
    return errorAt(node);
  }
  const fitted = coerce(env, operand, type, 'the argument');
  if (fitted.kind === 'error') return errorAt(node);
  const result = isOptional(operand.type) ? optional(TEXT) : TEXT;
  return { kind: 'builtIn', name: 'text', operandTypes: [type], args: [fitted], type: result, span: node.span };
}

/** `list[index]`, none beyond the end. */
export function checkIndex(env: Environment, node: syntax.IndexExpression): Expression {
  const of = checkExpression(env, node.of);
  const index = checkAs(env, node.index, INT, 'an index');
  if (of.type.kind === 'error' || index.type.kind === 'error') return errorAt(node);
  const list = required(of.type);
  if (list.kind !== 'list') {
    report(env.session, 'E0203', node.of.span, `only lists have elements, found ${typeText(of.type)}`, {
      hint:
        list.kind === 'scalar' && list.name === 'Text' ? 'Write `substring(t, from, 1)`.' : 'Use a list before `[`.',
    });
    return errorAt(node);
  }
  const fitted = coerce(env, of, list, 'the list');
  if (fitted.kind === 'error') return errorAt(node);
  const type = optional(list.of);
  return { kind: 'builtIn', name: ELEMENT_AT, operandTypes: [list, INT], args: [fitted, index], type, span: node.span };
}

function refuseWildcard(env: Environment, node: syntax.Wildcard): Expression {
  report(env.session, 'E0208', node.span, '`_` is not a value', {
    hint: 'Write a value.',
  });
  return errorAt(node);
}
