/** Making an expression fit the type that its place expects, with the conversion written out, or a diagnostic. */

import { Decimal, decimalText } from '../../../base/decimal.js';
import { suggestion } from '../../finding.js';
import type { Environment } from '../names/environment.js';
import { report } from '../names/environment.js';
import type { Expression } from '../program/checked.js';
import type { ScalarName, Type } from '../program/types.js';
import { isNumber, isOptional, isScalar, isSubtype, optional, required, typeText } from '../program/types.js';

/** The wire form of a Decimal that is written as these digits. */
export function decimalOfDigits(digits: string): string {
  // A malformed literal, which the lexer has reported, may have more characters.
  const number = /^-?\d+(?:\.\d+)?/.exec(digits)?.[0] ?? '0';
  return decimalText(new Decimal(number).toSignificantDigits(34));
}

/**
 * Converts the expression to type `expected`. `what` names the place in messages: `"lease" of tenantOf`. In bodies, an optional
 * value is accepted: if it is absent, the literal does not hold.
 */
export function coerce(env: Environment, expression: Expression, expected: Type, what: string): Expression {
  const { type, span } = expression;
  if (type.kind === 'error' || expected.kind === 'error') return expression;
  if (type.kind === 'none') {
    if (isOptional(expected)) return { kind: 'none', type: expected, span };
    report(env.session, 'E0202', span, `expected ${typeText(expected)} for ${what}, found none`, {
      hint: `Write a value, or declare it as \`${typeText(expected)}?\`.`,
    });
    return { kind: 'error', type: { kind: 'error' }, span };
  }
  if (expression.kind === 'record' && required(expected).kind === 'record') {
    return coerceRecord(env, expression, required(expected) as Type & { kind: 'record' }, what);
  }
  if (isSubtype(type, expected) || isNarrowedTo(expression, expected)) return expression;
  if (isScalar(required(type), 'Int') && isScalar(required(expected), 'Decimal')) {
    if (!isOptional(type) || isOptional(expected) || env.absentFails) return toDecimal(expression);
  }
  if (isOptional(type) && isSubtype(required(type), expected)) {
    if (env.absentFails) return expression;
    report(env.session, 'E0202', span, `expected ${typeText(expected)} for ${what}, but the value may be none`, {
      hint: presenceHint(env, expression),
    });
    return { kind: 'error', type: { kind: 'error' }, span };
  }
  const hint = narrowingHint(env, expression, expected) ?? conversionHint(expression, expected);
  report(env.session, 'E0201', span, `expected ${typeText(expected)} for ${what}, found ${typeText(type)}`, { hint });
  const misfit = env.session.diagnostics.at(-1);
  if (misfit !== undefined) env.session.misfits.set(misfit, { given: type, expected });
  return { kind: 'error', type: { kind: 'error' }, span };
}

/** The hint to test a wider class first. */
function narrowingHint({ place }: Environment, expression: Expression, expected: Type): string | undefined {
  const [from, to] = [required(expression.type), required(expected)];
  if (place !== 'request' || from.kind !== 'class' || to.kind !== 'class' || !isSubtype(to, from)) return undefined;
  const test = `${to.symbol.name}(${chainText(expression) ?? 'x'})`;
  return `Test it first: \`if ${test} { … }\`, or \`${test} and …\` in an expression.`;
}

/** `d.from.name`, of a variable or fields of one. */
export function chainText(expression: Expression): string | undefined {
  if (expression.kind === 'variable') return expression.variable.name;
  if (expression.kind !== 'field') return undefined;
  const of = chainText(expression.of);
  return of === undefined ? undefined : `${of}.${expression.field.name}`;
}

/** Says that `require` does not narrow, which users of other languages expect. */
function presenceHint({ place }: Environment, expression: Expression): string {
  if (expression.kind === 'builtIn' && expression.args[0]?.kind === 'constant') {
    const hint = literalHint(expression.args[0].type, required(expression.type));
    if (hint !== undefined) return hint;
  }
  if (place !== 'request' || expression.kind !== 'variable') {
    return 'Give a fallback with `??`, or test it with `exists(…)`.';
  }
  const { name } = expression.variable;
  return `Use it inside \`if exists(${name}) { … }\`, or give a fallback with \`??\`. \`require\` does not narrow it.`;
}

/** Whether another use of the variable, or a test around the expression, already makes it an `expected`. */
export function isNarrowedTo(expression: Expression, expected: Type): boolean {
  const wanted = required(expected);
  if (wanted.kind !== 'class') return false;
  if (expression.classes?.some((symbol) => isSubtype({ kind: 'class', symbol }, wanted))) return true;
  if (expression.kind !== 'variable') return false;
  return (
    expression.variable.places?.some(
      (place) => place.kind === 'error' || (place.kind === 'class' && isSubtype(place, wanted)),
    ) ?? false
  );
}

/** Int to Decimal; a constant changes in place. */
export function toDecimal(expression: Expression): Expression {
  const { type, span } = expression;
  if (!isScalar(required(type), 'Int')) return expression;
  const decimal: Type = { kind: 'scalar', name: 'Decimal' };
  if (expression.kind === 'constant') {
    return { kind: 'constant', type: decimal, value: String(expression.value), span };
  }
  return { kind: 'convert', type: isOptional(type) ? optional(decimal) : decimal, operand: expression, span };
}

/** How to write a literal of one type as a literal of another. */
export function literalHint(from: Type, to: Type): string | undefined {
  const isQuoted = isScalar(from, 'Text');
  if (isQuoted && isNumber(to)) return 'Write a number, without quotes.';
  if (!isQuoted && !isNumber(from)) return undefined;
  if (isScalar(to, 'Date')) return 'Write a date: `date "2026-01-31"`.';
  if (isScalar(to, 'DateTime')) return 'Write an instant: `datetime "2026-01-31T10:00:00Z"`.';
  return undefined;
}

/** The function that reads a text as a value of this type; undefined for a literal, which is written as one instead. */
export function readingHint({ kind, type }: Expression, to: Type): string | undefined {
  if (kind === 'constant' || !isScalar(required(type), 'Text') || to.kind !== 'scalar') return undefined;
  const name = READING[to.name];
  return name === undefined ? undefined : `Convert it: \`${name}(…)\`, which is none if the text is not one.`;
}

const READING: Partial<Record<ScalarName, string>> = {
  Int: 'int',
  Decimal: 'decimal',
  Date: 'date',
  DateTime: 'dateTime',
};

/** How to convert a value from one type to another. */
function conversionHint(given: Expression, expected: Type): string {
  const [from, to] = [required(given.type), required(expected)];
  const reading = readingHint(given, to);
  if (reading !== undefined) return reading;
  if (isScalar(to, 'Text') && (from.kind === 'scalar' || from.kind === 'enum')) return 'Convert it: `text(…)`.';
  if (isScalar(to, 'Int') && isQuotientOfInts(given)) return 'Write `div`, which gives an Int.';
  if (isScalar(to, 'Int') && isScalar(from, 'Decimal')) return 'Convert it: `floor(…)` or `ceil(…)`.';
  if (isScalar(to, 'Date') && isScalar(from, 'DateTime')) return 'Convert it: `dateOf(…)`.';
  if (isScalar(to, 'DateTime') && isScalar(from, 'Date')) return 'Convert it: `startOfDay(…)`.';
  const literal = literalHint(from, to);
  if (literal !== undefined) return literal;
  if (to.kind === 'enum') return `Write the bare name of a member of ${to.symbol.name}, without quotes.`;
  if (to.kind === 'list' && from.kind === 'list') return 'Only a list literal converts its elements.';
  if (isScalar(to, 'Bool')) return 'Compare it with a value: `… == …`.';
  if (to.kind === 'class' && from.kind === 'scalar')
    return `Use an individual of ${to.symbol.name}, such as a declared \`@name\`.`;
  if (to.kind === 'list' && from.kind !== 'list') return 'Write a list: `[…]`.';
  return `Use a value of type ${typeText(expected)}, or correct the type.`;
}

function isQuotientOfInts(expression: Expression): boolean {
  if (expression.kind !== 'arithmetic' || expression.operator !== '/') return false;
  return [expression.left, expression.right].every(
    (operand) => operand.kind === 'convert' || (operand.kind === 'constant' && Number.isInteger(Number(operand.value))),
  );
}

function coerceRecord(
  env: Environment,
  expression: Expression & { kind: 'record' },
  expected: Type & { kind: 'record' },
  what: string,
): Expression {
  const lacks = expected.fields.filter((field) => !expression.fields.some((own) => own.name === field.name));
  const others = expression.fields.filter((own) => !expected.fields.some((field) => field.name === own.name));
  const [missing] = lacks;
  const [surplus] = others;
  for (const { name, nameSpan: at } of others) {
    const meant = suggestion(
      name,
      lacks.map((field) => field.name),
    );
    if (meant === undefined) continue;
    report(env.session, 'E0201', at, `${typeText(expected)} has no field "${name}"`, meant);
    return { kind: 'error', type: { kind: 'error' }, span: expression.span };
  }
  if (missing !== undefined || surplus !== undefined) {
    const message =
      missing === undefined
        ? `${typeText(expected)} has no field "${surplus?.name ?? ''}"`
        : `missing field "${missing.name}" for ${what}, which is ${typeText(expected)}`;
    report(env.session, 'E0201', expression.span, message, {
      hint: missing === undefined ? 'Remove it.' : `Add \`${missing.name}: …\`.`,
    });
    return { kind: 'error', type: { kind: 'error' }, span: expression.span };
  }
  const fields = expected.fields.flatMap((field) => {
    const own = expression.fields.find((candidate) => candidate.name === field.name);
    if (own === undefined) return [];
    return [{ ...own, value: coerce(env, own.value, field.type, `field "${field.name}"`) }];
  });
  return { ...expression, type: expected, fields };
}
