/** The codes of types: E02. */

import { error } from './row.js';

export const TYPE_CODES = {
  E0201: error({
    title: 'type mismatch',
    meaning: 'A value of one type stands where another one is expected. Only Int becomes Decimal by itself.',
    failing: 'fn shown(x: Int) -> Text = ⟦x⟧',
    cured: 'fn shown(x: Int) -> Text = text(x)',
    cure: 'Convert the value, or correct the type of its place.',
  }),
  E0202: error({
    title: 'value may be absent',
    meaning: 'A value that may be none stands where one is needed.',
    failing: 'fn size(t: Text?) -> Int = length(⟦t⟧)',
    cured: 'fn size(t: Text?) -> Int = length(t ?? "")',
    cure: 'Give a value for that case with `??`, or guard it with `exists(…)`.',
  }),
  E0203: error({
    title: 'operands do not fit',
    meaning: 'An operator or built-in function is applied to types that it is not defined for.',
    failing: 'fn label(x: Int) -> Text = "no. " ++ ⟦x⟧',
    cured: 'fn label(x: Int) -> Text = "no. " ++ text(x)',
    cure: 'Convert the operand, or use the operator for its type.',
  }),
  E0204: error({
    title: 'variable of two types',
    meaning: 'A variable stands at places whose types have no value in common, so that the body could never hold.',
    failing: 'derive odd(l: Lease) when tenantOf(l, p), age(p, n), price(l, ⟦n⟧)',
    cured: 'derive odd(l: Lease) when tenantOf(l, p), age(p, n), let d = n * 1.0, price(l, d)',
    cure: 'Use two variables, or convert the value with `let`.',
  }),
  E0205: error({
    title: 'head narrower than body',
    meaning: 'The head of a rule promises a class that its body does not establish.',
    failing: 'derive named(⟦p⟧: Person) when Party(p), p.name != ""',
    cured: 'derive named(p: Person) when Party(p), p.name != "", Person(p)',
    cure: 'Add the class to the body, or promise the wider one.',
  }),
  E0206: error({
    title: 'match does not cover',
    meaning: 'A `match` leaves values uncovered, covers one twice, or has a pattern that is no constant.',
    failing: 'fn grade(s: Status) -> Int = ⟦match s { draft => 1 }⟧',
    cured: 'fn grade(s: Status) -> Int = match s { draft => 1, signed => 2 }',
    cure: 'Give every member a case, or end with `_ => …`.',
  }),
  E0207: error({
    title: 'wrong arguments',
    meaning: 'A call or tuple has too few or too many arguments, or one of them twice.',
    failing: 'derive let2(l: Lease) when ⟦tenantOf(l)⟧',
    cured: 'derive let2(l: Lease) when tenantOf(l, _)',
    cure: 'Give one argument for each parameter or endpoint; `_` is any value.',
  }),
  E0208: error({
    title: 'wildcard where a value is needed',
    meaning: '`_` matches any value in a tuple of a body. It cannot be computed with or stored.',
    failing: 'fn four() -> Int = twice(⟦_⟧)',
    cured: 'fn four() -> Int = twice(2)',
    cure: 'Write a value.',
  }),
  E0209: error({
    title: 'type not known',
    meaning: 'Nothing around `[]` or `none` tells what type it has.',
    failing: 'mutation hire() {\n  let mail = ⟦none⟧\n  insert Person { name: "Ada", email: mail }\n}',
    cured: 'mutation hire() {\n  insert Person { name: "Ada", email: none }\n}',
    cure: 'Write it directly where its type is known.',
  }),
  E0210: error({
    title: 'not a list',
    meaning: 'What stands behind `in` is no list, [0..*] field or range.',
    failing: 'derive day(n: Int) when n in ⟦7⟧',
    cured: 'derive day(n: Int) when n in range(1, 8)',
    cure: 'Go through a list, or through `range(from, to)`.',
  }),
  E0211: error({
    title: 'chain too long',
    meaning: 'More than a thousand operators stand in one expression.',
    failing: `fn many(x: Int) -> Int = ⟦x${' + x'.repeat(1001)}⟧`,
    cured: 'fn many(x: Int) -> Int = x * 1002',
    cure: 'Split it with `let` or a fn.',
  }),
};
