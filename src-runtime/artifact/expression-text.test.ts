/** The message of a check is served as its author wrote it; what the compiler made has no names to show. */

import { expect, it } from 'vitest';
import { compile } from '../compiler/index.js';
import { templateText } from './expression-text.js';

const MODULE = `module m
pub concept Item { no: Int unique, code: Text }
pub check dear(i: Item) when Item(i), i.no > 5 severity warning message "{i.code}: {i.no * 2} of {i} is too much"
pub check plain(i: Item) when Item(i), i.no > 6 severity warning message "too much"
`;

it.each([
  ['m::dear', '{i.code}: {i.no * 2} of {i} is too much'],
  ['m::plain', 'too much'],
  ['m::Item.no.unique', 'Item {item} has the same no as another: {…}'],
])('the message of %s is %s', (path, template) => {
  const check = compile([{ file: 'm.entail', text: MODULE }]).artifact?.checks.find((each) => each.path === path);
  expect(check && templateText(check.message)).toBe(template);
});
