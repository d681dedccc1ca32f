/** Codes of types, E02. */

import { error } from './row.js';

export const TYPE_CODES = {
  E0201: error({
    title: 'type mismatch',
    meaning: 'A value has another type than expected. Only Int is converted implicitly, to Decimal.',
    failing: 'fn shown(x: Int) -> Text = ⟦x⟧',
    fixed: 'fn shown(x: Int) -> Text = text(x)',
    fix: 'Convert the value, or correct the expected type.',
  }),
  E0202: error({
    title: 'value may be none',
    meaning: 'A value that may be none is used where a value is required.',
    failing: 'fn size(t: Text?) -> Int = length(⟦t⟧)',
    fixed: 'fn size(t: Text?) -> Int = length(t ?? "")',
    fix: 'Give a fallback with `??`, or test it with `exists(…)`.',
  }),
  E0203: error({
    title: 'wrong operand type',
    meaning: 'An operator or built-in function does not take operands of these types.',
    failing: 'fn label(x: Int) -> Text = "no. " ++ ⟦x⟧',
    fixed: 'fn label(x: Int) -> Text = "no. " ++ text(x)',
    fix: 'Convert the operand, or use the operator for its type.',
  }),
  E0204: error({
    title: 'conflicting variable types',
    meaning: 'A variable is used at two types that have no value in common, so the body can never hold.',
    failing: 'derive odd(l: Lease) when tenantOf(l, p), age(p, n), price(l, ⟦n⟧)',
    fixed: 'derive odd(l: Lease) when tenantOf(l, p), age(p, n), let d = n * 1.0, price(l, d)',
    fix: 'Use two variables, or convert the value with `let`.',
  }),
  E0205: error({
    title: 'head narrower than body',
    meaning: 'The head of a rule has a narrower class than the body proves.',
    failing: 'derive named(⟦p⟧: Person) when Party(p), p.name != ""',
    fixed: 'derive named(p: Person) when Party(p), p.name != "", Person(p)',
    fix: 'Add the class to the body, or widen the head.',
  }),
  E0206: error({
    title: 'match not exhaustive',
    meaning: 'A `match` misses a value, covers one twice, or has a pattern that is not a constant.',
    failing: 'fn grade(s: Status) -> Int = ⟦match s { draft => 1 }⟧',
    fixed: 'fn grade(s: Status) -> Int = match s { draft => 1, signed => 2 }',
    fix: 'Add a case for each member, or end with `_ => …`.',
  }),
  E0207: error({
    title: 'wrong arguments',
    meaning: 'A call or tuple has too few or too many arguments, or one of them twice.',
    failing: 'derive let2(l: Lease) when ⟦tenantOf(l)⟧',
    fixed: 'derive let2(l: Lease) when tenantOf(l, _)',
    fix: 'Give one argument for each parameter or endpoint. `_` matches any value.',
  }),
  E0208: error({
    title: 'wildcard as a value',
    meaning: '`_` matches any value in a tuple of a body. It cannot be computed with or stored.',
    failing: 'fn four() -> Int = twice(⟦_⟧)',
    fixed: 'fn four() -> Int = twice(2)',
    fix: 'Write a value.',
  }),
  E0209: error({
    title: 'unknown type',
    meaning: 'The type of `[]` or `none` cannot be inferred here.',
    failing: 'mutation hire() {\n  let mail = ⟦none⟧\n  insert Person { name: "Ada", email: mail }\n}',
    fixed: 'mutation hire() {\n  insert Person { name: "Ada", email: none }\n}',
    fix: 'Write it where its type is known.',
  }),
  E0210: error({
    title: 'not a list',
    meaning: 'The value after `in` is not a list or a range.',
    failing: 'derive day(n: Int) when n in ⟦7⟧',
    fixed: 'derive day(n: Int) when n in range(1, 8)',
    fix: 'Iterate over a list, or over `range(from, to)`.',
  }),
  E0211: error({
    title: 'chain too long',
    meaning: 'An expression has more than 1,000 operators.',
    failing: `fn many(x: Int) -> Int = ⟦x${' + x'.repeat(1001)}⟧`,
    fixed: 'fn many(x: Int) -> Int = x * 1002',
    fix: 'Split it with `let` or a function.',
  }),
  E0230: error({
    title: 'faulty pattern',
    meaning:
      'The pattern of `matches`, `capture` or `replaceAll` is not a regular expression in RE2 syntax, or lacks a group that the call asks for.',
    failing: 'fn number(code: Text) -> Text? = capture(code, "[A-Z]+([⟦9-0⟧]+)", 1)',
    fixed: 'fn number(code: Text) -> Text? = capture(code, "[A-Z]+([0-9]+)", 1)',
    fix: 'Correct the marked part.',
  }),
};
