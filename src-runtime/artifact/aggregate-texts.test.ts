/** `aggregatesIn` finds each aggregate by its `for`, in any surrounding text. */

import { expect, it } from 'vitest';
import { aggregateTexts } from './aggregate-texts.js';

it.each([
  ['let n = count(for x where paidBy(x, p))', ['count(for x where paidBy(x, p))']],
  [
    'max(a, 3) > max(x.amount for x where r(x, _)) - (min(b for x, b where s(x, b)) ?? 0)',
    ['max(x.amount for x where r(x, _))', 'min(b for x, b where s(x, b))'],
  ],
  ['max(count(for y where r(y)), 2) == 2', ['count(for y where r(y))']],
  ['let n = sum(count(for y where r(x, y)) for x where P(x))', ['sum(count(for y where r(x, y)) for x where P(x))']],
  ['t == "count(for" and count(for x where r(x, ")")) > accounts(x)', ['count(for x where r(x, ")"))']],
])('%s', (text, aggregates) => expect(aggregateTexts(text)).toEqual(aggregates));
