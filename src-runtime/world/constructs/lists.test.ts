/** LANGUAGE §11: lists and records in facts, in rules, and their functions. */

import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { codesOf, resultOf, worthOf } from '../testing/constructs.js';

const S = 'enum S { a, b, c }\n';

it.each<[type: string, expression: string, value: JsonValue, declarations?: string]>([
  ['[Int]', 'append([1, 2], 3)', [1, 2, 3]],
  ['[Int]', 'append([], 3)', [3]],
  ['[Decimal]', 'append([1.5], 2)', ['1.5', '2']],
  ['[S]', 'append([S::b], a)', ['b', 'a'], S],
  ['Int?', 'first([4, 5])', 4],
  ['Int?', 'last([4, 5])', 5],
  ['Int?', 'first(slice([4], 1, 2))', null],
  ['Int', 'length([4, 5])', 2],
  ['[Int]', 'slice([1, 2, 3, 4], 1, 3)', [2, 3]],
  ['[Int]', 'slice([1, 2, 3, 4], -5, 99)', [1, 2, 3, 4]],
  ['[Int]', 'slice([1, 2, 3, 4], 3, 1)', []],
  ['Int?', '[4, 5][1]', 5],
  ['Int?', '[4, 5][2]', null],
  ['Int?', '[4, 5][-1]', null],
  ['Int?', '[[1], [2, 3]][1][1] ?? 7', 'does not compile'],
  ['Int', '([4] ++ [5, 6])[2] ?? 0', 6],
  ['Text', '[{ a: "x" }][0].a ?? "none"', 'x'],
  ['Bool', 'contains([4, 5], 5)', true],
  ['Bool', 'contains([1.50], 1.5)', true],
  ['Bool', 'contains([{ a: 1, b: "x" }], { a: 1, b: "x" })', true],
  ['Bool', 'contains([S::a, b], c)', false, S],
  ['[Int]', '[1] ++ [] ++ [2, 3]', [1, 2, 3]],
  ['Bool', '[1, 2] == [1] ++ [2]', true],
  ['Bool', '[1, 2] < [1, 2, 0]', true],
  ['Bool', '[1, 3] < [1, 2, 9]', false],
  ['Bool', '[{ a: 1, b: "x" }] < [{ a: 1, b: "y" }]', true],
  ['Bool', '[S::b, a] > [S::a, c]', true, S],
])('%s: %s is %j', async (type, expression, value, declarations) => {
  if (value === 'does not compile')
    expect(codesOf(`${declarations ?? ''}pub query q() -> ${type} { value ${expression} }`)).not.toEqual([]);
  else expect(await worthOf(type, expression, declarations)).toEqual(value);
});

describe('in facts', () => {
  it.each<[what: string, declarations: string, value: JsonValue]>([
    [
      'joins tuples by equal lists and records',
      `relation r(l: [Int], p: { x: Int, y: Text? })
       relation s(l: [Int])
       fact r([1, 2], { x: 1, y: none })
       fact r([2, 1], { x: 2, y: "b" })
       fact s([2, 1])
       pub query q() -> [{ l: [Int], y: Text? }] { select { l: l, y: p.y } where r(l, p), s(l) }`,
      [{ l: [2, 1], y: 'b' }],
    ],
    [
      'joins lists by parts that are computed for each pair',
      `relation r(l: [Int])
       fact r([1, 5]) fact r([2, 6]) fact r([3, 6]) fact r([4])
       pub derive alike(a: Int, b: Int)
         when r(l), r(m), let end = slice(l, 1, 2), let end = slice(m, 1, 2), let a = l[0], let b = m[0]
       pub query q() -> [[Int]] { select [a, b] where alike(a, b) order by a, b }`,
      [
        [1, 1],
        [2, 2],
        [2, 3],
        [3, 2],
        [3, 3],
        [4, 4],
      ],
    ],
    [
      'keeps a Decimal and an Int of one text apart',
      `relation r(i: [Int], d: [Decimal])
       fact r([1], [1])
       pub query q() -> [{ i: [Int], d: [Decimal], sum: Decimal }] {
         select { i: i, d: d, sum: x + y } where r(i, d), x in i, y in d
       }`,
      [{ i: [1], d: ['1'], sum: '2' }],
    ],
    [
      'binds the elements of a list of a tuple, of a field, and of a list that a rule makes',
      `concept P { tags: [Text] }
       individual one: P { tags: ["a", "b"] }
       relation r(l: [Text])
       fact r(["b", "c"])
       derive tag(t: Text) when P(p), t in p.tags
       derive tag(t: Text) when r(l), t in l ++ ["d"]
       pub query q() -> [Text] { select t where tag(t) order by t }`,
      ['a', 'b', 'c', 'd'],
    ],
    [
      'orders rows by lists, element by element, and shorter ones first',
      `relation r(l: [Int])
       fact r([2])
       fact r([1, 2])
       fact r([1])
       fact r([])
       pub query q() -> [[Int]] { select l where r(l) order by l }`,
      [[], [1], [1, 2], [2]],
    ],
    [
      'derives the paths of a graph, which ends where a path would meet itself',
      `relation edge(a: Int, b: Int)
       fact edge(1, 2)
       fact edge(2, 3)
       fact edge(3, 1)
       derive path(a: Int, b: Int, way: [Int]) when edge(a, b), let way = [a, b]
       derive path(a: Int, b: Int, way: [Int]) when path(a, m, w), edge(m, b), not contains(w, b), let way = append(w, b)
       pub query q() -> [[Int]] { select w where path(1, _, w) order by w }`,
      [
        [1, 2],
        [1, 2, 3],
      ],
    ],
    [
      'aggregates over lists and takes the least and the greatest',
      `relation r(l: [Int])
       fact r([2])
       fact r([1, 2])
       pub query q() -> { n: Int, least: [Int]?, most: [Int]? } {
         value { n: count(for l where r(l)), least: min(l for l where r(l)), most: max(l for l where r(l)) }
       }`,
      { n: 2, least: [1, 2], most: [2] },
    ],
    [
      'has no list where an element is absent',
      `concept P { n: Int? }
       individual one: P { n: 1 }
       individual two: P { }
       derive r(l: [Int]) when P(p), let l = [p.n, 0]
       derive s(r: { n: Int }) when P(p), let r = { n: p.n }
       pub query q() -> { lists: Int, records: Int } {
         value { lists: count(for l where r(l)), records: count(for x where s(x)) }
       }`,
      { lists: 1, records: 1 },
    ],
    [
      'has individuals in lists',
      `concept P { name: Text }
       individual one: P { name: "one" }
       individual two: P { name: "two" }
       relation team(members: [P])
       fact team([@two, @one])
       pub query q() -> [Text] { select p.name where team(l), p in l, l[0] == p }`,
      ['two'],
    ],
  ])('%s', async (_, declarations, value) => {
    expect(await resultOf(declarations)).toEqual(value);
  });

  it.each<[what: string, declarations: string, codes: readonly string[]]>([
    ['refuses a list of a define', 'concept P { }\ndefine D(p: P) when P(p)\nrelation r(l: [D])', ['E0303']],
    [
      'refuses an order of individuals',
      'concept P { }\nrelation r(l: [P])\npub query q() -> [[P]] { select l where r(l), l < l }',
      ['E0203'],
    ],
    ['refuses an index into a text', 'pub fn f(t: Text) -> Text? = t[0]', ['E0203']],
    ['refuses lists of different types', 'pub fn f(a: [Int], b: [Text]) -> [Int] = a ++ b', ['E0201']],
    [
      'stratifies a field that is read as a whole list',
      `concept P { friends: [P] via knows.other }
       relation base(a: P, b: P)
       derive knows(one: P, other: P) when base(one, other)
       derive knows(one: P, other: P) when P(one), P(other), length(one.friends) == 2`,
      ['E0501'],
    ],
    [
      'warns of lists that grow without a bound',
      'relation r(l: [Int])\npub mutation m() { insert r([1]) }\npub derive d(l: [Int]) when r(l)\npub derive d(l: [Int]) when d(m), let l = append(m, 1)',
      ['W0501'],
    ],
  ])('%s', (_, declarations, codes) => {
    expect(codesOf(declarations)).toEqual(codes);
  });
});
