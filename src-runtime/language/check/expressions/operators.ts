/** Types operators: arithmetic, comparison, logic, `++`, `??` and `match`. */

import type * as syntax from '../../ast.js';
import type { Environment } from '../names/environment.js';
import { report } from '../names/environment.js';
import { JOINED_LISTS } from '../program/built-ins.js';
import type { Expression } from '../program/checked.js';
import type { Type } from '../program/types.js';
import {
  BOOL,
  commonType,
  DECIMAL,
  INT,
  isNumber,
  isOptional,
  isOrdered,
  isScalar,
  mayOverlap,
  optional,
  required,
  TEXT,
  typeText,
} from '../program/types.js';
import { coerce, decimalOfDigits, literalHint, readingHint, toDecimal } from './coercion.js';
import { checkAs, checkExpression, errorAt, memberOf, narrowedBy } from './expressions.js';

/** `a + b - c`: from the left. `/` is Decimal; `div` and `mod` are Int. */
export function checkArithmetic(env: Environment, node: syntax.ArithmeticExpression): Expression {
  return inChain(env, node, node.rest.length, () => checkSteps(env, node));
}

function checkSteps(env: Environment, node: syntax.ArithmeticExpression): Expression {
  let left = checkNumber(env, node.first);
  for (const step of node.rest) {
    // If the left operand is wrong, the right one is often wrong in the same way.
    const right = left.type.kind === 'error' ? checkExpression(env, step.operand) : checkNumber(env, step.operand);
    const span = { ...node.span, end: step.span.end };
    if (left.type.kind === 'error' || right.type.kind === 'error') {
      left = errorAt({ span });
      continue;
    }
    const bothInt = isScalar(required(left.type), 'Int') && isScalar(required(right.type), 'Int');
    const { operator } = step;
    if ((operator === 'div' || operator === 'mod') && !bothInt) {
      report(env.session, 'E0203', step.operatorSpan, `\`${operator}\` needs Int operands, found Decimal`, {
        hint: 'Use `/`, or convert the operands with `floor`.',
      });
      left = errorAt({ span });
      continue;
    }
    const number = bothInt && operator !== '/' ? 'Int' : 'Decimal';
    const base = number === 'Int' ? INT : DECIMAL;
    const absent = isOptional(left.type) || isOptional(right.type);
    const [first, second] = number === 'Int' ? [left, right] : [toDecimal(left), toDecimal(right)];
    left = {
      kind: 'arithmetic',
      operator,
      number,
      left: first,
      right: second,
      type: absent ? optional(base) : base,
      span,
    };
  }
  return left;
}

/** Unary `-`; the negative of a literal is a constant. */
export function checkNegate(env: Environment, node: syntax.NegateExpression): Expression {
  const operand = checkNumber(env, node.operand);
  const { span } = node;
  if (operand.type.kind === 'error') return errorAt(node);
  if (operand.kind === 'constant' && typeof operand.value === 'number') {
    return { ...operand, value: operand.value === 0 ? 0 : -operand.value, span };
  }
  if (operand.kind === 'constant' && typeof operand.value === 'string') {
    const text = operand.value;
    return { ...operand, value: decimalOfDigits(text.startsWith('-') ? text.slice(1) : `-${text}`), span };
  }
  const number = isScalar(required(operand.type), 'Int') ? 'Int' : 'Decimal';
  return { kind: 'negate', number, operand, type: operand.type, span };
}

/** `== != < <= > >=`. A bare enum member, and a list or record literal, gets its type from the other side. */
export function checkCompare(env: Environment, node: syntax.CompareExpression): Expression {
  const leftFirst = !needsType(env, node.left);
  const one = checkExpression(env, leftFirst ? node.left : node.right);
  const other = checkOther(env, leftFirst ? node.right : node.left, one.type);
  const [left, right] = leftFirst ? [one, other] : [other, one];
  const { operator, span } = node;
  if (left.type.kind === 'error' || right.type.kind === 'error') return errorAt(node);
  const equality = operator === '==' || operator === '!=';
  if (left.kind === 'none' || right.kind === 'none') {
    if (!equality) {
      report(env.session, 'E0203', span, `\`${operator}\` cannot compare with none`, {
        hint: 'Use `== none` or `!= none`.',
      });
      return errorAt(node);
    }
    const type = required(left.kind === 'none' ? right.type : left.type);
    if (type.kind === 'none') {
      report(env.session, 'E0203', span, 'cannot compare none with none', { hint: 'Compare a value with none.' });
      return errorAt(node);
    }
    return { kind: 'compare', operator, operandType: type, left, right, type: BOOL, span };
  }
  const operandType = comparedType(left.type, right.type);
  if (operandType === undefined) {
    const message = `cannot compare ${typeText(left.type)} with ${typeText(right.type)}`;
    report(env.session, 'E0203', span, message, { hint: comparisonHint(left, right) });
    return errorAt(node);
  }
  if (!equality && !isOrdered(operandType)) {
    report(env.session, 'E0203', node.operatorSpan, `values of type ${typeText(operandType)} have no order`, {
      hint: 'Compare them with `==` or `!=`.',
    });
    return errorAt(node);
  }
  if (!env.absentFails && (isOptional(left.type) || isOptional(right.type)) && !equality) {
    const absent = isOptional(left.type) ? left : right;
    coerce(env, absent, operandType, 'the operand');
    return errorAt(node);
  }
  const adapt = (side: Expression) => (isScalar(operandType, 'Decimal') ? toDecimal(side) : side);
  return { kind: 'compare', operator, operandType, left: adapt(left), right: adapt(right), type: BOOL, span };
}

/** `and`, `or`. An `exists` in an operand of `and` narrows the operands to its right. */
export function checkLogic(env: Environment, node: syntax.LogicExpression): Expression {
  const operands: Expression[] = [];
  let at = env;
  for (const operand of node.operands) {
    operands.push(checkAs(at, operand, BOOL, `an operand of \`${node.kind}\``));
    if (node.kind === 'and') at = narrowedBy(at, [operand]);
  }
  return { kind: node.kind, operands, type: BOOL, span: node.span };
}

/** `++` joins texts, or lists of one type. */
export function checkConcat(env: Environment, node: syntax.ConcatExpression, expected?: Type): Expression {
  const plain = node.operands.map((operand) => (isWrittenOut(operand) ? undefined : checkExpression(env, operand)));
  const known = plain.find((operand) => operand !== undefined && required(operand.type).kind === 'list');
  const wanted = known?.type ?? (expected?.kind === 'list' ? expected : undefined);
  const operands = node.operands.map((operand, i) => plain[i] ?? checkExpression(env, operand, wanted));
  const [list] = operands.map(({ type }) => required(type)).filter((type) => type.kind === 'list');
  if (list !== undefined) return joinLists(env, node, operands, list);
  for (const operand of operands) {
    if (operand.type.kind === 'error') return errorAt(node);
    if (!isScalar(required(operand.type), 'Text')) {
      report(env.session, 'E0203', operand.span, `\`++\` needs Text or lists, found ${typeText(operand.type)}`, {
        hint: 'Convert it: `text(…)`.',
      });
      return errorAt(node);
    }
  }
  const fitted = env.absentFails ? operands : operands.map((operand) => coerce(env, operand, TEXT, 'the operand'));
  const type = operands.some((operand) => isOptional(operand.type)) ? optional(TEXT) : TEXT;
  return { kind: 'concat', operands: fitted, type, span: node.span };
}

function joinLists(
  env: Environment,
  node: syntax.ConcatExpression,
  operands: readonly Expression[],
  first: Type,
): Expression {
  let list: Type | undefined = first;
  for (const { type } of operands) list = list === undefined ? undefined : commonType(list, required(type));
  const wanted = required(list ?? first);
  if (wanted.kind === 'error') return errorAt(node);
  const fitted = operands.map((operand) => coerce(env, operand, wanted, 'the operand'));
  if (fitted.some((operand) => operand.kind === 'error')) return errorAt(node);
  const type = operands.some((operand) => isOptional(operand.type)) ? optional(wanted) : wanted;
  return {
    kind: 'builtIn',
    name: JOINED_LISTS,
    operandTypes: fitted.map(() => wanted),
    args: fitted,
    type,
    span: node.span,
  };
}

/** `a ?? b ?? c`: all operands but the last may be none. */
export function checkCoalesce(env: Environment, node: syntax.CoalesceExpression, expected?: Type): Expression {
  return inChain(env, node, node.operands.length, () => checkAlternatives(env, node, expected));
}

function checkAlternatives(env: Environment, node: syntax.CoalesceExpression, expected?: Type): Expression {
  let wanted = expected;
  const operands = node.operands.map((operand, i) => {
    const last = i === node.operands.length - 1;
    const absent: Type = wanted === undefined ? { kind: 'none' } : optional(wanted);
    const checked = checkExpression(env, operand, last ? wanted : absent);
    if (wanted === undefined && checked.type.kind !== 'none') wanted = required(checked.type);
    return checked;
  });
  let result = operands[operands.length - 1];
  for (let i = operands.length - 2; i >= 0 && result !== undefined; i--) {
    const left = operands[i];
    if (left === undefined) break;
    const right: Expression = result;
    const common = commonType(required(left.type), required(right.type));
    const bare = common === undefined ? undefined : required(common);
    if (bare === undefined) {
      report(
        env.session,
        'E0203',
        node.span,
        `\`??\` has operands of different types: ${typeText(left.type)} and ${typeText(right.type)}`,
        {
          hint: 'Use the same type on both sides.',
        },
      );
      return errorAt(node);
    }
    const type = isOptional(right.type) ? optional(bare) : bare;
    const adapt = (side: Expression) => (isScalar(bare, 'Decimal') ? toDecimal(side) : side);
    result = { kind: 'coalesce', left: adapt(left), right: adapt(right), type, span: node.span };
  }
  return result ?? errorAt(node);
}

/** `match e { member => …, _ => … }`: covers every member, or ends in `_`. */
export function checkMatch(env: Environment, node: syntax.MatchExpression, expected?: Type): Expression {
  const subject = checkExpression(env, node.subject);
  const subjectType = required(subject.type);
  const seen = new Set<unknown>();
  const cases: { pattern: Expression | null; value: Expression }[] = [];
  let type: Type | undefined;
  let covered = false;
  let wrong = subject.type.kind === 'error';
  if (!env.absentFails && !wrong) wrong = coerce(env, subject, subjectType, 'the matched value').kind === 'error';
  for (const branch of node.cases) {
    const pattern =
      branch.pattern.kind === 'wildcard' ? null : checkAs(env, branch.pattern, subjectType, 'the pattern');
    const key = pattern?.kind === 'constant' ? pattern.value : null;
    if (pattern !== null && pattern.type.kind === 'error') wrong = true;
    else if (pattern !== null && pattern.kind !== 'constant') {
      report(env.session, 'E0206', branch.pattern.span, 'a pattern must be an enum member, a constant or `_`', {
        hint: 'Compare with `if … then … else …` instead.',
      });
      wrong = true;
    } else if (covered || (pattern !== null && seen.has(key))) {
      report(env.session, 'E0206', branch.span, 'an earlier case already covers this one', { hint: 'Remove it.' });
      wrong = true;
    }
    if (pattern === null) covered = true;
    seen.add(key);
    const value = checkExpression(env, branch.value, expected ?? type);
    const common: Type | undefined = type === undefined ? value.type : commonType(type, value.type);
    if (common === undefined) {
      report(
        env.session,
        'E0201',
        branch.value.span,
        `this case is ${typeText(value.type)}, but the other cases are ${typeText(type ?? value.type)}`,
        { hint: 'Use the same type in all cases.' },
      );
      return errorAt(node);
    }
    type = common;
    cases.push({ pattern, value });
  }
  if (!wrong && !covered && !coversAll(subjectType, seen)) {
    const members = uncoveredMembers(subjectType, seen);
    const message =
      members.length === 0
        ? `the cases do not cover every ${typeText(subjectType)}`
        : `no case covers ${members.join(', ')} of ${typeText(subjectType)}`;
    report(env.session, 'E0206', node.span, message, {
      hint: 'Add a case, or `_ => …`.',
      ...(members.length > 0 && { remedies: [{ kind: 'cases', members }] }),
    });
    return errorAt(node);
  }
  if (wrong || type === undefined) return errorAt(node);
  const result = type;
  const fitted = cases.map((branch) => ({ ...branch, value: coerce(env, branch.value, result, 'the case') }));
  const absent = isOptional(subject.type);
  return { kind: 'match', subject, cases: fitted, type: absent ? optional(result) : result, span: node.span };
}

/** Operators in one chain; each makes the checked tree one level deeper. */
const CHAIN_MAX = 1000;

/** Checks a chain unless it would make a tree that is too deep to walk. */
function inChain(env: Environment, node: syntax.Expression, length: number, check: () => Expression): Expression {
  const { session } = env;
  if (session.depth + length > CHAIN_MAX) {
    report(session, 'E0211', node.span, `more than ${CHAIN_MAX} operators in one expression`, {
      hint: 'Split it with `let`.',
    });
    return errorAt(node);
  }
  session.depth += length;
  const checked = check();
  session.depth -= length;
  return checked;
}

function checkNumber(env: Environment, node: syntax.Expression): Expression {
  const operand = checkExpression(env, node);
  if (operand.type.kind === 'error') return operand;
  if (!isNumber(required(operand.type))) {
    report(env.session, 'E0203', operand.span, `arithmetic needs numbers, found ${typeText(operand.type)}`, {
      hint: arithmeticHint(required(operand.type)),
    });
    return errorAt(node);
  }
  return env.absentFails ? operand : coerce(env, operand, required(operand.type), 'the operand');
}

function arithmeticHint(type: Type): string {
  if (isScalar(type, 'Text')) return 'Join texts with `++`, or read a number with `int(t)` or `decimal(t)`.';
  if (isScalar(type, 'Date')) return 'Use `addDays(d, n)`, `addMonths(d, n)` or `daysBetween(a, b)`.';
  if (isScalar(type, 'DateTime')) return 'Use `addSeconds(dt, n)` or `secondsBetween(a, b)`.';
  return type.kind === 'class' ? 'Read one of its fields.' : 'Use a value of type Int or Decimal.';
}

function comparisonHint(left: Expression, right: Expression): string {
  const [a, b] = [required(left.type), required(right.type)];
  if (a.kind === 'class' && b.kind === 'class') return 'No individual is in both concepts.';
  if (a.kind === 'class' || b.kind === 'class') return 'Compare one of its fields, or a declared individual: `@name`.';
  if (a.kind === 'list' && b.kind === 'list') return 'Compare lists of one type.';
  if (a.kind === 'list' || b.kind === 'list') return 'Iterate over the elements with `in`.';
  if (a.kind === 'enum' || b.kind === 'enum') return 'Write the bare name of a member, without quotes.';
  return (
    readingHint(left, b) ??
    readingHint(right, a) ??
    (left.kind === 'constant' || isNumber(a) ? literalHint(a, b) : undefined) ??
    (right.kind === 'constant' || isNumber(b) ? literalHint(b, a) : undefined) ??
    'Convert one of them.'
  );
}

function comparedType(a: Type, b: Type): Type | undefined {
  const [left, right] = [required(a), required(b)];
  if (left.kind === 'class' && right.kind === 'class') return mayOverlap(left.symbol, right.symbol) ? left : undefined;
  const type = commonType(left, right);
  return type?.kind === 'extern' ? undefined : type;
}

/** The other side of a comparison with a value of this type. */
function checkOther(env: Environment, node: syntax.Expression, type: Type): Expression {
  const other = checkExpression(env, node, type);
  const { kind } = required(type);
  return isWrittenOut(node) && (kind === 'list' || kind === 'record')
    ? coerce(env, other, required(type), 'the operand')
    : other;
}

function isWrittenOut({ kind }: syntax.Expression): boolean {
  return kind === 'list' || kind === 'record';
}

/** Whether the expression needs the other side of a comparison to know its type. Decided by its first alternative. */
function needsType(env: Environment, node: syntax.Expression): boolean {
  const alternatives = alternativesOf(node)?.filter(({ kind }) => kind !== 'none');
  if (alternatives === undefined) return mayBeMember(env, node) || isWrittenOut(node);
  const [first] = alternatives;
  return first !== undefined && needsType(env, first);
}

/** The alternatives of an expression. The later ones take their type from the first. */
function alternativesOf(node: syntax.Expression): readonly syntax.Expression[] | undefined {
  if (node.kind === 'if') return [node.then, node.else];
  if (node.kind === 'match') return node.cases.map(({ value }) => value);
  return node.kind === 'coalesce' ? node.operands : undefined;
}

function mayBeMember(env: Environment, node: syntax.Expression): boolean {
  if (node.kind !== 'name' || node.path.segments.length !== 1) return false;
  const name = node.path.segments[0]?.text ?? '';
  return env.bindings.find(name) === undefined || memberOf(undefined, name) !== undefined;
}

function coversAll(type: Type, seen: ReadonlySet<unknown>): boolean {
  if (type.kind === 'enum') return type.symbol.members.every((member) => seen.has(member.name.text));
  return isScalar(type, 'Bool') && seen.has(true) && seen.has(false);
}

function uncoveredMembers(type: Type, seen: ReadonlySet<unknown>): readonly string[] {
  if (type.kind !== 'enum') return [];
  return type.symbol.members.map((member) => member.name.text).filter((name) => !seen.has(name));
}
