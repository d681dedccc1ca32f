/** `select … where … order by … limit …`, of queries and of `for`. */

import type { Selection, SortKey } from '../ast.js';
import { FOREIGN_CLAUSES, foreignHint } from '../foreign-words.js';
import { body } from './bodies.js';
import type { Cursor } from './cursor.js';
import { expression } from './expressions.js';
import { meant } from './names.js';

export function selection(p: Cursor): Selection {
  const start = p.index;
  p.expectWord('select', 'at the start of a selection');
  if (p.atWord('distinct') && p.peek(1).kind === 'word' && p.peek(1).text !== 'where') {
    p.fail('E0010', 'rows are distinct as they are', { hint: 'Leave out `distinct`.' });
  }
  const select = expression(p);
  p.expectWord(
    'where',
    'behind what is selected',
    'Write `select x where Concept(x)`; several values are a record: `select { a: x.a, b: x.b } where …`.',
  );
  const condition = body(p);
  const orderBy: SortKey[] = [];
  if (p.acceptWord('order')) {
    p.expectWord('by', 'behind `order`');
    do {
      if (orderBy.length > 0 && (p.at('}') || p.at(')'))) break;
      orderBy.push(sortKey(p));
    } while (p.accept(','));
  }
  const limit = p.acceptWord('limit') ? expression(p) : null;
  const { current } = p;
  const guess = current.kind === 'word' ? meant(current.text, ['order', 'limit', 'desc']) : '';
  const hint = foreignHint(FOREIGN_CLAUSES, current.text) ?? guess;
  if (hint !== '') p.fail('E0010', `expected the end of the selection, found ${p.found()}`, { hint: hint.trim() });
  return { kind: 'select', select, body: condition, orderBy, limit, span: p.spanFrom(start) };
}

function sortKey(p: Cursor): SortKey {
  const start = p.index;
  const key = expression(p);
  const descending = p.acceptWord('desc');
  if (!descending) p.acceptWord('asc');
  return { key, descending, span: p.spanFrom(start) };
}
