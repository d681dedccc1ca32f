/** Making an expression fit the type that its place expects, with the conversion written out, or a diagnostic. */

import { Decimal } from 'decimal.js';
import type { Expression } from './checked.js';
import type { Environment } from './environment.js';
import { report } from './environment.js';
import type { Type } from './types.js';
import { isOptional, isScalar, isSubtype, optional, required, typeText } from './types.js';

const Decimal34 = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_EVEN });

/** The wire form of a Decimal: plain notation without trailing zeros, rounded to 34 digits. */
export function decimalText(digits: string): string {
  // A literal that the lexer has reported may have more behind its digits.
  const number = /^-?\d+(?:\.\d+)?/.exec(digits)?.[0] ?? '0';
  return new Decimal34(number).toSignificantDigits(34).toFixed();
}

/**
 * The expression as one of type `expected`. `what` names the place in messages: "endpoint \"lease\" of tenantOf".
 * Inside bodies an optional value is taken as it is: where it is absent, the literal does not hold.
 */
export function coerce(env: Environment, expression: Expression, expected: Type, what: string): Expression {
  const { type, span } = expression;
  if (type.kind === 'error' || expected.kind === 'error') return expression;
  if (type.kind === 'none') {
    if (isOptional(expected)) return { kind: 'none', type: expected, span };
    report(env.session, 'E0202', span, `none cannot stand for ${what}, which is ${typeText(expected)}`);
    return { kind: 'error', type: { kind: 'error' }, span };
  }
  if (expression.kind === 'record' && required(expected).kind === 'record') {
    return coerceRecord(env, expression, required(expected) as Type & { kind: 'record' }, what);
  }
  if (isSubtype(type, expected) || standsAt(expression, expected)) return expression;
  if (isScalar(required(type), 'Int') && isScalar(required(expected), 'Decimal')) {
    if (!isOptional(type) || isOptional(expected) || env.absentFails) return toDecimal(expression);
  }
  if (isOptional(type) && isSubtype(required(type), expected)) {
    if (env.absentFails) return expression;
    report(env.session, 'E0202', span, `${what} is ${typeText(expected)}, and this value may be none`, {
      hint: 'Give a value for that case with `??`, or guard it with `exists(…)`.',
    });
    return { kind: 'error', type: { kind: 'error' }, span };
  }
  report(env.session, 'E0201', span, `${what} is ${typeText(expected)}, and this is ${typeText(type)}`);
  return { kind: 'error', type: { kind: 'error' }, span };
}

/** Whether a variable stands somewhere that makes it an `expected`, though another place gave it its type. */
export function standsAt(expression: Expression, expected: Type): boolean {
  const wanted = required(expected);
  if (expression.kind !== 'variable' || wanted.kind !== 'class') return false;
  return expression.variable.places?.some((place) => place.kind === 'class' && isSubtype(place, wanted)) ?? false;
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

function coerceRecord(
  env: Environment,
  expression: Expression & { kind: 'record' },
  expected: Type & { kind: 'record' },
  what: string,
): Expression {
  const missing = expected.fields.find((field) => !expression.fields.some((own) => own.name === field.name));
  const surplus = expression.fields.find((own) => !expected.fields.some((field) => field.name === own.name));
  if (missing !== undefined || surplus !== undefined) {
    const message =
      missing === undefined
        ? `${what} is ${typeText(expected)}, which has no field "${surplus?.name ?? ''}"`
        : `${what} is ${typeText(expected)}, and this record has no field "${missing.name}"`;
    report(env.session, 'E0201', expression.span, message);
    return { kind: 'error', type: { kind: 'error' }, span: expression.span };
  }
  const fields = expected.fields.flatMap((field) => {
    const own = expression.fields.find((candidate) => candidate.name === field.name);
    if (own === undefined) return [];
    return [{ name: field.name, value: coerce(env, own.value, field.type, `field "${field.name}"`) }];
  });
  return { ...expression, type: expected, fields };
}
