import { describe, expect, it } from 'vitest';
import type { OutlineItem } from '../../../../src-runtime/language/service/index.js';
import { pathAt } from './explain-target.js';

const SOURCE = `/// About people.
module a::b
use other::{owns, Person}
derive rich(p: Person) when owns(p, x), old(x), c::d::far(p)
relation old(x: Person)
query all() -> [Person] { select p where rich(p) }
`;
const item = (kind: OutlineItem['kind'], name: string, line: string): OutlineItem => {
  const offset = SOURCE.indexOf(line);
  const place = (at: number) => ({ line: 1, column: 1, offset: at });
  const span = { file: 'a.entail', start: place(offset), end: place(SOURCE.indexOf('\n', offset)) };
  return { kind, name, public: false, span, parts: 1 };
};
const outline = [
  item('derive', 'rich', 'derive rich'),
  item('relation', 'old', 'relation old'),
  item('query', 'all', 'query all'),
];
const at = (text: string) => pathAt(SOURCE, outline, SOURCE.indexOf(text) + 1);

describe('the fact to explain', () => {
  it('is the relation named at the cursor', () => {
    expect(at('old(x), c')).toBe('a::b::old');
    expect(at('owns(p')).toBe('other::owns');
    expect(at('far(p)')).toBe('c::d::far');
    expect(at('rich(p) }')).toBe('a::b::rich');
  });

  it('is the rule around the cursor otherwise', () => {
    expect(at('when owns')).toBe('a::b::rich');
    expect(at('x: Person)\nquery')).toBe('a::b::old');
  });

  it('is undefined in a query, which has no facts', () => expect(at('select')).toBeUndefined());
});
