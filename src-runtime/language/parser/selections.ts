/** `select … where … order by … limit …`, of queries and of `for`. */

import type { Selection, SortKey } from '../ast.js';
import { suggestion } from '../finding.js';
import { FOREIGN_CLAUSES, foreignHint } from '../foreign-words.js';
import { body } from './bodies.js';
import type { Cursor } from './cursor.js';
import { expression } from './expressions.js';

export function selection(p: Cursor): Selection {
  const start = p.index;
  p.expectWord('select', 'at the start of a selection');
  if (p.atWord('distinct') && p.peek(1).kind === 'word' && p.peek(1).text !== 'where') {
    p.fail('E0010', 'rows are always distinct', { hint: 'Remove `distinct`.' });
  }
  const select = expression(p);
  p.expectWord(
    'where',
    'after the selected expression',
    'Write `select x where Concept(x)`. Select several values as a record: `select { a: x.a, b: x.b } where …`.',
  );
  const condition = body(p);
  const orderBy: SortKey[] = [];
  if (p.acceptWord('order')) {
    p.expectWord('by', 'after `order`');
    do {
      if (orderBy.length > 0 && (p.at('}') || p.at(')'))) break;
      orderBy.push(sortKey(p));
    } while (p.accept(','));
  }
  const limit = p.acceptWord('limit') ? expression(p) : null;
  const { current } = p;
  const foreign = foreignHint(FOREIGN_CLAUSES, current.text);
  const meant = current.kind === 'word' ? suggestion(current.text, ['order', 'limit', 'desc'], '`') : undefined;
  const details = foreign === undefined ? meant : { hint: foreign };
  if (details !== undefined) p.fail('E0010', `expected the end of the selection, found ${p.found()}`, details);
  return { kind: 'select', select, body: condition, orderBy, limit, span: p.spanFrom(start) };
}

function sortKey(p: Cursor): SortKey {
  const start = p.index;
  const key = expression(p);
  const descending = p.acceptWord('desc');
  if (!descending) p.acceptWord('asc');
  return { key, descending, span: p.spanFrom(start) };
}
