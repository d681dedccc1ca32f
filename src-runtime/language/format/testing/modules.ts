/** Modules to format: the samples, one with every construct, and random ones. */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';

export const SAMPLES = ['access', 'lease', 'licences', 'pointsto', 'supply', 'transit'].map((name) => {
  const path = new URL(`../../../../resources/modules/${name}.entail`, import.meta.url);
  return [name, readFileSync(path, 'utf8')] as const;
});

export const EVERYTHING = `module all::kinds
use other::{Person, worksFor}
use std::{}
enum Colour { red, green }
extern type Handle
extern fn load(h: Handle) -> [Int?]
context tenant: Text?
pub concept Thing is other::Base { size: Int unique where value > 0 and value < -(-9) = 3, tags: [other::Tag] via tagged.tag }
concept Empty {}
relation tagged(thing: Thing, tag: other::Tag [0..1])
relation route(stops: [Thing], start: { street: Text, floor: Int? })
individual first: Thing { size: 1 colour: Colour::red }
fact tagged(@first, @other::tag)
derive near(a, b = a) when near(a, _)
derive near(a, b) when (near(a, c), (x in [1, 2] or let x = c.size), not near(c, _) or near(b, a) and a.size > 1), not (near(a, b) or Thing(b))
derive near(a: Thing, b: Thing) when (a.size + b.size) * -2 > 3 or not (a == b), let c = (1 - 2) - (3 ?? 4), x in [1, 2, (3)], not near(b, _), route(l, s), l [ 0 ] == ([a] ++ l)[length(l) - 1], s.street == "x"
derive most(t: Thing, greatest least: Int) when near(t, u), let least = u.size
derive first(/// The least.
 least n: Int) when Thing(t), let n = t.size
define Big(t: Thing) when t.size > 3
check odd(t: Thing) when Thing(t) severity warning message "odd {t.size}"
query all(limit: Int = 3) -> [{ t: Thing, n: Decimal }] { select { t: x, n: 1.50 } where Thing(x), exists(x) order by (x.size) desc, x.size asc limit (3) }
query one() -> Int { value count(for t, u where near(t, u)) + sum(t.size for t where Thing(t)) }
mutation go(t: Thing, when_: Date = date "2026-01-31") { let n = insert Thing { size: 1 } set t.size = 1 set context.tenant = none
  delete tagged(t, _) forget t require t.size > 3, Thing(t) message "no"
  for x in (select y where Thing(y)) { delete x } for z in [1, 2] { go(t: @first, when_: context.now) }
  if t.size > 1 { insert tagged(t, @first) } else if t.size < 0 { return 1 } else { } go(@first) }
fn pick(c: Colour) -> Text = if c == red then "a" ++ "b" else match c { red => "x", _ => "y" }
test "all" { expect near(_, _) expect error SVC_RUNTIME_VALIDATION_FAILED from go(@first) }
`;

const words = fc.constantFrom(
  'a',
  'longerNameOfSomething',
  '1',
  '2.50',
  '@first',
  '"text"',
  'none',
  'date "2026-01-31"',
);
const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const pair = fc.tuple(tie('expression'), tie('expression'));
  return {
    expression: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'expression' },
      words,
      fc
        .tuple(pair, fc.constantFrom('+', '-', '*', 'div', '??', '++', 'and', 'or', '=='))
        .map(([[left, right], operator]) => `(${left}) ${operator} (${right})`),
      tie('expression').map((each) => `(${each})`),
      tie('expression').map((each) => `-(${each})`),
      tie('expression').map((each) => `(not (${each}))`),
      pair.map(([left, right]) => `f(${left}, ${right})`),
      pair.map(([left, right]) => `[${left}, ${right}]`),
      pair.map(([left, right]) => `(${left})[${right}]`),
      pair.map(([left, right]) => `{ a: ${left} b: ${right} }`),
      pair.map(([left, right]) => `(if ${left} then ${right} else ${left})`),
      pair.map(([left, right]) => `match (${left}) { a => ${right}, _ => none }`),
      pair.map(([left, right]) => `sum(${left} for x, y where (${right}), not near(x, _))`),
    ),
  };
});
export const randomItem: fc.Arbitrary<string> = fc
  .tuple(expression, expression)
  .chain(([one, other]) =>
    fc.constantFrom(
      `fn f(x: Int where (${one}) = ${other}) -> Int = ${one}`,
      `derive d(x: A)\nwhen (${one}), let y = ${other}, z in ${one}`,
      `check c(x: A) when (${one}), (${other}) severity warning message "m"`,
      `query q() -> [A] { select (${one}) where (${other}) order by (${one}) desc limit (${other}) }`,
      `mutation m() { let x = (${one}) set x.a = ${other} require (${other}) message "m" if (${one}) { return (${other}) } }`,
      `individual i: A { a: ${one}, b: ${other} }`,
    ),
  );
