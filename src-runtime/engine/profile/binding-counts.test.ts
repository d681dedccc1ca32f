import { describe, expect, it } from 'vitest';
import type { Condition, Literal } from '../../artifact/types.js';
import { noDeadline } from '../../base/ports.js';
import type { Span } from '../../base/span.js';
import { absent, arithmetic, atom, bind, compare, condition, INT, int, SPAN, test, v } from '../testing/ir.js';
import { newStore } from '../testing/path-store.js';
import type { Bindings } from '../types.js';
import { type BindingCount, countBindings } from './binding-counts.js';

/** Edges from 0 to 1 up to 4, and from 1 to 2 and 3. */
function view() {
  const store = newStore();
  const transaction = store.begin();
  for (let to = 1; to <= 4; to++) transaction.insert('edge', [0, to]);
  for (const to of [2, 3]) transaction.insert('edge', [1, to]);
  transaction.commit();
  return store.view();
}

const spanAt = (offset: number): Span => ({
  ...SPAN,
  start: { line: 1, column: 1, offset },
  end: { line: 1, column: 1, offset: offset + 1 },
});

/** A body whose literals are conditions at 1, 2, …; those of `implied` are outside of it. */
function bodyOf(literals: readonly Literal[], implied: readonly Literal[] = [], outer: readonly string[] = []) {
  const placed = literals.map((literal, at) => ({ ...literal, span: spanAt(at + 1) }));
  const hidden = implied.map((literal) => ({ ...literal, span: spanAt(0) }));
  return { body: condition([...hidden, ...placed], {}, outer), places: placed.map(({ span }) => span) };
}

async function counts(
  { body, places }: { readonly body: Condition; readonly places: readonly Span[] },
  { bindingsMax = 1000, bound = {} }: { readonly bindingsMax?: number; readonly bound?: Bindings } = {},
): Promise<BindingCount[]> {
  const found: BindingCount[] = [];
  const limits = { bindingsMax, examplesMax: 2 };
  for await (const each of countBindings(view(), body, places, bound, {}, limits, noDeadline)) found.push(each);
  return found;
}

const numbers = (found: readonly BindingCount[]) => found.map(({ bindings }) => bindings);

describe('countBindings', () => {
  it('counts the bindings that are left after each condition, in source order', async () => {
    const body = bodyOf([atom('edge', 'x', 'y'), atom('edge', 'y', 'z'), test(compare('>', v('z'), int(9)))]);
    const found = await counts(body);
    expect(numbers(found)).toEqual([6, 2, 0]);
    expect(found[1]?.examples).toHaveLength(2);
    expect(found[1]?.examples).toContainEqual({ x: 0, y: 1, z: 2 });
  });

  it('multiplies conditions without common variables instead of joining them', async () => {
    const found = await counts(bodyOf([atom('edge', 'x', '_'), atom('edge', '_', 'y'), atom('edge', 'x', 'y')]));
    expect(numbers(found)).toEqual([2, 8, 6]);
    expect(found[1]?.examples[0]).toEqual({ x: expect.any(Number), y: expect.any(Number) });
  });

  it('has no count for a condition that waits for a later one', async () => {
    const found = await counts(
      bodyOf([test(compare('>', v('y'), int(2))), absent('edge', 'y', 'y'), atom('edge', 'x', 'y')]),
    );
    expect(numbers(found)).toEqual([undefined, undefined, 3]);
  });

  it('counts an implied condition with the first that uses its variable', async () => {
    const found = await counts(bodyOf([atom('edge', 'x', '_'), atom('edge', '_', 'y')], [atom('edge', 'y', '_')]));
    expect(numbers(found)).toEqual([2, 2]);
  });

  it('counts under given values', async () => {
    const body = bodyOf([atom('edge', 'x', 'y')], [], ['x']);
    expect(numbers(await counts(body, { bound: { x: { type: INT, value: 1 } } }))).toEqual([2]);
  });

  it('stops at the limit, and says so', async () => {
    const [found] = await counts(bodyOf([atom('edge', 'x', 'y')]), { bindingsMax: 4 });
    expect(found).toMatchObject({ bindings: 4, isCut: true });
  });

  it('ends with the fault of a condition', async () => {
    const half = arithmetic('div', v('x'), int(0));
    const found = await counts(bodyOf([atom('edge', 'x', 'y'), bind('z', half), atom('edge', 'z', '_')]));
    expect(found).toMatchObject([{ bindings: 6 }, { bindings: undefined, fault: expect.stringContaining('zero') }]);
  });
});
