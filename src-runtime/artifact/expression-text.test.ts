/** The message of a check is printed as its author wrote it; a variable that the compiler introduced prints as `…`. */

import { expect, it } from 'vitest';
import { compile } from '../compiler/index.js';
import { expressionText, templateText } from './expression-text.js';

const MODULE = `module m
pub concept Item { no: Int unique, code: Text, parent: Item }
relation inside(item: Item, box: Item [0..1])
relation at(item: Item, box: Item, place: Int [0..1])
relation now(item: Item [0..1])
pub check dear(i: Item) when Item(i), i.no > 5 severity warning message "{i.code}: {i.no * 2} of {i} is too much"
pub check plain(i: Item) when Item(i), i.no > 6 severity warning message "too much"
`;

it.each([
  ['m::dear', '{i.code}: {i.no * 2} of {i} is too much'],
  ['m::plain', 'too much'],
  ['m::Item.no.unique', 'Item {item} has the same no as another: {…}'],
  ['m::Item.parent', 'parent of Item {item} refers to a deleted individual: {…}'],
  ['m::inside.box', '{item} has more than one box (inside allows 0..1)'],
  ['m::at.place', '{item}, {box} have more than one place (at allows 0..1)'],
  ['m::now.item', 'There is more than one item (now allows 0..1)'],
])('prints the message of %s as %s', (path, template) => {
  const check = compile([{ file: 'm.entail', text: MODULE }]).artifact?.checks.find((each) => each.path === path);
  expect(check && templateText(check.message)).toBe(template);
});

it.each([
  ['Date', 'value <= date "2008-01-01"'],
  ['DateTime', 'value > datetime "2008-01-01T00:00:00.000Z"'],
  ['Decimal', 'value >= 12.5'],
  ['Text', 'value != "a \\"b\\""'],
  ['Int', 'value < 3'],
])('prints a condition on a %s as in the source: %s', (type, text) => {
  const source = `module m\npub concept Item { it: ${type} where ${text} }\n`;
  const { artifact } = compile([{ file: 'm.entail', text: source }]);
  const refinement = artifact?.schema.concepts[0]?.fields[0]?.refinement;
  expect(refinement && expressionText(refinement)).toBe(text);
});
