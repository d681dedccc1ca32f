/** The outline lists the declarations of a module and limits the number of facts. */

import { describe, expect, it } from 'vitest';
import { parseModule } from '../parser/module.js';
import { outlineOf } from './outline.js';

function check(source: string, expected: string[]): void {
  const { value } = parseModule('m.entail', `module m\n${source}`);
  expect(outlineOf(value).map((item) => `${item.kind} ${item.name} ${item.parts}`)).toEqual(expected);
}

describe('outline', () => {
  it('lists declarations in source order', () => {
    check('enum Status { a, b }\nconcept Person { name: Text }\nrelation knows(a: Person, b: Person)', [
      'enum Status 1',
      'concept Person 1',
      'relation knows 1',
    ]);
  });

  it('counts the clauses of a rule anywhere in the file', () => {
    check(
      `derive reaches(a: Person, b: Person) when knows(a, b)
       define Known(p: Person) when knows(_, p)
       derive reaches(a: Person, b: Person) when knows(a, c), reaches(c, b)
       define Known(p: Person) when knows(p, _)`,
      ['derive reaches 2', 'define Known 2'],
    );
  });

  it('combines consecutive facts of one relation into one item', () => {
    const source = 'module m\nfact knows(@a, @b)\nfact knows(@b, @c)\nfact likes(@a, @c)\nfact knows(@c, @a)';
    const outline = outlineOf(parseModule('m.entail', source).value);
    expect(outline.map((item) => `${item.name} ${item.parts}`)).toEqual(['knows 2', 'likes 1', 'knows 1']);
    expect(outline[0]?.span.end.line).toBe(3);
  });
});
